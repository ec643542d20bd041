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
    files: [
      ...['guides/import', 'guides/search', 'guides/agreements', 'guides/publish'],
      'guides/vulnerabilities',
    ],
  },
  {
    title: 'Calls and tests',
    files: [
      ...['guides/gateway', 'guides/gateway-operation', 'guides/rate-limit-test'],
      'guides/agents',
    ],
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

const SCANS = 'review-scans'
const REVIEW = 'review-scans#review-endpoints'
const KEYS = 'console#api-keys'
const USERS = 'console#users'

/** The guide that helps on a page, by the page's path: a name, with an anchor if a part does. */
export const PAGE_GUIDES: Readonly<Record<string, string>> = {
  '/': 'console#areas',
  '/status': 'monitoring',
  '/apis': 'search',
  '/apis/:id': 'agreements#assess-an-api',
  '/apis/:id/endpoints/:endpointId': 'gateway',
  '/apis/:id/agreements': 'agreements',
  '/apis/:id/credentials': 'gateway#store-credentials',
  '/credentials': 'gateway#store-credentials',
  '/vulnerabilities': 'vulnerabilities#search-terms',
  '/vulnerabilities/vendors': 'vulnerabilities#filters',
  '/vulnerabilities/:cve': 'vulnerabilities',
  '/scans': SCANS,
  '/scans/submit': 'review-scans#submit-a-scan',
  '/scans/projects/:id': REVIEW,
  '/scans/projects/:id/endpoints': REVIEW,
  '/scans/projects/:id/history': SCANS,
  '/scans/projects/:id/compare': SCANS,
  '/scans/networks/:id': REVIEW,
  '/scans/networks/:id/endpoints': REVIEW,
  '/scans/networks/:id/history': SCANS,
  '/scans/networks/:id/compare': SCANS,
  '/scans/networks/:id/places': 'scan-network#add-context',
  '/rate-limits': 'rate-limit-test',
  '/rate-limits/new': 'rate-limit-test#consent',
  '/rate-limits/:run': 'rate-limit-test#read-the-verdict',
  '/imports': 'import',
  '/imports/new': 'import',
  '/imports/:id': 'import#errors-and-warnings',
  '/login': 'console#log-in-for-the-first-time',
  '/welcome': USERS,
  '/account': KEYS,
  '/account/keys/:id': KEYS,
  '/account/keys/:id/policy': 'gateway#restrict-keys',
  '/account/calls': 'gateway-operation#history',
  '/account/refused': KEYS,
  '/account/users': USERS,
  '/account/users/:id': USERS,
}
