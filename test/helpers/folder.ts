import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder of a test. */
export interface TestFolder {
  pathOf(name: string): string
  remove(): Promise<void>
}

/** Creates a folder for temporary files. */
export async function makeFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'api-discovery-test-'))
  return {
    pathOf: (name) => join(path, name),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/** Runs work with a folder for temporary files, which is removed afterwards. */
export async function withFolder(run: (folder: TestFolder) => Promise<void>): Promise<void> {
  const folder = await makeFolder()
  try {
    await run(folder)
  } finally {
    await folder.remove()
  }
}
