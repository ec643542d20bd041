import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '../../core/client.ts'
import {
  type Flow,
  isPlausibleTime,
  type SubmittedFlow,
  toSubmittedFlow,
} from '../../core/scans/index.ts'
import { CommandError } from './errors.ts'
import type { NetworkHead } from './network-options.ts'
import type { SubmitTarget } from './scan-options.ts'
import { adviseReading, describeSubmitFailure } from './scan-submit.ts'

/** A network scan stored by a service. */
export interface SubmittedNetwork {
  readonly instanceId: string
  readonly flows: number
  readonly matched: number
  /** A sentence about where to read the scan. */
  readonly advice: string
}

/** Flows to submit, buffered in a file to bound memory. */
export interface NetworkSubmission {
  add(flow: Flow): Promise<void>
  /**
   * Sends the flows as one scan, idempotently for the same content. Resolves with undefined if
   * there are none. Throws a `CommandError` if the service rejects the scan or cannot be reached.
   */
  send(head: NetworkHead): Promise<SubmittedNetwork | undefined>
  /** Deletes the file. */
  close(): Promise<void>
}

const CHUNK_CHARACTERS = 64 * 1024

/** Returns the earlier time. A time before the clock was set counts only if there is no other. */
function earlierStart(former: number | undefined, capturedAt: number): number {
  if (former === undefined) return capturedAt
  if (isPlausibleTime(former) !== isPlausibleTime(capturedAt)) return Math.max(former, capturedAt)
  return Math.min(former, capturedAt)
}

/** Opens a submission. */
export async function openSubmission(target: SubmitTarget): Promise<NetworkSubmission> {
  const folder = await mkdtemp(join(tmpdir(), 'api-discovery-'))
  const file = join(folder, 'flows.ndjson')
  const rows = createWriteStream(file)
  // Failures are reported by each write.
  rows.on('error', () => undefined)
  const digest = createHash('sha256')
  let text = ''
  let startedAt: number | undefined
  let endedAt = Number.NEGATIVE_INFINITY

  return {
    async add(flow) {
      const sent = toSubmittedFlow(flow)
      const capturedAt = Date.parse(sent.capture_datetime)
      startedAt = earlierStart(startedAt, capturedAt)
      endedAt = Math.max(endedAt, capturedAt)
      const line = `${JSON.stringify(sent)}\n`
      digest.update(line)
      text += line
      if (text.length < CHUNK_CHARACTERS) return
      const piece = text
      text = ''
      await writeText(rows, piece)
    },
    async send(names) {
      await writeText(rows, text)
      await endStream(rows)
      if (startedAt === undefined) return undefined
      const head = {
        ...names,
        start_time: new Date(startedAt).toISOString(),
        end_time: new Date(endedAt).toISOString(),
        scan_status: 'complete' as const,
      }
      digest.update(JSON.stringify(head))
      try {
        const stored = await createClient(target).submitNetworkScan({
          head,
          rows: readSubmittedFlows(file),
          'idempotency-key': digest.digest('hex'),
        })
        return toSubmitted(target, stored)
      } catch (error) {
        const { origin } = new URL(target.baseUrl)
        throw new CommandError(
          `Cannot submit the scan to ${origin}: ${describeSubmitFailure(error, target)}`,
        )
      }
    },
    async close() {
      rows.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Converts the response of a service and adds where to read the scan. */
export function toSubmitted(
  target: SubmitTarget,
  stored: {
    readonly instance_id: string
    readonly flows: number
    readonly matched: number
    readonly console_url?: string | undefined
  },
): SubmittedNetwork {
  const query = new URLSearchParams({ instance_id: stored.instance_id })
  return {
    instanceId: stored.instance_id,
    flows: stored.flows,
    matched: stored.matched,
    advice: adviseReading(target, {
      page: stored.console_url,
      operation: `/networks/user_scan_mappings/?${query}`,
    }),
  }
}

/** Reads the rows of an NDJSON file. */
async function* readSubmittedFlows(file: string): AsyncIterable<SubmittedFlow> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  // `add` wrote these lines.
  for await (const line of lines) if (line !== '') yield JSON.parse(line) as SubmittedFlow
}

function writeText(stream: WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

function endStream(stream: WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject)
    stream.end(resolve)
  })
}
