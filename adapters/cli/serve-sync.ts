import type { Logger, Secrets, VulnerabilitySyncOptions } from '../../core/index.ts'
import type { DatabaseAddress } from './database.ts'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'
import { findSecretFile } from './service.ts'
import { selectSources } from './sync-all.ts'
import { createChildSync } from './sync-child.ts'
import { parseSyncSchedule } from './sync-schedule.ts'

/** Options of `serve` for scheduled syncs. */
export interface ServeSyncOptions {
  readonly sync?: string | undefined
  readonly jobs: boolean
}

/** Scheduled syncs of a server. */
export interface ServeSync {
  /** Five cron fields, in UTC. */
  readonly schedule: string
  readonly options: VulnerabilitySyncOptions
}

const VARIABLE = 'API_DISCOVERY_SYNC'

/** Returns the schedule of the option, else of the environment; undefined if there is none. */
export function findSyncSchedule(io: Io, { sync, jobs }: ServeSyncOptions): string | undefined {
  if (sync !== undefined && !jobs) {
    throw new UsageError('Cannot sync: --sync needs background jobs, which --no-jobs disables')
  }
  // A server without jobs leaves syncs to others with the same environment.
  return sync ?? (jobs ? io.environment[VARIABLE] || undefined : undefined)
}

/**
 * Creates the scheduled syncs, which run in a child process. Throws a `UsageError` if the schedule
 * or the selection of sources is invalid, or if no other process can open the database.
 */
export function createServeSync(
  io: Io,
  request: {
    readonly schedule: string
    readonly address: DatabaseAddress
    readonly secrets: Secrets
    readonly logger: Logger | undefined
  },
): ServeSync {
  const { address, secrets, logger } = request
  const { expression, nextRun } = parseSyncSchedule(request.schedule, secrets.current)
  if (address.kind === 'sqlite' && address.file === ':memory:') {
    throw new UsageError('Cannot sync: --sync needs a database file or PostgreSQL')
  }
  const settings = {
    API_DISCOVERY_DATABASE: address.kind === 'sqlite' ? `sqlite:${address.file}` : address.url,
    API_DISCOVERY_SECRET_FILE: findSecretFile(io, address),
  }
  const sync = createChildSync({ environment: io.environment, settings, logger })
  const sources = selectSources(io).map(({ name }) => name)
  return { schedule: expression, options: { sources, nextRun, sync } }
}
