import type { Flow } from '../flow.ts'
import { findQuoteEnd } from './quotes.ts'
import {
  parseAuthority,
  parseTarget,
  type Target,
  toAddress,
  toInstant,
  toMethod,
  toPortOfAddress,
  toText,
} from './records.ts'

/** A request as a log of a server or proxy has it. */
export interface LoggedRequest {
  readonly at: number
  readonly method: string | undefined
  /** As the client wrote it: a path, an absolute URL, or `host:port` of CONNECT. */
  readonly target: string | undefined
  /** Address of the client, or its name, as text. */
  readonly client: string | undefined
  /** Host that was asked, with or without port. */
  readonly host?: string | undefined
  readonly scheme?: string | undefined
  /** Address of the server that the request went on to. */
  readonly upstream?: string | undefined
  /** The log says that the request left for another host. */
  readonly isOutbound?: boolean
}

const MAX_LINE = 64 * 1024
const MAX_URL = 4000

/**
 * Reads a line of an access log: common, combined (with a virtual host before it), Squid's own or
 * Envoy's. Undefined for what is none.
 */
export function readAccessLine(line: string): Flow | undefined {
  if (line.length > MAX_LINE) return undefined
  const request = readSquid(line) ?? readEnvoy(line) ?? readCommon(line)
  return request && toLoggedFlow(request)
}

/**
 * A request whose target is absolute or CONNECT went through a forward proxy to another host:
 * `Outgoing`. Others were sent to the server that wrote the log: `Incoming`, from the client.
 */
export function toLoggedFlow(request: LoggedRequest): Flow {
  const { target = '', host = '' } = request
  const isConnect = request.method === 'connect'
  const absolute = isConnect ? parseAuthority(target) : parseTarget(target)
  const isOutgoing = absolute?.host !== undefined || request.isOutbound === true
  const upstreamPort = isOutgoing ? toPortOfAddress(request.upstream) : undefined
  const scheme = request.scheme ?? (upstreamPort === 443 ? 'https' : 'http')
  const authority = parseAuthority(host)
  const named = absolute ?? joinTarget({ scheme, host, target, authority })
  const shared = {
    via: 'log',
    capturedAt: request.at,
    protocol: 'http',
    // What goes through a tunnel is not visible.
    method: isConnect ? undefined : request.method,
    url: named.url,
  } as const
  if (isOutgoing) {
    const ip = toAddress(request.upstream) ?? toAddress(named.host) ?? ''
    const port = (absolute && named.port) ?? upstreamPort ?? named.port
    return { ip, port, host: named.host, direction: 'Outgoing', ...shared }
  }
  const ip = toAddress(request.client)
  const client = ip === undefined ? parseAuthority(request.client ?? '').host : undefined
  return {
    ip: ip ?? '',
    // That of a scheme which the log does not tell is not known.
    port: request.scheme === undefined ? authority.port : named.port,
    host: named.host ?? client,
    direction: 'Incoming',
    ...shared,
  }
}

function joinTarget(given: {
  readonly scheme: string
  readonly host: string
  readonly target: string
  readonly authority: Target
}): Target {
  const { scheme, host, target, authority } = given
  if (authority.host === undefined || !target.startsWith('/')) return authority
  const isPlain = /^(?:https?|wss?)$/i.test(scheme)
  const url = parseTarget(`${isPlain ? scheme : 'http'}://${host}${target.slice(0, MAX_URL)}`)
  return url ?? authority
}

const COMMON_TIME = /\[(\d{1,2}\/[A-Za-z]{3}\/\d{4}:\d{2}:\d{2}:\d{2}(?:\.\d{1,9})? [+-]\d{4})\]/

/** `[host[:port]] client identity user [time] "request" …` */
function readCommon(line: string): LoggedRequest | undefined {
  const time = COMMON_TIME.exec(line)
  const at = time ? toInstant(time[1]) : undefined
  const [first = '', second = ''] = time ? line.slice(0, time.index).trim().split(' ') : []
  const [quoted] = time ? quotesOf(line.slice(time.index + time[0].length), 1) : []
  if (at === undefined || first === '' || quoted === undefined) return undefined
  const hasHost = toAddress(first) === undefined && toAddress(second) !== undefined
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
  const at = toInstant(time)
  if (at === undefined) return undefined
  return { at, method: toMethod(method), target, client, upstream }
}

const ENVOY_TIME = /^\[(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z)\] "/

/** `[time] "request" … "forwarded for" "agent" "id" "authority" "upstream"`, then Istio's cluster. */
function readEnvoy(line: string): LoggedRequest | undefined {
  const time = ENVOY_TIME.exec(line)
  const at = toInstant(time?.[1])
  if (time === null || at === undefined) return undefined
  const quotes = quotesOf(line, 12)
  const [upstream = '', host = '', , , forwarded = ''] = quotes.toReversed()
  const [cluster = '', , , client = ''] = line
    .slice(line.lastIndexOf('"') + 1)
    .trim()
    .split(' ')
  return {
    at,
    ...parseRequest(quotes[0] ?? ''),
    client: toText(forwarded.split(',')[0]) ?? client,
    host: toText(host),
    upstream: upstream.replace(/^tcp:\/\//, ''),
    isOutbound: isOutboundCluster(cluster),
  }
}

/** Names of Istio's clusters tell whether a request leaves. */
export function isOutboundCluster(cluster: string): boolean {
  return /^(?:outbound\||PassthroughCluster)/.test(cluster)
}

/** `GET /path HTTP/1.1`; what a client that speaks no HTTP sent has neither method nor target. */
export function parseRequest(text: string): Pick<LoggedRequest, 'method' | 'target'> {
  const [method = '', target] = text.split(' ')
  const known = /^[A-Z-]+$/.test(method) ? toMethod(method) : undefined
  return { method: known, target: known === undefined ? undefined : target }
}

/** The first texts between quotes, in which a backslash escapes. */
function quotesOf(text: string, most: number): readonly string[] {
  const found: string[] = []
  for (let at = text.indexOf('"'); at !== -1 && found.length < most; ) {
    const end = findQuoteEnd(text, at + 1)
    if (end === undefined) break
    found.push(text.slice(at + 1, end - 1))
    at = text.indexOf('"', end)
  }
  return found
}
