import { describe, expect, it } from 'vitest'
import {
  createProxyTrust,
  findClientAddress,
  findOrigin,
  isHost,
  type Peer,
} from '../../core/http/client-address.ts'

function peer(address: string, headers: Readonly<Record<string, string>> = {}): Peer {
  return { address, scheme: 'http', header: (name) => headers[name] }
}

const TRUST = createProxyTrust(['10.0.0.0/8', '::1', '2001:db8::/32', '192.0.2.7'])

describe('the client address', () => {
  const find = (address: string, forwarded?: string) =>
    findClientAddress(
      peer(address, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
      TRUST,
    )

  it('is the peer when nobody is trusted, whatever a header says', () => {
    const lying = peer('10.0.0.1', { 'x-forwarded-for': '203.0.113.9' })
    expect(findClientAddress(lying, createProxyTrust([]))).toBe('10.0.0.1')
  })

  it('is the peer when the peer is not trusted', () => {
    expect(find('198.51.100.1', '203.0.113.9')).toBe('198.51.100.1')
  })

  it('is the last hop that is not trusted, so that a client cannot forge it', () => {
    expect(find('10.0.0.1', '203.0.113.9')).toBe('203.0.113.9')
    expect(find('10.0.0.1', '1.1.1.1, 203.0.113.9, 10.2.3.4, 192.0.2.7')).toBe('203.0.113.9')
    expect(find('::1', '2606:4700::1, 2001:db8::5')).toBe('2606:4700::1')
  })

  it('is the first hop when all are trusted, and the peer without a header', () => {
    expect(find('10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3')
    expect(find('10.0.0.1')).toBe('10.0.0.1')
    expect(find('10.0.0.1', '')).toBe('10.0.0.1')
  })

  it('stops at the hop before an entry that is no address', () => {
    expect(find('10.0.0.1', '203.0.113.9, unknown, 10.0.0.2')).toBe('10.0.0.2')
    expect(find('10.0.0.1', "'; DROP TABLE")).toBe('10.0.0.1')
  })

  it('drops ports and unwraps IPv4 in IPv6', () => {
    expect(find('::ffff:10.0.0.1', '203.0.113.9:4711')).toBe('203.0.113.9')
    expect(find('10.0.0.1', '[2606:4700::1]:443')).toBe('2606:4700::1')
    expect(find('10.0.0.1', '::ffff:203.0.113.9')).toBe('203.0.113.9')
  })

  it('looks at no more than 32 hops', () => {
    const hops = Array.from({ length: 100 }, (_, index) => `10.0.1.${index}`)
    expect(find('10.0.0.1', hops.join(','))).toBe('10.0.1.68')
  })
})

describe('the origin', () => {
  const forwarded = {
    host: 'inner:8080',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'API.example',
  }

  it('follows the forwarded headers of a trusted peer only', () => {
    expect(findOrigin(peer('10.0.0.1', forwarded), TRUST)).toBe('https://api.example')
    expect(findOrigin(peer('198.51.100.1', forwarded), TRUST)).toBe('http://inner:8080')
    expect(findOrigin(peer('10.0.0.1', forwarded), undefined)).toBe('http://inner:8080')
  })

  it('takes the value that the nearest proxy added', () => {
    const chain = {
      host: 'a',
      'x-forwarded-proto': 'gopher, https',
      'x-forwarded-host': 'evil, good.example',
    }
    expect(findOrigin(peer('10.0.0.1', chain), TRUST)).toBe('https://good.example')
  })

  it('ignores a scheme that is neither http nor https', () => {
    const odd = { host: 'a.example', 'x-forwarded-proto': 'javascript' }
    expect(findOrigin(peer('10.0.0.1', odd), TRUST)).toBe('http://a.example')
  })

  it('is unknown without a usable host', () => {
    expect(findOrigin(peer('10.0.0.1'), TRUST)).toBeUndefined()
    expect(findOrigin(peer('10.0.0.1', { host: 'a/b' }), TRUST)).toBeUndefined()
  })
})

describe('a host', () => {
  it('is a name or address with an optional port', () => {
    for (const host of ['a', 'a.example:8080', '127.0.0.1', '[::1]:80', 'xn--bcher-kva.example']) {
      expect([host, isHost(host)]).toEqual([host, true])
    }
  })

  it('is nothing that could change the meaning of a URL', () => {
    for (const host of ['', 'a b', 'a,b', 'a/b', 'a@b', 'a?b', 'a#b', '[::1', 'a:b', 'a:123456']) {
      expect([host, isHost(host)]).toEqual([host, false])
    }
  })
})

describe('a list of trusted proxies', () => {
  it('matches addresses of the same family only', () => {
    const all = createProxyTrust(['0.0.0.0/0'])
    expect(
      ['1.2.3.4', '::ffff:1.2.3.4', '2606:4700::1', 'nonsense', ''].map((a) => all?.isTrusted(a)),
    ).toEqual([true, true, false, false, false])
  })

  it('refuses an entry that is neither address nor range, and names it', () => {
    for (const entry of ['10.0.0.0/33', 'proxy.example', '10.0.0.0/8/8', '', '*']) {
      expect(() => createProxyTrust([entry])).toThrow(
        `Invalid trusted proxy "${entry}": must be an address or a CIDR range`,
      )
    }
  })
})
