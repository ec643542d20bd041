import process from 'node:process'
import { createUnavailableError } from './kysely/errors.ts'

/** Imports `node:sqlite`. Throws a `ServiceError` if this Node release does not provide it. */
export async function importNodeSqlite(): Promise<typeof import('node:sqlite')> {
  try {
    return await import('node:sqlite')
  } catch (error) {
    const reason = `node:sqlite needs Node 22.13 or newer, but this is Node ${process.versions.node}`
    throw createUnavailableError(reason, error)
  }
}
