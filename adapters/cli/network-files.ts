import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describeSystemError } from './system-errors.ts'

/** Files of a path. */
export interface ListedFiles {
  /** The file itself, or all files below a folder, sorted by path. */
  readonly files: readonly string[]
  readonly isFolder: boolean
  /** Paths that could not be listed. */
  readonly failures: readonly { readonly file: string; readonly why: string }[]
}

/** Maximum depth below the listed folder. */
const MAX_DEPTH = 32

/**
 * Lists files with any name. In folders, skips hidden entries, links to folders, and pipes and
 * sockets.
 */
export async function listTrafficFiles(path: string): Promise<ListedFiles> {
  const files: string[] = []
  const failures: { file: string; why: string }[] = []
  const fail = (file: string, why: string) => failures.push({ file, why })
  try {
    const found = await stat(path)
    if (!found.isDirectory()) return { files: [path], isFolder: false, failures }
  } catch (error) {
    fail(path, describeSystemError(error))
    return { files, isFolder: false, failures }
  }
  const open = [{ folder: path, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, depth } = next
    try {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const full = join(folder, entry.name)
        if (entry.name.startsWith('.')) continue
        if (entry.isDirectory() && depth < MAX_DEPTH) open.push({ folder: full, depth: depth + 1 })
        else if (entry.isDirectory()) fail(full, `it is more than ${MAX_DEPTH} folders deep`)
        else if (entry.isFile() || (entry.isSymbolicLink() && (await isRegularFile(full))))
          files.push(full)
      }
    } catch (error) {
      fail(folder, describeSystemError(error))
    }
  }
  return { files: files.sort(), isFolder: true, failures }
}

/** Follows links; false for broken ones. */
async function isRegularFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true
}
