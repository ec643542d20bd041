import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents, unless it exists. A recursive `mkdir` of Node does not
 * end below `/proc`, where no folder can be created.
 */
export async function createFolder(folder: string, mode?: number): Promise<void> {
  if (await isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) await createFolder(parent, mode)
  try {
    await mkdir(folder, mode)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!(await isFolder(folder))) throw error
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
