import { isPrivate, parseAddress, toAddressWords } from '../capture/addresses.ts'
import { normalizeHostName } from '../capture/host-names.ts'
import type { Flow, NamedVia } from '../flow.ts'
import { type OwnAddresses, readOwnAddresses } from '../own-addresses.ts'
import {
  type LogRecord,
  parseLogAddress,
  parseLogInstant,
  parseLogText,
  parseMethod,
  parsePort,
  parseTarget,
  toRecord,
} from './records.ts'

/** Reads records of one or several Zeek logs. */
export interface ZeekReader {
  /**
   * Returns the flow of a record. `waits` if other records may add to it, undefined if it has none.
   */
  read(record: LogRecord): Flow | 'waits' | undefined
  /** Returns connections that were evicted; usually empty. */
  takeEvicted(): readonly Flow[]
  /** Returns the connections without other records. */
  finish(): readonly Flow[]
}

/** Options for directions and limits. */
export interface ZeekOptions {
  readonly ownAddresses?: readonly string[] | undefined
  /** Maximum number of waiting connections, and of recorded names. */
  readonly capacity?: number
}

const CAPACITY = 1 << 18
const SERVICES: Readonly<Record<string, string>> = {
  ssl: 'tls',
  http: 'http',
  dns: 'dns',
  quic: 'quic',
}

/** Whether a record is a Zeek record of a connection. */
export function isZeekRecord(record: LogRecord): boolean {
  return parseLogText(record.uid) !== undefined && toEnds(record) !== undefined
}

/**
 * Creates a reader of `conn`, `dns`, `ssl`, `http` and `quic` records in any order. Records with
 * the same `uid` and name become one flow. A connection with only a `conn` record becomes a flow
 * without a name, or with the name that a DNS answer has for its address.
 */
export function createZeekReader({
  ownAddresses = [],
  capacity = CAPACITY,
}: ZeekOptions = {}): ZeekReader {
  const own = readOwnAddresses(ownAddresses)
  /** Last name of each connection, by `uid`. */
  const named = new Map<string, string>()
  const waiting = new Map<string, Flow>()
  const names = new Map<string, string>()
  let evicted: Flow[] = []

  /** Removes half at a time: removing single entries is slow in a large map. */
  function evictHalf<Value>(
    map: Map<string, Value>,
    onLeft?: (left: [string, Value]) => void,
  ): void {
    if (map.size < capacity) return
    let left = capacity >> 1
    for (const entry of map) {
      if (left === 0) break
      left -= 1
      map.delete(entry[0])
      onLeft?.(entry)
    }
  }

  function recordEntry(map: Map<string, string>, [key, value]: readonly [string, string]): void {
    evictHalf(map)
    map.set(key, value)
  }

  function recordAnswers(record: LogRecord, host: string): void {
    const answers = Array.isArray(record.answers) ? record.answers : []
    for (const answer of answers.slice(0, MAX_ANSWERS)) {
      const address = parseLogAddress(answer)
      if (address !== undefined) recordEntry(names, [address, host])
    }
  }

  function queueFlow(uid: string, flow: Flow): 'waits' {
    const known = waiting.get(uid)
    const isBetter = known === undefined || known.protocol === 'tcp' || known.protocol === 'udp'
    evictHalf(waiting, ([name, left]) => {
      if (!named.has(name)) evicted.push(addDnsName(left))
    })
    if (isBetter) waiting.set(uid, flow)
    return 'waits'
  }

  function addDnsName(flow: Flow): Flow {
    const host = names.get(flow.ip)
    return host === undefined || flow.direction === 'Incoming'
      ? flow
      : { ...flow, host, via: 'dns' }
  }

  return {
    read(record) {
      const uid = parseLogText(record.uid)
      const ends = toEnds(record)
      const at = parseLogInstant(record.ts)
      if (uid === undefined || ends === undefined || at === undefined) return undefined
      const sight = toObservation(record, ends)
      if (sight === undefined) return undefined
      const isIncoming = isIncomingFlow(record, { ends, own })
      const flow: Flow = {
        ip: isIncoming ? ends.client : ends.server,
        port: ends.serverPort,
        direction: isIncoming ? 'Incoming' : 'Outgoing',
        capturedAt: at,
        ...sight,
      }
      if (flow.host === undefined) return queueFlow(uid, flow)
      if (sight.protocol === 'dns') recordAnswers(record, flow.host)
      const isRepeat =
        sight.method === undefined && sight.via !== 'dns' && named.get(uid) === flow.host
      if (isRepeat) return 'waits'
      recordEntry(named, [uid, flow.host])
      return flow
    },
    takeEvicted() {
      const taken = evicted
      if (taken.length > 0) evicted = []
      return taken
    },
    finish() {
      const left = [...waiting].flatMap(([uid, flow]) => (named.has(uid) ? [] : [addDnsName(flow)]))
      waiting.clear()
      return [...evicted.splice(0), ...left]
    },
  }
}

