import { isPcap } from '../capture/pcap.ts'
import { isPcapng } from '../capture/pcapng.ts'
import { readAccessLine } from './access-logs.ts'
import { type LogRecord, parseRecord } from './records.ts'
import { isZeekRecord } from './zeek.ts'
import { isZeekHeader } from './zeek-table.ts'

/** Format of a traffic file. `zeek` is Zeek as JSON, `zeek-table` is Zeek with tabs. */
export type TrafficFormat =
  | 'pcap'
  | 'pcapng'
  | 'har'
  | 'zeek'
  | 'zeek-table'
  | 'json-lines'
  | 'access-log'

/** Number of bytes at the start of a file that determine its format. */
export const HEAD_BYTES = 64 * 1024

const MAGIC_BYTES = 4
/** Number of checked log lines: the first ones may be truncated or of another program. */
const MAX_LINES = 20

/** Detects the format of traffic from its first `HEAD_BYTES` bytes; undefined if unknown. */
export function detectFormat(head: Uint8Array): TrafficFormat | undefined {
  const capture = findCapture(head)
  if (capture) return capture
  const text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES)).trimStart()
  if (isHar(text)) return 'har'
  if (isZeekHeader(text)) return 'zeek-table'
  const lines = text.split('\n', MAX_LINES).map((line) => line.trim())
  const records = lines.flatMap((line): readonly LogRecord[] => {
    const record = parseRecord(line)
    return record ? [record] : []
  })
  if (records.some(isZeekRecord)) return 'zeek'
  if (records.some(hasMembers)) return 'json-lines'
  // A record may exceed the head.
  if (lines.length === 1 && text.startsWith('{"')) return 'json-lines'
  return lines.some((line) => readAccessLine(line) !== undefined) ? 'access-log' : undefined
}

/** Whether bytes start a pcap or pcapng capture. */
export function isCapture(head: Uint8Array): boolean {
  return findCapture(head) !== undefined
}

function findCapture(head: Uint8Array): 'pcap' | 'pcapng' | undefined {
  if (head.length < MAGIC_BYTES) return undefined
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  if (isPcapng(view, 0)) return 'pcapng'
  return isPcap(view, 0) ? 'pcap' : undefined
}

/** Another member may come first, and lines may break anywhere. */
function isHar(text: string): boolean {
  return /^\{\s*"log"\s*:\s*\{/.test(text) || (/^\{\s*\n/.test(text) && /"log"\s*:\s*\{/.test(text))
}

function hasMembers(record: LogRecord): boolean {
  return Object.keys(record).length > 0
}
