import { describe, expect, it } from 'vitest'
import { createEgressPolicy, type EgressPolicyOptions } from '../../../core/egress/policy.ts'
import { EgressError } from '../../../core/ports/egress.ts'

function vetUrl(url: string, options: EgressPolicyOptions = {}): string {
  try {
    createEgressPolicy(options).vetUrl(new URL(url))
    return 'fine'
  } catch (error) {
    return error instanceof EgressError ? error.failure : String(error)
  }
}

function judgeName(addresses: readonly string[], options: EgressPolicyOptions = {}): string {
  const policy = createEgressPolicy(options)
  try {
    const place = policy.vetUrl(new URL('http://api.example.com:9001/'))
    return policy.vetAddresses(addresses, place).join(' ')
  } catch (error) {
    return error instanceof EgressError ? error.failure : String(error)
  }
}

describe('URL policy', () => {
  it.each([
    'http://api.example.com/',
    'https://api.example.com:443/',
    'http://api.example.com:8080/',
    'https://a_b.example.co.uk./',
    'https://xn--bcher-kva.example/',
    'https://home.example.com/',
    'https://my.homes/',
    `http://${'a.'.repeat(126)}a/`,
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('allows %s', (url) => {
    expect(vetUrl(url)).toBe('fine')
  })

  it.each([
    ['ftp://api.example.com/', 'refused_url'],
    ['file:///etc/hostname', 'refused_url'],
    ['data:text/plain,a', 'refused_url'],
    ['ws://api.example.com/', 'refused_url'],
    ['http://user@api.example.com/', 'refused_url'],
    ['http://:word@api.example.com/', 'refused_url'],
    ['http://api.example.com:22/', 'refused_url'],
    ['http://api.example.com:81/', 'refused_url'],
    ['http://api.example.com:6379/', 'refused_url'],
    ['http://8.8.8.8:25/', 'refused_url'],
    ['http://localhost/', 'refused_url'],
    ['http://localhost./', 'refused_url'],
    ['http://a.localhost/', 'refused_url'],
    ['http://printer.local/', 'refused_url'],
    ['http://metadata.google.internal/', 'refused_url'],
    ['http://router.home.arpa/', 'refused_url'],
    ['http://intranet/', 'refused_url'],
    ['http://a.localdomain/', 'refused_url'],
    ['http://a.intranet/', 'refused_url'],
    ['http://a.private/', 'refused_url'],
    ['http://a.corp/', 'refused_url'],
    ['http://a.home/', 'refused_url'],
    ['http://a.lan/', 'refused_url'],
    ['http://a.onion/', 'refused_url'],
    ['http://a.alt/', 'refused_url'],
    [`http://${'a.'.repeat(126)}ab/`, 'refused_url'],
    ['http://a..example/', 'refused_url'],
    ['http://127.0.0.1/', 'refused_address'],
    ['http://2130706433/', 'refused_address'],
    ['http://0x7f.1/', 'refused_address'],
    ['http://[::1]/', 'refused_address'],
    ['http://[::ffff:127.0.0.1]/', 'refused_address'],
  ])('refuses %s: %s', (url, failure) => {
    expect(vetUrl(url)).toBe(failure)
  })

  it.each([
    [
      'http://127.0.0.1:9001/',
      '127.0.0.1:9001: its address is not allowed; an operator can allow it with --egress-allow 127.0.0.1:9001',
    ],
    [
      'http://[::1]/',
      '[::1]:80: its address is not allowed; an operator can allow it with --egress-allow [::1]:80',
    ],
    [
      'https://api.internal./',
      'api.internal:443: it must be a public host name; an operator can allow it with --egress-allow api.internal:443',
    ],
    [
      'http://a.example:22/',
      'a.example:22: port 22 is not allowed; an operator can allow it with --egress-allow a.example:22',
    ],
    ['ftp://a.example/', 'this URL: it must be http or https'],
  ])('explains the refusal of %s', (url, message) => {
    const { vetUrl } = createEgressPolicy()
    expect(() => vetUrl(new URL(url))).toThrow(`Cannot call ${message}`)
  })

  it.each([
    ['http://127.0.0.1:9001/', '127.0.0.1:9001', 'fine'],
    ['http://127.0.0.1:9002/', '127.0.0.1:9001', 'refused_address'],
    ['http://127.0.0.2:9001/', '127.0.0.1:9001', 'refused_address'],
    ['http://10.1.2.3:22/', '10.1.0.0/16', 'fine'],
    ['http://10.2.2.3/', '10.1.0.0/16', 'refused_address'],
    ['http://[fd00::1]:8080/', '[fd00::1]:8080', 'fine'],
    ['http://[fd00::1]:8080/', 'fd00::/8', 'fine'],
    ['http://[::ffff:10.1.2.3]/', '10.1.0.0/16', 'fine'],
    ['http://api.internal:8443/', 'api.internal:8443', 'fine'],
    ['http://api.internal/', 'api.internal:8443', 'refused_url'],
    ['http://API.internal./', 'Api.Internal', 'fine'],
    ['http://b.api.internal/', 'api.internal', 'refused_url'],
    ['http://localhost:9001/', 'localhost:9001', 'fine'],
    ['ftp://127.0.0.1:9001/', '127.0.0.1:9001', 'refused_url'],
    ['http://a:b@127.0.0.1:9001/', '127.0.0.1:9001', 'refused_url'],
  ])('checks %s with %s allowed: %s', (url, allowed, result) => {
    expect(vetUrl(url, { allow: [allowed] })).toBe(result)
  })

  it.each([
    '',
    ' ',
    '10.0.0.0/33',
    '127.1',
    '0x7f000001',
    '2130706433',
    '127.0.0.1:0',
    'a b',
    'a:b:c',
    '*',
  ])('reports the invalid entry %j', (entry) => {
    expect(() => createEgressPolicy({ allow: [entry] })).toThrow(
      new RangeError(
        `Invalid entry "${entry}": must be an address, a CIDR range or a name, with or without a port`,
      ),
    )
  })
})

describe('address policy of a name', () => {
  it('allows all addresses or none', () => {
    expect(judgeName(['8.8.8.8', '2606:4700::1111'])).toBe('8.8.8.8 2606:4700::1111')
    expect(judgeName(['8.8.8.8', '10.0.0.1'])).toBe('refused_address')
    expect(judgeName(['::ffff:8.8.8.8'])).toBe('8.8.8.8')
    expect(judgeName(['nonsense'])).toBe('refused_address')
    expect(judgeName([])).toBe('unresolved')
  })

  it('allows private addresses for an allowed name, but not link-local ones', () => {
    const allow = ['api.example.com:9001']
    expect(judgeName(['127.0.0.1', '10.0.0.1'], { allow })).toBe('127.0.0.1 10.0.0.1')
    expect(judgeName(['169.254.169.254'], { allow })).toBe('refused_address')
    expect(judgeName(['127.0.0.1'], { allow: ['api.example.com:9002'] })).toBe('refused_address')
  })

  it('never allows the own listener, even if listed', () => {
    const isOwn = (address: string, port: number) => address === '127.0.0.1' && port === 9001
    expect(judgeName(['127.0.0.1'], { allow: ['127.0.0.0/8'], isOwn })).toBe('refused_address')
    expect(judgeName(['127.0.0.2'], { allow: ['127.0.0.0/8'], isOwn })).toBe('127.0.0.2')
    expect(vetUrl('http://127.0.0.1:9001/', { allow: ['127.0.0.1'], isOwn })).toBe(
      'refused_address',
    )
  })
})
