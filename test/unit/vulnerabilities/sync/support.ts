import { createHttpGet } from '../../../../adapters/egress/http-get.ts'
import type { Get } from '../../../../core/ports/get.ts'
import type { CveRecord } from '../../../../core/vulnerabilities/records.ts'
import type { SyncEvent } from '../../../../core/vulnerabilities/sync/events.ts'
import {
  type NvdPassed,
  parseNvdCheckpoint,
} from '../../../../core/vulnerabilities/sync/nvd-checkpoint.ts'
import { createNvdPages } from '../../../../core/vulnerabilities/sync/nvd-pages.ts'
import {
  createNvdReader,
  type NvdReader,
  startNvdReading,
} from '../../../../core/vulnerabilities/sync/nvd-reader.ts'
import type { RetryDeps } from '../../../../core/vulnerabilities/sync/retry.ts'
import {
  type NvdServer,
  type NvdServerOptions,
  startNvdServer,
} from '../../../helpers/nvd-server.ts'
import { createManualClock, createSeededRandom } from '../../../helpers/random.ts'

/** 2026-03-14T08:00:00Z. */
export const NOW = Date.UTC(2026, 2, 14, 8)
export const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000

/** A server, a client, and a clock that advances when the client waits. */
export interface SyncStage {
  readonly server: NvdServer
  readonly get: Get
  readonly clock: ReturnType<typeof createManualClock>
  /** The waits, in milliseconds. */
  readonly waits: number[]
  readonly events: SyncEvent[]
  readonly deps: RetryDeps
  close(): Promise<void>
}

/** Starts a server without records. */
export async function openStage(
  options: Omit<NvdServerOptions, 'clock'> & { readonly seed?: number } = {},
): Promise<SyncStage> {
  const clock = createManualClock(NOW)
  const server = await startNvdServer({ ...options, clock })
  const http = createHttpGet({ allow: ['127.0.0.1'] })
  const waits: number[] = []
  const events: SyncEvent[] = []
  return {
    server,
    get: http.get,
    clock,
    waits,
    events,
    deps: {
      clock,
      random: createSeededRandom(options.seed ?? 1),
      async sleep(ms, signal) {
        signal?.throwIfAborted()
        waits.push(ms)
        clock.advance(ms)
      },
      onEvent: (event) => void events.push(event),
    },
    async close() {
      http.close()
      await server.close()
    },
  }
}

/** Records of a mirror that is updated like a database: later records win. */
export interface Mirror {
  readonly records: Map<string, CveRecord>
  checkpoint: string | undefined
  passed: NvdPassed | undefined
}

export function createMirror(): Mirror {
  return { records: new Map(), checkpoint: undefined, passed: undefined }
}

/** Continues from the mirror's checkpoint to the end, or until `signal` aborts. */
export async function readOn(
  stage: SyncStage,
  mirror: Mirror,
  given: { readonly pageSize: number; readonly signal?: AbortSignal; readonly apiKey?: string },
): Promise<NvdReader> {
  const { clock, get, server } = stage
  const deps = { ...stage.deps, signal: given.signal }
  const service = { get, baseUrl: server.url, pageSize: given.pageSize, apiKey: given.apiKey }
  const checkpoint = parseNvdCheckpoint(mirror.checkpoint)
  const isReading = checkpoint !== undefined && checkpoint.phase !== 'done'
  const from = isReading ? checkpoint : startNvdReading(mirror.passed, clock())
  const { onEvent } = stage.deps
  const reader = createNvdReader(createNvdPages(service, deps), { from, clock, onEvent })
  for await (const batch of reader.batches) {
    for (const record of batch.records) {
      const before = mirror.records.get(record.id)
      if (!before || before.modifiedAt <= record.modifiedAt) mirror.records.set(record.id, record)
    }
    mirror.checkpoint = batch.checkpoint ?? mirror.checkpoint
    given.signal?.throwIfAborted()
  }
  mirror.passed = reader.finalCheckpoint()
  mirror.checkpoint = undefined
  return reader
}

/** ID, time and status of all records of a mirror or a server, sorted. */
export function toState(
  records: Iterable<{ readonly id: string; readonly modifiedAt: number; readonly status: string }>,
): readonly string[] {
  return [...records]
    .map(({ id, modifiedAt, status }) => `${id} ${new Date(modifiedAt).toISOString()} ${status}`)
    .sort()
}

/** Adds records whose dates are spread over the years before the stage's time. */
export function fillServer(stage: SyncStage, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const publishedAt = NOW - (count - number + 1) * 3 * DAY_MS
    stage.server.put(toId(number), { publishedAt, modifiedAt: publishedAt + ((number * 7) % 50) })
  }
}

export function toId(number: number): string {
  return `CVE-2020-${String(number).padStart(4, '0')}`
}
