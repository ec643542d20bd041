import {
  type Address,
  type AddressRange,
  isHostAddress,
  isWithin,
  parseRange,
} from './addresses.ts'

/** A host name or literal address with a port, as the destination of a connection. */
export interface Destination {
  /** Lower case, without brackets and trailing dot. */
  readonly host: string
  readonly port: number
}

/** Destinations that the operator allows in addition to the public internet. */
export interface AllowList {
  /** True if the name is allowed on this port. */
  hasName(place: Destination): boolean
  /** True if the location may be reached at this address. */
  hasAddress(address: Address, place: Destination): boolean
}

/**
 * Parses entries such as `127.0.0.1:9001`, `10.1.0.0/16`, `[fd00::1]:8080` and `api.internal:8443`.
 * An entry without a port applies to all ports. An allowed name may resolve to private and loopback
 * addresses, but not to link-local ones. Throws a `RangeError` with the entry that is invalid.
 */
export function createAllowList(entries: readonly string[] = []): AllowList {
  const all = entries.map(parseEntryOrThrow)
  const isFor = (entry: Entry, port: number) => entry.port === undefined || entry.port === port
  const hasName = ({ host, port }: Destination) =>
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

/** True if `createAllowList` accepts the entry. */
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

function parseEntryOrThrow(text: string): Entry {
  const entry = parseEntry(text)
  if (entry) return entry
  throw new RangeError(
    `Invalid entry "${text}": must be an address, a CIDR range or a name, with or without a port`,
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
  // A name that ends in a number is an address in unusual notation.
  if (isPort && NAME.test(host) && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host))
    return { name: host, port }
  return undefined
}
