import { ServiceError } from '../../../core/errors.ts'
import { readPackageFile } from '../package-files.ts'
import { GUIDE_PICTURES, GUIDE_SUBJECTS, toGuideName } from './guide-list.ts'
import { type RenderedGuide, renderGuide } from './render-guide.ts'

/** A guide and its place in the list. */
export interface Guide extends RenderedGuide {
  readonly name: string
  readonly subject: string
}

/** The guides of this package. */
export interface Guides {
  /** Every guide, in reading order. Throws a `ServiceError` if the package has no guides. */
  list(): Promise<readonly Guide[]>
  /** Finds a guide by its name; undefined for other names. Throws like `list`. */
  find(name: string): Promise<Guide | undefined>
  /** Finds a PNG picture by its name; undefined for other names. Throws like `list`. */
  findPicture(name: string): Promise<Uint8Array | undefined>
}

/** Folder `docs` of the repository, or of the built package. */
const FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../docs/' : '../docs/',
  import.meta.url,
)

/** Opens the guides. A guide is read and rendered on its first use, and cached. */
export function openGuides(folder = FOLDER): Guides {
  const guides = GUIDE_SUBJECTS.flatMap(({ title, files }) =>
    files.map((file) => ({
      name: toGuideName(file),
      load: cacheResult(async (): Promise<Guide> => {
        const text = new TextDecoder().decode(await readDocument(new URL(`${file}.md`, folder)))
        return { ...renderGuide(file, text), name: toGuideName(file), subject: title }
      }),
    })),
  )
  return {
    list: () => Promise.all(guides.map(({ load }) => load())),
    find: async (name) => guides.find((guide) => guide.name === name)?.load(),
    findPicture: async (name) =>
      GUIDE_PICTURES.includes(name)
        ? readDocument(new URL(`images/${name}.png`, folder))
        : undefined,
  }
}

async function readDocument(url: URL): Promise<Uint8Array> {
  const bytes = await readPackageFile(url)
  if (bytes === undefined) {
    throw new ServiceError(
      'not_found',
      'The guides are not installed: the folder "docs" of the package is missing',
    )
  }
  return bytes
}

/** Calls a function once, and again only after a failure. */
function cacheResult<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let cached: Promise<Result> | undefined
  return () => {
    cached ??= load().catch((error) => {
      cached = undefined
      throw error
    })
    return cached
  }
}
