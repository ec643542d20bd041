import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../../core/traffic/capture/addresses.ts'
import { readOwnAddresses } from '../../../core/traffic/own-addresses.ts'
import { createTrafficReader } from '../../../core/traffic/traffic-reader.ts'

/** Returns the addresses that are own ones. */
function findOwn(own: readonly string[], addresses: readonly string[]): readonly string[] {
  const known = readOwnAddresses(own)
  return addresses.filter((text) => {
    const address = parseAddress(text)
    if (address === undefined) throw new Error(`${text} is no address`)
    return known.has(address)
  })
}

describe('own addresses', () => {
  it.each([
    ['10.1.0.0/16', ['10.1.0.0', '10.1.255.255', '10.2.0.0', '::a01:0'], 2],
    ['10.1.2.3/31', ['10.1.2.2', '10.1.2.3', '10.1.2.4'], 2],
    ['10.1.2.3', ['10.1.2.3', '::ffff:10.1.2.3', '10.1.2.4'], 2],
    ['10.1.2.3/32', ['10.1.2.3', '10.1.2.4'], 1],
    ['0.0.0.0/0', ['255.1.2.3', '0.0.0.0', '2001:db8::1'], 2],
    ['2001:DB8::/32', ['2001:db8::1', '2001:db8:ffff::', '2001:db9::'], 2],
    ['2001:db8:0:1::/63', ['2001:db8::', '2001:db8:0:1:2:3:4:5', '2001:db8:0:2::'], 2],
    ['::/0', ['::', '10.1.2.3'], 2],
    [' fe80::1%eth0 ', ['fe80::1', 'fe80::2'], 1],
  ])('of %j are the first of %j', (own, addresses, count) => {
    expect(findOwn([own], addresses)).toEqual(addresses.slice(0, count))
  })

  it('include those of a capture', () => {
    const own = readOwnAddresses([])
    expect(own.isEmpty).toBe(true)
    const address = parseAddress('10.1.2.3') ?? [0, 0, 0, 0]
    own.add(address)
    expect([own.isEmpty, own.has(address)]).toEqual([false, true])
  })

  it.each(['foo', '', '10.1.2', '10.1.2.3/33', '10.1.2.3/', '::1/129', '10.1.2.300', '[::1]'])(
    'are rejected if invalid: %j',
    (text) => {
      const message = `Invalid own address "${text}": must be an IP address or a range such as 10.1.0.0/16`
      expect(() => createTrafficReader({ ownAddresses: [text] })).toThrow(message)
    },
  )
})