const MAX_ANSWERS = 100

interface Ends {
  readonly client: string
  readonly server: string
  readonly serverPort: number | undefined
}

type ZeekObservation = Pick<Flow, 'host' | 'via' | 'protocol' | 'method' | 'url'>

function toEnds(record: LogRecord): Ends | undefined {
  const id = toRecord(record.id) ?? {}
  const pick = (name: string) => record[`id.${name}`] ?? id[name] ?? record[`id_${name}`]
  const [client, server] = [parseLogAddress(pick('orig_h')), parseLogAddress(pick('resp_h'))]
  if (client === undefined || server === undefined) return undefined
  return { client, server, serverPort: parsePort(pick('resp_p')) }
}

/** Detects the type of a record from its fields, because single-type files often omit it. */
function toObservation(record: LogRecord, ends: Ends): ZeekObservation | undefined {
  const see = (host: unknown, via: NamedVia, protocol: string): ZeekObservation => {
    const name = normalizeHostName(parseLogText(host) ?? '')
    return {
      host: name,
      via: name === undefined ? 'address' : via,
      protocol,
      method: undefined,
      url: undefined,
    }
  }
  if ('query' in record || 'qtype_name' in record) {
    const sight = see(record.query, 'dns', 'dns')
    return sight.host === undefined ? undefined : sight
  }
  if ('method' in record || 'uri' in record || 'status_code' in record) return seeHttp(record, ends)
  if ('client_initial_dcid' in record || record._path === 'quic') {
    return see(record.server_name, 'quic', 'quic')
  }
  if ('server_name' in record || 'cipher' in record || record._path === 'ssl') {
    return see(record.server_name, 'tls', 'tls')
  }
  const proto = parseLogText(record.proto)
  if (proto !== 'tcp' && proto !== 'udp') return undefined
  const services = (parseLogText(record.service) ?? '').split(',')
  const known = services.map((service) => SERVICES[service]).find((each) => each !== undefined)
  return see(undefined, 'address', known ?? proto)
}

function seeHttp(record: LogRecord, ends: Ends): ZeekObservation {
  const written = parseLogText(record.method)
  const method = parseMethod(written)
  const uri = parseLogText(record.uri) ?? ''
  const host = normalizeHostName(parseLogText(record.host) ?? '')
  const isTunnel = method === 'connect'
  const port = ends.serverPort === undefined || ends.serverPort === 80 ? '' : `:${ends.serverPort}`
  const name = host ?? ends.server
  const authority = name.includes(':') ? `[${name}]` : name
  const target = isTunnel
    ? { host: normalizeHostName(uri) ?? host, url: undefined }
    : parseTarget(uri.startsWith('/') ? `http://${authority}${port}${uri}` : uri)
  const found = host ?? target?.host
  return {
    host: (isTunnel ? target?.host : undefined) ?? found,
    via: found === undefined ? 'address' : 'http',
    protocol: 'http',
    method: isTunnel ? undefined : method,
    url: target?.url,
  }
}

function isIncomingFlow(
  record: LogRecord,
  { ends, own }: { readonly ends: Ends; readonly own: OwnAddresses },
): boolean {
  if (!own.isEmpty) {
    const isOurs = (text: string) => own.has(parseAddress(text) ?? UNSPECIFIED_ADDRESS)
    if (isOurs(ends.client) !== isOurs(ends.server)) return isOurs(ends.server)
  }
  const { local_orig: isOurs, local_resp: isOurServer } = record
  if (typeof isOurs === 'boolean' && typeof isOurServer === 'boolean' && isOurs !== isOurServer) {
    return isOurServer
  }
  return isPrivateAddressText(ends.server) && !isPrivateAddressText(ends.client)
}

const UNSPECIFIED_ADDRESS = toAddressWords(new Uint8Array())

function isPrivateAddressText(address: string): boolean {
  return isPrivate(parseAddress(address) ?? UNSPECIFIED_ADDRESS)
}
