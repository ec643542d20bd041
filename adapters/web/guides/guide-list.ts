import { CONSOLE } from '../page.ts'

/** Path of the list of guides. */
export const GUIDES_PATH = `${CONSOLE}/guides`

/** Guides by subject, in reading order: files of the folder `docs`, without `.md`. */
export const GUIDE_SUBJECTS: readonly {
  readonly title: string
  readonly files: readonly string[]
}[] = [
  {
    title: 'Catalogue and vulnerabilities',
    files: ['guides/import', 'guides/search', 'guides/agreements', 'guides/vulnerabilities'],
  },
  {
    title: 'Calls and tests',
    files: ['guides/gateway', 'guides/gateway-operation', 'guides/rate-limit-test'],
  },
  {
    title: 'Scans',
    files: [
      'guides/scan-project',
      'guides/scan-project-details',
      'guides/scan-network',
      'guides/review-scans',
    ],
  },
  { title: 'BOMs and policies', files: ['guides/boms', 'guides/policy-gate'] },
  {
    title: 'Console and server',
    files: ['guides/console', 'guides/operating', 'guides/monitoring'],
  },
  { title: 'Library', files: ['guides/embedding', 'guides/custom-storage'] },
  {
    title: 'Reference',
    files: [
      'reference/http',
      'reference/cli',
      'reference/configuration',
      'reference/scopes',
      'reference/errors',
      'reference/metrics',
      'reference/assessment',
    ],
  },
]

/** Pictures of the guides: files of `docs/images`, without `.png`. */
export const GUIDE_PICTURES: readonly string[] = ['vulnerabilities']

/** Returns the name of a guide in its address: `import` for `guides/import`. */
export function toGuideName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

/**
 * Address of a file of the folder `docs`, such as `guides/import.md`; undefined if it is not
 * served.
 */
export function findServedPath(file: string): string | undefined {
  const [, stem = '', ending] = /^(.+)\.(md|png)$/.exec(file) ?? []
  const name = toGuideName(stem)
  if (ending === 'png') {
    const isServed = stem === `images/${name}` && GUIDE_PICTURES.includes(name)
    return isServed ? `${GUIDES_PATH}/pictures/${name}` : undefined
  }
  const isServed = GUIDE_SUBJECTS.some(({ files }) => files.includes(stem))
  return isServed ? `${GUIDES_PATH}/${name}` : undefined
}
