import { describe, expect, it } from 'vitest'
import {
  isHostAddress,
  isPublicAddress,
  parseAddress,
  parseRange,
} from '../../../core/egress/addresses.ts'

function listPublic(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => {
    const address = parseAddress(text)
    return address !== undefined && isPublicAddress(address)
  })
}

describe('an address of the public internet', () => {
  it('includes the IPv4 neighbours of each special range', () => {
    const beside = [
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '191.255.255.255',
      '192.0.1.0',
      '192.0.3.0',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '198.51.99.255',
      '203.0.114.0',
      '223.255.255.255',
      '8.8.8.8',
      '168.63.129.15',
    ]
    expect(listPublic(beside)).toEqual(beside)
  })

  it('includes IPv6 within 2000::/3', () => {
    const beside = [
      '2000::',
      '2001:200::1',
      '2001:4860:4860::8888',
      '2003::1',
      '2606:4700::1111',
      '3ffe::1',
      '3fff:1000::',
      '64:ff9b::8.8.8.8',
      '::ffff:8.8.8.8',
    ]
    expect(listPublic(beside)).toEqual(beside)
  })

  it('excludes the special ranges', () => {
    expect(
      listPublic([
        '0.0.0.0',
        '0.1.2.3',
        '10.0.0.1',
        '100.64.0.1',
        '100.100.100.200',
        '127.0.0.1',
        '127.255.255.254',
        '168.63.129.16',
        '169.254.169.254',
        '172.16.0.1',
        '172.31.255.255',
        '192.0.0.192',
        '192.0.2.1',
        '192.31.196.1',
        '192.52.193.1',
        '192.88.99.1',
        '192.168.1.1',
        '192.175.48.1',
        '198.18.0.1',
        '198.19.255.255',
        '198.51.100.1',
        '203.0.113.1',
        '224.0.0.1',
        '239.255.255.255',
        '240.0.0.1',
        '255.255.255.255',
        '::',
        '::1',
        '::127.0.0.1',
        '::8.8.8.8',
        '::ffff:127.0.0.1',
        '::ffff:a9fe:a9fe',
        '::ffff:0:127.0.0.1',
        '64:ff9b::127.0.0.1',
        '64:ff9b::a9fe:a9fe',
        '64:ff9b:1::8.8.8.8',
        '100::1',
        '100:0:0:1::1',
        '2001::1',
        '2001:0:8.8.8.8::1',
        '2001:2::1',
        '2001:10::1',
        '2001:20::1',
        '2001:db8::1',
        '2002:7f00:1::',
        '2002:808:808::1',
        '2620:4f:8000::1',
        '3fff::1',
        '4000::1',
        '5f00::1',
        'fc00::1',
        'fd00:ec2::254',
        'fe80::1',
        'fec0::1',
        'ff02::1',
        '2600::5efe:127.0.0.1',
        '2600::200:5efe:10.0.0.1',
      ]),
    ).toEqual([])
  })

  it('is parsed in plain notation only', () => {
    const odd = ['', '1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', 'fe80::1%eth0', '[::1]']
    expect([...odd, '1.2.3.4.', 'a.example', ' 8.8.8.8'].map(parseAddress)).toEqual(
      Array(11).fill(undefined),
    )
    expect(parseAddress('::ffff:7f00:1')?.toString()).toBe('127.0.0.1')
  })
})

describe('an address of a host', () => {
  it('may be private or loopback, not link-local or multicast', () => {
    const all = ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '8.8.8.8', '64:ff9b::8.8.8.8']
    const none = ['169.254.169.254', 'fe80::1', '0.0.0.0', '::', '224.0.0.1', '100.64.0.1']
    const isHost = (text: string) => {
      const address = parseAddress(text)
      return address !== undefined && isHostAddress(address)
    }
    expect([...all, ...none, '64:ff9b::10.0.0.1'].filter(isHost)).toEqual(all)
  })
})

describe('address range', () => {
  it('requires an address and a valid prefix length', () => {
    const wrong = ['10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/a', '/8', 'a/8', '10.0.0.0/-1']
    expect(wrong.map(parseRange)).toEqual(Array(7).fill(undefined))
    expect(
      ['10.0.0.0/8', '::1', '1.2.3.4', 'fd00::/8'].map((text) => parseRange(text)?.[1]),
    ).toEqual([8, 128, 32, 8])
  })
})
