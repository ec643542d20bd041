import { stat } from 'node:fs/promises'
import { ServiceError } from '../../core/errors.ts'

/** Throws a `ServiceError` with code `not_found` if a folder to scan does not exist. */
export async function assertFolder(root: string): Promise<void> {
  const found = await stat(root).catch(() => undefined)
  if (found?.isDirectory()) return
  throw new ServiceError(
    'not_found',
    `Cannot scan "${root}": ${found ? 'it is not a folder' : 'the folder does not exist'}`,
  )
}
