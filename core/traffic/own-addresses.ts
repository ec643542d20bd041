import { ServiceError } from '../errors.ts'
import { type AddressWords, hasSamePrefix, parseAddress } from './capture/addresses.ts'

/** Addresses and ranges of the observed machines. */
export interface OwnAddresses {
  readonly isEmpty: boolean
  has(address: AddressWords): boolean
  /** Adds an address, unless the limit is reached. */
  add(address: AddressWords): void
}

const MAX_ADDED = 4096
const BITS = { four: 32, six: 128 } as const

/**
 * Reads addresses and ranges (`10.1.0.0/16`, `2001:db8::/32`; RFC 4632, RFC 4291 2.3). Throws a
 * `ServiceError` with code `invalid_input` for other text.
 */
export function readOwnAddresses(texts: readonly string[]): OwnAddresses {
  const ranges = texts.map(parseAddressRange).filter(({ bits }) => bits < BITS.six)
  const single = texts.map(parseAddressRange).filter(({ bits }) => bits === BITS.six)
  const known = new Set(single.map(({ address }) => address.join()))
  return {
    get isEmpty() {
      return known.size === 0 && ranges.length === 0
    },
    has(address) {
      if (known.has(address.join())) return true
      return ranges.some((range) => hasSamePrefix(range.address, { other: address, ...range }))
    },
    add(address) {
      if (known.size < MAX_ADDED) known.add(address.join())
    },
  }
}

interface AddressRange {
  readonly address: AddressWords
  /** Length of the common prefix, of 128 bits. */
  readonly bits: number
}

function parseAddressRange(text: string): AddressRange {
  const [, start = '', length] = /^([^/%]*)(?:%[^/]*)?(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const address = parseAddress(start)
  const most = start.includes(':') ? BITS.six : BITS.four
  const bits = length === undefined ? most : Number(length)
  if (address !== undefined && bits <= most) {
    return { address, bits: bits + BITS.six - most }
  }
  throw new ServiceError(
    'invalid_input',
    `Invalid own address "${text}": must be an IP address or a range such as 10.1.0.0/16`,
  )
}
