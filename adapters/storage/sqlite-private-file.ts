import { open } from 'node:fs/promises'

/**
 * Creates a missing database file empty, readable only by its owner; SQLite uses the same mode for
 * its companion files. Errors are ignored: opening the database reports them.
 */
export async function createPrivateFile(file: string): Promise<void> {
  if (file === ':memory:' || file.startsWith('file:')) return
  try {
    const handle = await open(file, 'a', 0o600)
    await handle.close()
  } catch {}
}
