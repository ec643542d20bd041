import {
  type Address,
  type AddressRange,
  isHostAddress,
  isWithin,
  parseRange,
} from './addresses.ts'

/** A name or literal and a port that somebody wants to connect to. */
export interface Place {
  /** Lower case, without brackets and final dot. */
  readonly host: string
  readonly port: number
}

/** What a host of this service allows beyond the public internet. */
export interface AllowList {
  /** Whether the name itself is allowed on this port. */
  hasName(place: Place): boolean
  /** Whether this address may be connected to for this place. */
  hasAddress(address: Address, place: Place): boolean
}

/**
 * Reads entries such as `127.0.0.1:9001`, `10.1.0.0/16`, `[fd00::1]:8080` and `api.internal:8443`;
 * one without a port is for all ports. An allowed name may stand for private and loopback
 * addresses, never for link-local ones. Throws a `RangeError` that names an entry it cannot read.
 */
export function createAllowList(entries: readonly string[] = []): AllowList {
  const all = entries.map(readEntry)
  const isFor = (entry: Entry, port: number) => entry.port === undefined || entry.port === port
  const hasName = ({ host, port }: Place) =>
    all.some((entry) => entry.name === host && isFor(entry, port))
  return {
    hasName,
    hasAddress: (address, place) =>
      all.some(
        ({ range, ...entry }) => range && isFor(entry, place.port) && isWithin(address, range),
      ) ||
      (hasName(place) && isHostAddress(address)),
  }
}

/** Whether `createAllowList` can read an entry. */
export function isAllowEntry(text: string): boolean {
  return parseEntry(text) !== undefined
}

interface Entry {
  readonly range?: AddressRange
  readonly name?: string
  readonly port: number | undefined
}

const WITH_PORT = /^(.*):(\d{1,5})$/
const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/

function readEntry(text: string): Entry {
  const entry = parseEntry(text)
  if (entry) return entry
  throw new RangeError(
    `Cannot read "${text}": must be an address, a CIDR range or a name, with or without a port`,
  )
}

function parseEntry(text: string): Entry | undefined {
  const whole = text.trim().toLowerCase()
  const isPlainIpv6 = !whole.startsWith('[') && whole.split(':').length > 2
  const [, before, digits] = (isPlainIpv6 ? null : WITH_PORT.exec(whole)) ?? []
  const host = (before ?? whole).replace(/^\[(.*)\]/, '$1').replace(/\.$/, '')
  const port = digits === undefined ? undefined : Number(digits)
  const range = parseRange(host)
  const isPort = port === undefined || (port > 0 && port < 65_536)
  if (isPort && range) return { range, port }
  // What ends in a number is an address that is written in no plain way.
  if (isPort && NAME.test(host) && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host))
    return { name: host, port }
  return undefined
}
