import type { CallValues, OutgoingCall } from '../../calls/call.ts'
import { parseEncodings } from '../../egress/parse-encodings.ts'
import { getErrorCode } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Decode } from '../../ports/decode.ts'
import type { HeaderLine } from '../../ports/egress.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Random } from '../../ports/random.ts'
import type { Account } from '../../shared/account.ts'
import { toBase62 } from '../../shared/base62.ts'
import { concatBytes } from '../../shared/bytes.ts'
import { Numeral } from '../../shared/exact-json.ts'
import { runInTimeSlices } from '../../shared/time-slices.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { listTargetHeaders } from '../passed-headers.ts'
import type { Recording } from '../records.ts'
import type { GatewayStore } from '../store.ts'
import type { GatewayTarget } from '../targets.ts'
import { createRedactor } from './redact.ts'
import { listSecurityHeaders, truncateSecurityHeader } from './security-headers.ts'

/** A response that is passed back and recorded. */
export interface RecordedResponse {
  readonly account: Account
  readonly target: GatewayTarget
  readonly call: OutgoingCall
  readonly values: CallValues
  readonly status: number
  /** The passed headers only. */
  readonly headers: Readonly<Record<string, string>>
  /** All headers that the target sent. */
  readonly sent: readonly HeaderLine[]
  /** True if the body was received completely. */
  readonly isWhole: boolean
}

/** A buffer for the first bytes of a body, as transferred. */
export interface RecordingBuffer {
  /** ID of the future recording. */
  readonly id: string
  add(chunk: Uint8Array): void
}

/** Records responses of targets at the request of accounts. */
export interface Recorder {
  /** Starts a recording: call `add` with every chunk, then `save`. */
  begin(): RecordingBuffer
  /** Stores a recording, redacted and size-limited, in the background. Never throws. */
  save(beginning: RecordingBuffer, recorded: RecordedResponse): void
  /** Waits until all pending recordings are stored or have failed. */
  flush(): Promise<void>
}

/** Recordings stored per account. */
const MAX_RECORDINGS = 100
const MAX_ENCODED_BYTES = 64 * 1024
const MAX_DECODED_BYTES = 1024 * 1024
const MAX_TEXT = 64 * 1024
const MAX_RATIO = 100

/** Creates the recorder. Without `decode`, encoded bodies are not stored. */
export function createRecorder(deps: {
  readonly store: Pick<GatewayStore, 'saveRecording'>
  readonly credentials: Pick<Credentials, 'listSecrets'>
  readonly decode: Decode | undefined
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}): Recorder {
  const { store, credentials, decode, clock, random, logger } = deps
  const saving = new Set<Promise<void>>()

  async function save(buffer: LimitedBuffer, recorded: RecordedResponse): Promise<void> {
    const { account, target, call, values, status, headers, sent, isWhole } = recorded
    // Read the clock first: the steps below may take longer than for another recording.
    const recordedAt = clock()
    try {
      const secrets = [...(await credentials.listSecrets(account)), ...listSecrets(call, values)]
      const redactor = createRedactor(secrets)
      const redact = (each: string) => runInTimeSlices(redactor(each))
      const { text, isTruncated } = await decodeRecordedBody(buffer, headers, decode)
      const recording: Recording = {
        id: buffer.id,
        endpointId: target.endpoint.id,
        endpoint: target.endpoint.shortId,
        apiId: target.apiId,
        recordedAt,
        status,
        headers: [
          ...(await redactHeaders(listTargetHeaders(headers), redact)),
          ...(await redactHeaders(listSecurityHeaders(sent), redact)).map(truncateSecurityHeader),
        ],
        mediaType: toMediaType(headers['content-type']),
        body: text === undefined ? undefined : await redact(text),
        isTruncated: isTruncated || !isWhole,
      }
      await store.saveRecording(account, recording, MAX_RECORDINGS)
    } catch (error) {
      logger.log('error', 'recording_not_saved', { reason: getErrorCode(error) })
    }
  }

  return {
    begin: () => new LimitedBuffer(`rec_${toBase62(random(16), 22)}`),
    save(beginning, recorded) {
      const saved = save(beginning as LimitedBuffer, recorded).finally(() => saving.delete(saved))
      saving.add(saved)
    },
    async flush() {
      await Promise.all([...saving])
    },
  }
}

async function redactHeaders(
  headers: readonly HeaderLine[],
  redact: (text: string) => Promise<string>,
): Promise<readonly HeaderLine[]> {
  const redacted: HeaderLine[] = []
  for (const [name, value] of headers) redacted.push([name, await redact(value)])
  return redacted
}

class LimitedBuffer implements RecordingBuffer {
  readonly id: string
  readonly #chunks: Uint8Array[] = []
  #length = 0
  #isCut = false

  constructor(id: string) {
    this.id = id
  }

  get isCut(): boolean {
    return this.#isCut
  }

  add(chunk: Uint8Array): void {
    const room = MAX_ENCODED_BYTES - this.#length
    if (chunk.byteLength > room) this.#isCut = true
    if (room === 0) return
    // Copy: the memory of the chunk is reused.
    const piece = chunk.slice(0, room)
    this.#chunks.push(piece)
    this.#length += piece.byteLength
  }

  toBytes(): Uint8Array {
    return concatBytes(this.#chunks)
  }
}

async function decodeRecordedBody(
  kept: LimitedBuffer,
  headers: Readonly<Record<string, string>>,
  decode: Decode | undefined,
): Promise<{ readonly text: string | undefined; readonly isTruncated: boolean }> {
  const encodings = parseEncodings(headers['content-encoding'])
  const bytes = kept.toBytes()
  const limits = { encodings, maxBytes: MAX_DECODED_BYTES, maxRatio: MAX_RATIO }
  const decoded = encodings.length === 0 ? bytes : await decode?.(bytes, limits)
  const text = decoded && decodeText(decoded, headers['content-type'] ?? '')
  if (text === undefined) return { text, isTruncated: kept.isCut }
  const isLong = text.length > MAX_TEXT
  return { text: isLong ? truncateText(text) : text, isTruncated: kept.isCut || isLong }
}

/** Returns undefined for binary data: secrets in it could not be redacted. */
function decodeText(bytes: Uint8Array, contentType: string): string | undefined {
  const charset = /charset *= *"?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    // Truncated bytes may end within a character: `stream` omits it.
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function truncateText(text: string): string {
  const part = text.slice(0, MAX_TEXT)
  return /[\uD800-\uDBFF]$/.test(part) ? part.slice(0, -1) : part
}

function toMediaType(contentType: string | undefined): string {
  return (contentType?.split(';')[0] ?? '').trim().toLowerCase()
}

/** Returns the values of the call's secret parameters, from the caller or a stored credential. */
function listSecrets(call: OutgoingCall, values: CallValues): readonly string[] {
  return call.secrets.flatMap(({ placement, name, range }) => {
    if (range) return [call.url.slice(...range)]
    if (placement === 'header') {
      const given = call.headers.filter(([each]) => each === name).map(([, value]) => value)
      return given.flatMap((value) => [value, value.replace(/^\w+ +/, '')])
    }
    if (placement === 'query') return new URL(call.url).searchParams.getAll(name)
    const given = values[`${placement}.${name}`] ?? values[name]
    if (given instanceof Numeral) return [given.text]
    return typeof given === 'string' || typeof given === 'number' ? [String(given)] : []
  })
}
