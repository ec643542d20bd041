import type { Damage, Flow } from '../flow.ts'
import { findQuoteEnd } from './quotes.ts'
import {
  type LogRecord,
  parseAuthority,
  parseLogAddress,
  parseLogInstant,
  parseLogText,
  parseMethod,
  parseTarget,
  type RequestTarget,
  toRecord,
} from './records.ts'

/** Content of a HAR file. */
export interface HarFlows {
  /** Whether it contains a list of entries. */
  readonly isHar: boolean
  readonly entries: number
  readonly flows: readonly Flow[]
  /** Positions are entry numbers from 1; 0 is the document. */
  readonly damaged: readonly Damage[]
}

/** Browser URLs without a remote host. */
const INNER =
  /^(?:data|blob|about|javascript|file|chrome|edge|moz|(?:[a-z-]+-)?extension)\b[\w-]*:/i

/**
 * Reads the requests of a HAR file (1.1, 1.2), each as a flow. Reports and skips invalid entries.
 * Never throws. Reads the complete entries of a truncated or invalid document. Reports this as
 * damage, unless `isCut` marks it as known. An entry without a time gets that of its page, of the
 * previous entry or of the first entry with a time. Without any time, there are no flows.
 */
export function readHar(text: string, { isCut = false } = {}): HarFlows {
  const document = parseDocument(text.replace(/^\ufeff/, ''), isCut)
  const pages = toPageTimes(document.pages)
  const flows: Flow[] = []
  const damaged: Damage[] = document.reason ? [{ at: 0, reason: document.reason }] : []
  let latest = toFirstTime(document.entries) ?? pages.values().next().value
  for (const [index, value] of document.entries.entries()) {
    const entry = toRecord(value)
    const request = toRecord(entry?.request)
    const url = parseLogText(request?.url)
    if (url !== undefined && INNER.test(url)) continue
    const target = (url === undefined ? undefined : parseTarget(url)) ?? findHostTarget(request)
    if (!entry || !target) {
      const what = url === undefined ? 'it has no URL' : 'its URL has no host'
      damaged.push({ at: index + 1, reason: `Cannot read entry ${index + 1}: ${what}` })
      continue
    }
    const capturedAt =
      parseLogInstant(entry.startedDateTime) ??
      pages.get(parseLogText(entry.pageref) ?? '') ??
      latest
    latest = capturedAt
    if (capturedAt === undefined) {
      const reason = `Cannot read entry ${index + 1}: no entry has a valid time`
      damaged.push({ at: index + 1, reason })
      continue
    }
    flows.push({
      ip: parseLogAddress(entry.serverIPAddress) ?? parseLogAddress(target.host) ?? '',
      ...target,
      via: 'har',
      direction: 'Outgoing',
      capturedAt,
      protocol: 'http',
      method: parseMethod(request?.method),
    })
  }
  return { isHar: document.isHar, entries: document.entries.length, flows, damaged }
}

/** Some tools change URLs but not the Host header. */
function findHostTarget(request: LogRecord | undefined): RequestTarget | undefined {
  const headers = Array.isArray(request?.headers) ? request.headers.slice(0, MAX_HEADERS) : []
  for (const value of headers) {
    const header = toRecord(value)
    const name = parseLogText(header?.name)?.toLowerCase()
    if (name !== 'host' && name !== ':authority') continue
    const target = parseAuthority(parseLogText(header?.value) ?? '')
    if (target.host !== undefined) return target
  }
  return undefined
}

const MAX_HEADERS = 1000

interface HarDocument {
  readonly isHar: boolean
  readonly entries: readonly unknown[]
  readonly pages: unknown
  /** Error in the document, if any. */
  readonly reason?: string
}

function parseDocument(text: string, isCut: boolean): HarDocument {
  try {
    const log = toRecord(toRecord(JSON.parse(text) as unknown)?.log)
    if (log && Array.isArray(log.entries)) {
      return { isHar: true, entries: log.entries, pages: log.pages }
    }
    const reason = 'Cannot read the HAR file: it has no log.entries'
    return { isHar: false, entries: [], pages: [], reason }
  } catch {
    const entries = salvageEntries(text)
    const reason = 'Cannot read the whole HAR file: it is truncated or invalid JSON'
    return { isHar: entries.length > 0, entries, pages: [], ...(isCut ? {} : { reason }) }
  }
}

function toFirstTime(entries: readonly unknown[]): number | undefined {
  for (const entry of entries) {
    const at = parseLogInstant(toRecord(entry)?.startedDateTime)
    if (at !== undefined) return at
  }
  return undefined
}

function toPageTimes(pages: unknown): ReadonlyMap<string, number> {
  if (!Array.isArray(pages)) return new Map()
  return new Map(
    pages.flatMap((value) => {
      const page: LogRecord = toRecord(value) ?? {}
      const [id, at] = [parseLogText(page.id), parseLogInstant(page.startedDateTime)]
      return id === undefined || at === undefined ? [] : [[id, at] as const]
    }),
  )
}

/** Finds the complete objects in the array of entries. */
function salvageEntries(text: string): readonly unknown[] {
  const entries: unknown[] = []
  const start = /"entries"\s*:\s*\[/.exec(text)
  if (!start) return entries
  const mark = /["{}[\]]/g
  mark.lastIndex = start.index + start[0].length
  let [depth, from] = [0, -1]
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === '"') {
      const end = findQuoteEnd(text, found.index + 1)
      if (end === undefined) break
      mark.lastIndex = end
    } else if (found[0] === '{' || found[0] === '[') {
      if (depth === 0) from = found.index
      depth += 1
    } else {
      depth -= 1
      if (depth < 0) break
      if (depth === 0) entries.push(parseEntry(text.slice(from, mark.lastIndex)))
    }
  }
  return entries
}

function parseEntry(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
