import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectFile } from '../../core/code-scanner/clients/project-file.ts'
import { ServiceError } from '../../core/errors.ts'

/** Name of the project file, in the scanned folder. */
export const PROJECT_FILE = '.api-discovery.yaml'

/** Maximum size of a project file, in bytes. */
const MAX_BYTES = 256 * 1024

/**
 * Reads the project file of a folder; undefined if there is none. Links are not followed. Throws a
 * `ServiceError` with code `invalid_input` if the file is invalid.
 */
export async function readProjectFile(root: string): Promise<ProjectFile | undefined> {
  const path = join(root, PROJECT_FILE)
  const stats = await lstat(path).catch(() => undefined)
  if (!stats?.isFile()) return undefined
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read({ buffer: new Uint8Array(MAX_BYTES + 1) })
    if (bytesRead > MAX_BYTES) {
      const reason = `it must not be larger than ${MAX_BYTES / 1024} KiB`
      throw new ServiceError('invalid_input', `Cannot read ${PROJECT_FILE}: ${reason}`)
    }
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead))
    // Most projects have no such file: its parser is loaded only if needed.
    const { parseProjectFile } = await import('../../core/code-scanner/clients/project-file.ts')
    return parseProjectFile(text)
  } finally {
    await file.close()
  }
}
