import { END_OF_INSTANTS, parseInstant } from '../../shared/dates.ts'
import { formatAddress, normalizeAddress, toAddressWords } from '../capture/addresses.ts'
import { normalizeHostName } from '../capture/host-names.ts'

/** A record of a JSON log. */
export type LogRecord = Readonly<Record<string, unknown>>

/** Host of a request, with the known parts of its URL. */
export interface RequestTarget {
  /** Lower case, without brackets and trailing dot; undefined if absent. */
  readonly host: string | undefined
  readonly port: number | undefined
  /** Absolute, without query; undefined if the path is unknown. */
  readonly url: string | undefined
}

const MAX_URL = 4000
const MS_FROM = 1e11
const PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'ws:': 80,
  'https:': 443,
  'wss:': 443,
}

/** Parses a line as a JSON object; undefined for anything else. */
export function parseRecord(line: string): LogRecord | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return toRecord(value)
  } catch {
    return undefined
  }
}

/** Narrows a value to an object; undefined for anything else. */
export function toRecord(value: unknown): LogRecord | undefined {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as LogRecord) : undefined
}

/** Trims a string; undefined if it is empty or `-`, the empty value in logs. */
export function parseLogText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' || text === '-' ? undefined : text
}

/** Reads a port from 1 to 65,535, as a number or string. */
export function parsePort(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  const port = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : text
  if (typeof port !== 'number' || !Number.isInteger(port)) return undefined
  return port > 0 && port <= 65_535 ? port : undefined
}

/**
 * Reads an IP address, optionally with brackets and port, and formats it as in RFC 5952. Undefined
 * if invalid.
 */
export function parseLogAddress(value: unknown): string | undefined {
  const text = parseLogText(value)
  if (text === undefined || text.length > 60) return undefined
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  const [, four] = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/.exec(bare) ?? []
  if (four !== undefined)
    return four.split('.').every((part) => Number(part) < 256) ? four : undefined
  if (!/^[0-9a-f:.]*:[0-9a-f:.]*(?:%.*)?$/i.test(bare)) return undefined
  const plain = bare.replace(/%.*$/, '')
  if (URL.parse(`http://[${plain}]/`) === null) return undefined
  const six = normalizeAddress(plain)
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(six) ?? []
  if (high === '') return six
  const word = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return formatAddress(toAddressWords(Uint8Array.from([24, 16, 8, 0], (shift) => word >>> shift)))
}

/** Reads the port after an address, as in `10.0.0.1:443` and `[::1]:443`. */
export function parseAddressPort(value: unknown): number | undefined {
  return parsePort(/^(?:[^:]*|\[[^\]]*\]):(\d{1,5})$/.exec(parseLogText(value) ?? '')?.[1])
}

/**
 * Parses a time to milliseconds since the epoch: seconds, milliseconds, ISO 8601 or
 * `10/Oct/2000:13:55:36 -0700`.
 */
export function parseLogInstant(value: unknown): number | undefined {
  if (typeof value === 'number') return toEpochMs(value)
  const text = parseLogText(value)
  if (text === undefined) return undefined
  if (/^\d{1,16}(?:\.\d{1,9})?$/.test(text)) return toEpochMs(Number(text))
  return parseInstant(text) ?? parseLogTime(text)
}

/** Parses an absolute http, https, ws or wss URL; undefined for others. */
export function parseTarget(text: string): RequestTarget | undefined {
  if (!/^(?:https?|wss?):\/\//i.test(text)) return undefined
  const url = URL.parse(text)
  const host = url ? normalizeHostName(url.hostname) : undefined
  if (!url || host === undefined) return undefined
  const address = `${url.protocol}//${url.host}${url.pathname}`
  return {
    host,
    port: url.port === '' ? PORTS[url.protocol] : Number(url.port),
    url: address.length <= MAX_URL ? address : undefined,
  }
}

/** Parses `host:port`, as in CONNECT and `Host`. */
export function parseAuthority(text: string): RequestTarget {
  const host = text.length > 300 ? undefined : normalizeHostName(text)
  return { host, port: parsePort(/:(\d{1,5})$/.exec(text)?.[1]), url: undefined }
}

/** Reads a method, in lower case; undefined if invalid. */
export function parseMethod(value: unknown): string | undefined {
  const text = parseLogText(value)
  return text !== undefined && /^[A-Za-z][A-Za-z-]{1,19}$/.test(text)
    ? text.toLowerCase()
    : undefined
}

function toEpochMs(value: number): number | undefined {
  const ms = value >= MS_FROM ? value : value * 1000
  // Some logs use microseconds or nanoseconds.
  const scaled = ms >= MS_FROM * 1e6 ? ms / 1e6 : ms >= MS_FROM * 1e3 ? ms / 1e3 : ms
  return scaled > 0 && scaled < END_OF_INSTANTS ? Math.round(scaled) : undefined
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function parseLogTime(text: string): number | undefined {
  const match =
    /^(\d{1,2})\/([A-Za-z]{3})\/(\d{4}):(\d{2}:\d{2}:\d{2}(?:\.\d+)?) ?([+-]\d{4})?$/.exec(text)
  if (!match) return undefined
  const [, day = '', name = '', year = '', time = '', offset = 'Z'] = match
  const month = MONTHS.indexOf(name.toLowerCase()) + 1
  const date = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
  return parseInstant(`${date}T${time}${offset}`)
}
