import type { Flow } from '../flow.ts'
import { findQuoteEnd } from './quotes.ts'
import {
  type LogRecord,
  parseAddressPort,
  parseAuthority,
  parseLogAddress,
  parseLogInstant,
  parseLogText,
  parseMethod,
  parseTarget,
  type RequestTarget,
  toRecord,
} from './records.ts'

/** A request in the log of a server or proxy. */
interface LoggedRequest {
  readonly at: number
  readonly method: string | undefined
  /** As sent by the client: a path, an absolute URL, or `host:port` for CONNECT. */
  readonly target: string | undefined
  /** Address or name of the client. */
  readonly client: string | undefined
  /** Requested host, with or without port. */
  readonly host?: string | undefined
  readonly scheme?: string | undefined
  /** Address of the server that the request was forwarded to. */
  readonly upstream?: string | undefined
  /** Whether the log marks the request as sent to another host. */
  readonly isOutbound?: boolean
}

const MAX_LINE = 64 * 1024
const MAX_URL = 4000

/**
 * Reads a line of an access log: common, combined (optionally with a virtual host), Squid or Envoy.
 * Undefined if it has another format.
 */
export function readAccessLine(line: string): Flow | undefined {
  if (line.length > MAX_LINE) return undefined
  const request = readSquid(line) ?? readEnvoy(line) ?? readCommon(line)
  return request && toLoggedFlow(request)
}

/**
 * Converts a logged request to a flow. Requests with an absolute target or CONNECT passed a forward
 * proxy to another host: `Outgoing`. All others reached the logging server from the client:
 * `Incoming`.
 */
function toLoggedFlow(request: LoggedRequest): Flow {
  const { target = '', host = '' } = request
  const isConnect = request.method === 'connect'
  const absolute = isConnect ? parseAuthority(target) : parseTarget(target)
  const isOutgoing = absolute?.host !== undefined || request.isOutbound === true
  const upstreamPort = isOutgoing ? parseAddressPort(request.upstream) : undefined
  const scheme = request.scheme ?? (upstreamPort === 443 ? 'https' : 'http')
  const authority = parseAuthority(host)
  const named = absolute ?? buildTarget({ scheme, host, target, authority })
  const shared = {
    via: 'log',
    capturedAt: request.at,
    protocol: 'http',
    // The content of a tunnel is not visible.
    method: isConnect ? undefined : request.method,
    url: named.url,
  } as const
  if (isOutgoing) {
    const ip = parseLogAddress(request.upstream) ?? parseLogAddress(named.host) ?? ''
    const port = (absolute && named.port) ?? upstreamPort ?? named.port
    return { ip, port, host: named.host, direction: 'Outgoing', ...shared }
  }
  const ip = parseLogAddress(request.client)
  const client = ip === undefined ? parseAuthority(request.client ?? '').host : undefined
  return {
    ip: ip ?? '',
    // Without a logged scheme, the default port is unknown.
    port: request.scheme === undefined ? authority.port : named.port,
    host: named.host ?? client,
    direction: 'Incoming',
    ...shared,
  }
}

function buildTarget(options: {
  readonly scheme: string
  readonly host: string
  readonly target: string
  readonly authority: RequestTarget
}): RequestTarget {
  const { scheme, host, target, authority } = options
  if (authority.host === undefined || !target.startsWith('/')) return authority
  const isPlain = /^(?:https?|wss?)$/i.test(scheme)
  const url = parseTarget(`${isPlain ? scheme : 'http'}://${host}${target.slice(0, MAX_URL)}`)
  return url ?? authority
}

const COMMON_TIME = /\[(\d{1,2}\/[A-Za-z]{3}\/\d{4}:\d{2}:\d{2}:\d{2}(?:\.\d{1,9})? [+-]\d{4})\]/

/** `[host[:port]] client identity user [time] "request" …` */
function readCommon(line: string): LoggedRequest | undefined {
  const time = COMMON_TIME.exec(line)
  const at = time ? parseLogInstant(time[1]) : undefined
  const [first = '', second = ''] = time ? line.slice(0, time.index).trim().split(' ') : []
  const [quoted] = time ? findQuotedStrings(line.slice(time.index + time[0].length), 1) : []
  if (at === undefined || first === '' || quoted === undefined) return undefined
  const hasHost = parseLogAddress(first) === undefined && parseLogAddress(second) !== undefined
  return {
    at,
    ...parseRequest(quoted),
    client: hasHost ? second : first,
    host: hasHost ? first : undefined,
    scheme: hasHost && first.endsWith(':443') ? 'https' : undefined,
  }
}

const SQUID =
  /^(\d{9,11}\.\d{3}) +-?\d+ (\S+) [A-Z_]+\/\d{3} \d+ ([A-Za-z_-]+) (\S+) \S+ [A-Z_]+\/(\S+)/

/** `time elapsed client action/status bytes method URL user hierarchy/peer type` */
function readSquid(line: string): LoggedRequest | undefined {
  const [, time, client, method, target, upstream] = SQUID.exec(line) ?? []
  const at = parseLogInstant(time)
  if (at === undefined) return undefined
  return { at, method: parseMethod(method), target, client, upstream }
}

const ENVOY_TIME = /^\[(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z)\] "/

