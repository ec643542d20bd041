import { open } from 'node:fs/promises'

/**
 * Makes a database's file, empty, where there is none, so that its owner alone may read what comes
 * into it; SQLite gives the files beside it the same mode. What cannot be made is told by whoever
 * opens it next.
 */
export async function makePrivate(file: string): Promise<void> {
  if (file === ':memory:' || file.startsWith('file:')) return
  try {
    const handle = await open(file, 'a', 0o600)
    await handle.close()
  } catch {}
}
