import { type AddressWords, toAddressWords } from './addresses.ts'
import type { Budget } from './byte-buffer.ts'
import { normalizeDnsLabel } from './host-names.ts'

/** Content of a DNS message. */
export interface DnsMessage {
  readonly isResponse: boolean
  /** Whether it is a response with records of any kind. */
  readonly isAnswer: boolean
  /** First name in the questions, lower case; without questions, the name of the first record. */
  readonly name: string | undefined
  /** Addresses of the name in the answers, including those of aliases. */
  readonly addresses: readonly AddressWords[]
}

interface DnsCursor {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** Start of the next field. */
  at: number
}

/** A requested name. */
export interface DnsName {
  readonly host: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Properties of a DNS message about a name. */
interface DnsMessageSummary {
  /** Whether it is a response with records of any kind. */
  readonly isAnswer: boolean
  /** Whether its answers contain addresses. */
  readonly hasAddresses: boolean
}

/** Names seen in the DNS messages of one conversation. */
export interface DnsNames {
  /** Returns a name to report, if it is confirmed and was not reported before. */
  add(sight: DnsName, told: DnsMessageSummary): DnsName | undefined
  /** Returns the name of a conversation that ends without an answer, and releases memory. */
  close(): DnsName | undefined
}

const HEADER = 12
const A = 1
const AAAA = 28
const INTERNET = 1
const MAX_QUESTIONS = 16
const MAX_RECORDS = 256
const MAX_JUMPS = 16
const MAX_NAME = 253
const INVERSE_QUERY = 1

/** Reads a DNS message (RFC 1035 4.1); undefined if invalid. Truncated parts are omitted. */
export function readDns(
  bytes: Uint8Array,
  { at, end }: { readonly at: number; readonly end: number },
): DnsMessage | undefined {
  if (end - at < HEADER) return undefined
  const reading: DnsCursor = { bytes, start: at, end, at: at + 2 }
  const flags = readUint16(reading)
  const questions = readUint16(reading)
  const answers = readUint16(reading)
  const opcode = (flags >> 11) & 15
  const isRead = opcode === 0 || opcode === INVERSE_QUERY
  if (!isRead || questions > MAX_QUESTIONS || questions + answers === 0) return undefined
  const others = readUint16(reading) + readUint16(reading)
  let name: string | undefined
  for (let count = 0; count < questions; count += 1) {
    const asked = readName(reading)
    reading.at += 4
    if (asked === undefined || reading.at > end) break
    name ??= asked || undefined
  }
  if (answers > 0) name ??= readName({ ...reading }) || undefined
  const isResponse = (flags & 0x8000) !== 0
  return {
    isResponse,
    isAnswer: isResponse && answers + others > 0,
    name,
    addresses: isResponse ? readAnswers(reading, answers) : [],
  }
}

function readAnswers(reading: DnsCursor, count: number): readonly AddressWords[] {
  const addresses: AddressWords[] = []
  for (let index = 0; index < Math.min(count, MAX_RECORDS); index += 1) {
    if (readName(reading) === undefined || reading.at + 10 > reading.end) break
    const type = readUint16(reading)
    const family = readUint16(reading) & 0x7fff
    reading.at += 4
    const length = readUint16(reading)
    const dataEnd = reading.at + length
    if (dataEnd > reading.end) break
    const isAddress = (type === A && length === 4) || (type === AAAA && length === 16)
    if (isAddress && family === INTERNET) {
      addresses.push(toAddressWords(reading.bytes.subarray(reading.at, dataEnd)))
    }
    reading.at = dataEnd
  }
  return addresses
}

/** Reads a name, following compression pointers, and moves `at` past it. Undefined if invalid. */
function readName(reading: DnsCursor): string | undefined {
  const { bytes, start, end } = reading
  const labels: string[] = []
  let at = reading.at
  let isJumped = false
  let length = 0
  for (let jumps = 0; at < end; ) {
    const size = bytes[at] ?? 0
    if (size === 0) {
      if (!isJumped) reading.at = at + 1
      return labels.join('.')
    }
    if (size >= 0xc0) {
      const target = start + (((size & 0x3f) << 8) | (bytes[at + 1] ?? 0))
      if (!isJumped) reading.at = at + 2
      jumps += 1
      if (jumps > MAX_JUMPS || target >= at) return undefined
      isJumped = true
      at = target
      continue
    }
    length += size + 1
    if (size > 63 || at + 1 + size > end || length > MAX_NAME + 2) return undefined
    labels.push(normalizeDnsLabel(bytes, { at: at + 1, end: at + 1 + size }))
    at += 1 + size
  }
  return undefined
}

function readUint16(reading: DnsCursor): number {
  const { bytes, at } = reading
  reading.at += 2
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

const MAX_OPEN = 6

/**
 * Reports the name of the first answered message. Without an answer, reports that of the sixth
 * message, or of the last one at the end. Most conversations have a single name: resolvers use a
 * new port for each lookup. Later names are reported only if an answer has addresses. This excludes
 * DNS tunnels and names that do not exist.
 */
export function createDnsNames(budget: Budget): DnsNames {
  const reported = new Set<string>()
  let open: DnsName | undefined
  let messages = 0

  const release = () => {
    budget.used -= reported.size
    reported.clear()
  }
  const report = (sight: DnsName): DnsName | undefined => {
    open = undefined
    if (reported.has(sight.host)) return undefined
    if (budget.used >= budget.limit) release()
    reported.add(sight.host)
    budget.used += 1
    return sight
  }
  return {
    add(sight, { isAnswer, hasAddresses }) {
      messages += 1
      if (reported.size > 0) return hasAddresses ? report(sight) : undefined
      open = sight
      return isAnswer || messages === MAX_OPEN ? report(sight) : undefined
    },
    close() {
      release()
      return open
    },
  }
}
