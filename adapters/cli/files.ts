import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from './errors.ts'
import { describeSystemError } from './system-errors.ts'

const DESCRIPTION_FILE = /\.(json|ya?ml)$/i

/** Reads a file. Throws a `CommandError` that names it if it cannot be read. */
export async function readFileBytes(path: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    throw new CommandError(`Cannot read ${path}: ${describeSystemError(error)}`)
  }
}

/**
 * Checks output paths before any work starts. Throws a `CommandError` if a path is a folder or its
 * parent folder is missing.
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
      throw new CommandError(`Cannot write ${path}: folder ${dirname(path)} not found`)
    }
  }
}

/**
 * Lists description files: the file itself, or every `.json`, `.yaml` and `.yml` file below a
 * folder, sorted by path. Skips hidden entries, `node_modules` and links to folders.
 */
export async function listDescriptionFiles(path: string): Promise<readonly string[]> {
  let isFolder: boolean
  try {
    isFolder = (await stat(path)).isDirectory()
  } catch (error) {
    throw new CommandError(`Cannot read ${path}: ${describeSystemError(error)}`)
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
