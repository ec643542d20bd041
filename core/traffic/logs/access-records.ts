import type { Flow } from '../flow.ts'
import { isOutboundCluster, parseRequest, readAccessLine, toLoggedFlow } from './access-lines.ts'
import { type LogRecord, parseLogInstant, parseLogText, parseMethod, toRecord } from './records.ts'

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