/** `[time] "request" … "forwarded for" "agent" "id" "authority" "upstream"`, then Istio cluster. */
function readEnvoy(line: string): LoggedRequest | undefined {
  const time = ENVOY_TIME.exec(line)
  const at = parseLogInstant(time?.[1])
  if (time === null || at === undefined) return undefined
  const quotes = findQuotedStrings(line, 12)
  const [upstream = '', host = '', , , forwarded = ''] = quotes.toReversed()
  const [cluster = '', , , client = ''] = line
    .slice(line.lastIndexOf('"') + 1)
    .trim()
    .split(' ')
  return {
    at,
    ...parseRequest(quotes[0] ?? ''),
    client: parseLogText(forwarded.split(',')[0]) ?? client,
    host: parseLogText(host),
    upstream: upstream.replace(/^tcp:\/\//, ''),
    isOutbound: isOutboundCluster(cluster),
  }
}

/** Whether the name of an Istio cluster marks an outgoing request. */
function isOutboundCluster(cluster: string): boolean {
  return /^(?:outbound\||PassthroughCluster)/.test(cluster)
}

/** Parses `GET /path HTTP/1.1`. Method and target are undefined for other text. */
function parseRequest(text: string): Pick<LoggedRequest, 'method' | 'target'> {
  const [method = '', target] = text.split(' ')
  const known = /^[A-Z-]+$/.test(method) ? parseMethod(method) : undefined
  return { method: known, target: known === undefined ? undefined : target }
}

/** Finds the first quoted strings, with backslash escapes. */
function findQuotedStrings(text: string, limit: number): readonly string[] {
  const found: string[] = []
  for (let at = text.indexOf('"'); at !== -1 && found.length < limit; ) {
    const end = findQuoteEnd(text, at + 1)
    if (end === undefined) break
    found.push(text.slice(at + 1, end - 1))
    at = text.indexOf('"', end)
  }
  return found
}

/** Field names of various servers, most reliable first. */
const NAMES = {
  at: [
    'ts',
    'timestamp',
    '@timestamp',
    'time',
    'time_iso8601',
    'time_local',
    'start_time',
    'startutc',
    'msec',
    'datetime',
    'date',
  ],
  request: ['request', 'request_line', 'requestline'],
  method: ['request_method', 'requestmethod', 'method', 'http_method', 'verb'],
  target: [
    'request_uri',
    'uri',
    'requestpath',
    'url',
    'path',
    'request_path',
    'uri_path',
    'target',
  ],
  client: [
    'client_ip',
    'remote_ip',
    'remote_addr',
    'clienthost',
    'client_addr',
    'client',
    'clientip',
    'remote_host',
    'remoteip',
    'ip',
    'downstream_remote_address',
    'src_ip',
  ],
  host: [
    'http_host',
    'host',
    'authority',
    'requesthost',
    ':authority',
    'server_name',
    'vhost',
    'virtual_host',
    'domain',
  ],
  scheme: ['scheme', 'requestscheme', 'protocol_scheme', 'x_forwarded_proto'],
  upstream: [
    'upstream_host',
    'upstream_addr',
    'upstream_ip',
    'peer',
    'hierarchy_peer',
    'serverurl',
    'server_ip',
  ],
} as const

const MAX_MEMBERS = 500

/**
 * Reads a line of a JSON access log of nginx, Caddy, Envoy, Traefik, Squid and others, by field
 * names. Undefined if the record is not a request.
 */
export function readAccessRecord(record: LogRecord): Flow | undefined {
  // Container runtimes wrap the log lines of programs.
  const wrapped = parseLogText(record.log) ?? parseLogText(record.message)
  const inner = wrapped === undefined ? undefined : readAccessLine(wrapped)
  if (inner) return inner
  const fields = indexFields(record)
  const find = (names: readonly string[]): unknown => {
    for (const name of names) if (fields.has(name)) return fields.get(name)
    return undefined
  }
  const findText = (names: readonly string[]) => parseLogText(find(names))
  const at = NAMES.at.flatMap((name) => parseLogInstant(fields.get(name)) ?? []).at(0)
  const line = parseRequest(findText(NAMES.request) ?? '')
  const method = parseMethod(find(NAMES.method)) ?? line.method
  const target = line.target ?? findText(NAMES.target)
  if (at === undefined || method === undefined || target === undefined) return undefined
  const upstream = findText(NAMES.upstream)?.replace(/^[a-z]+:\/\//, '')
  return toLoggedFlow({
    at,
    method,
    target,
    client: findText(NAMES.client),
    host: findText(NAMES.host),
    scheme: findText(NAMES.scheme) ?? (fields.has('tls') ? 'https' : undefined),
    upstream,
    isOutbound: isOutboundCluster(parseLogText(fields.get('upstream_cluster')) ?? ''),
  })
}

/** Returns the members by lower-case name, including those of `request` (Caddy) and `http`. */
function indexFields(record: LogRecord): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>()
  const add = (members: LogRecord) => {
    for (const [name, value] of Object.entries(members).slice(0, MAX_MEMBERS)) {
      const key = name.toLowerCase()
      if (!fields.has(key)) fields.set(key, value)
    }
  }
  for (const name of ['request', 'http', 'httpRequest']) add(toRecord(record[name]) ?? {})
  add(record)
  return fields
}
