import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from './errors.ts'
import { toReason } from './reasons.ts'

const DESCRIPTION_FILE = /\.(json|ya?ml)$/i

/** The bytes of a file; a `CommandError` that names it when it cannot be read. */
export async function readFileBytes(path: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    throw new CommandError(`Cannot read ${path}: ${toReason(error)}`)
  }
}

/**
 * Throws a `CommandError` for a file that cannot be written, since its folder is not there or it is
 * a folder itself; before the work that it is to hold.
 */
export async function checkOutputs(paths: readonly (string | undefined)[]): Promise<void> {
  for (const path of paths) {
    if (path === undefined) continue
    const isFolder = (name: string) =>
      stat(name).then(
        (found) => found.isDirectory(),
        () => false,
      )
    if (await isFolder(path)) throw new CommandError(`Cannot write ${path}: it is a folder`)
    if (!(await isFolder(dirname(path)))) {
      throw new CommandError(`Cannot write ${path}: there is no folder ${dirname(path)}`)
    }
  }
}

/**
 * The files that may be descriptions: the file itself, or every `.json`, `.yaml` and `.yml` file
 * below a folder, sorted by path. Hidden entries, `node_modules` and links to folders are left out.
 */
export async function listDescriptionFiles(path: string): Promise<readonly string[]> {
  let isFolder: boolean
  try {
    isFolder = (await stat(path)).isDirectory()
  } catch (error) {
    throw new CommandError(`Cannot read ${path}: ${toReason(error)}`)
  }
  if (!isFolder) return [path]
  const files: string[] = []
  const folders = [path]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const full = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(full)
      else if (DESCRIPTION_FILE.test(entry.name)) files.push(full)
    }
  }
  return files.sort()
}
