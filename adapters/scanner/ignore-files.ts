import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** Rules from the `.gitignore` files of a folder and its ancestors. */
export interface IgnoreRules {
  /** `path` is relative to the scanned folder, with `/`; a folder's path ends with one. */
  ignores(path: string): boolean
  /** Adds the rules of a folder's own `.gitignore`, if it exists. */
  enter(folder: string): Promise<IgnoreRules>
}

/** Rules that ignore nothing, regardless of the folders. */
export const NO_RULES: IgnoreRules = { ignores: () => false, enter: async () => NO_RULES }

/**
 * Reads the rules for a scanned folder: its `.gitignore`, and in a git repository also those of its
 * ancestors and of `.git/info/exclude`. Ancestors are skipped if they ignore the scanned folder
 * itself. Deeper rules take precedence.
 */
export async function openIgnoreRules(root: string): Promise<IgnoreRules> {
  const top = await findRepository(root)
  const files: IgnoreFile[] = []
  if (top !== undefined) {
    const exclude = await readTextIfExists(join(top, '.git', 'info', 'exclude'))
    if (exclude !== undefined) files.push(toIgnoreFile(exclude, getPathPrefix(top, root)))
    const between = relative(top, root).split(sep).filter(Boolean)
    for (let depth = 0; depth < between.length; depth += 1) {
      const folder = join(top, ...between.slice(0, depth))
      const text = await readTextIfExists(join(folder, '.gitignore'))
      if (text !== undefined) files.push(toIgnoreFile(text, getPathPrefix(folder, root)))
    }
  }
  // Naming a git-ignored folder means that it should be scanned.
  const isIgnored = files.some(({ rules, addedPrefix }) => rules.ignores(addedPrefix))
  return createIgnoreRules({ root, files: isIgnored ? [] : files }).enter('')
}

/** A `.gitignore` file, and how its paths relate to the scanned folder. */
interface IgnoreFile {
  readonly rules: Ignore
  /** Prefix to add to a path, for files above the scanned folder. */
  readonly addedPrefix: string
  /** Prefix to remove from a path, for files below it. */
  readonly removedPrefix: string
}

function createIgnoreRules(options: {
  readonly root: string
  readonly files: readonly IgnoreFile[]
}): IgnoreRules {
  const { root, files } = options
  return {
    ignores(path) {
      for (let at = files.length - 1; at >= 0; at -= 1) {
        const file = files[at]
        if (!file) continue
        const { ignored, unignored } = file.rules.test(
          file.addedPrefix + path.slice(file.removedPrefix.length),
        )
        if (ignored || unignored) return ignored
      }
      return false
    },
    async enter(folder) {
      const text = await readTextIfExists(join(root, folder, '.gitignore'))
      if (text === undefined) return this
      const rules = ignore().add(text)
      return createIgnoreRules({
        root,
        files: [...files, { rules, addedPrefix: '', removedPrefix: folder }],
      })
    },
  }
}

function toIgnoreFile(text: string, before: string): IgnoreFile {
  return { rules: ignore().add(text), addedPrefix: before, removedPrefix: '' }
}

/** Returns the path from a folder to the scanned one, with a trailing slash. */
function getPathPrefix(folder: string, root: string): string {
  return `${relative(folder, root).split(sep).join('/')}/`
}

async function findRepository(root: string): Promise<string | undefined> {
  for (let folder = root; ; folder = dirname(folder)) {
    if ((await readTextIfExists(join(folder, '.git', 'HEAD'))) !== undefined) {
      return folder === root ? undefined : folder
    }
    if (dirname(folder) === folder) return undefined
  }
}

async function readTextIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    // Missing or unreadable files have no rules.
    return undefined
  }
}
