import { expect, test } from 'vitest'
import { findOwner, fromOwnerKey, toOwnerKey } from '../../../../core/scans/owners.ts'

const KNOWN = new Map([
  ['api.acme.example', 'Acme'],
  ['{}.acme.example', 'Acme'],
])

function ownerOf(subject: string, detail: Readonly<Record<string, unknown>> = {}): string {
  const row = { subject, detail: JSON.stringify(detail) }
  return toOwnerKey(findOwner(row, (host) => KNOWN.get(host)))
}

test('finds the vendor of a host, else the vendor from the scanner, else the domain', () => {
  expect(ownerOf('https://api.acme.example/v1', { vendorName: 'Other' })).toBe('1Acme')
  expect(ownerOf('https://{}.acme.example/v1')).toBe('1Acme')
  expect(ownerOf('https://api.other.example/v1', { vendorName: ' Other ' })).toBe('1Other')
  expect(ownerOf('https://api.eu.other.co.uk/v1')).toBe('2other.co.uk')
  expect(ownerOf('API.other.example:8443/v1')).toBe('2other.example')
  expect(ownerOf('https://user@api.other.example./v1')).toBe('2other.example')
  expect(ownerOf('https://{}.eu.other.example/v1')).toBe('2other.example')
})

test('separates customers of a shared domain, and groups addresses and unknown hosts', () => {
  expect(ownerOf('https://one.herokuapp.com/')).toBe('2one.herokuapp.com')
  expect(ownerOf('https://two.herokuapp.com/')).toBe('2two.herokuapp.com')
  expect(ownerOf('http://localhost:3000/')).toBe('2localhost')
  expect(ownerOf('https://203.0.113.7/x')).toBe('3')
  expect(ownerOf('2001:db8::1')).toBe('3')
  expect(ownerOf('https://[2001:db8::1]:8443/x')).toBe('3')
  expect(ownerOf('{}/v1/users')).toBe('4')
  expect(ownerOf('/v1/users')).toBe('4')
})

test('reads the host of a flow before its address', () => {
  expect(ownerOf('203.0.113.7', { host: 'cdn.acme.example', ip: '203.0.113.7' })).toBe(
    '2acme.example',
  )
  expect(ownerOf('203.0.113.7', { host: '', ip: '203.0.113.7' })).toBe('3')
})

test('restores an owner from its stored key', () => {
  for (const key of ['0 Acme', '0 365', '1Acme', '2acme.example', '3', '4']) {
    expect(toOwnerKey(fromOwnerKey(key))).toBe(key)
  }
  for (const key of ['', '1', '9?']) expect(fromOwnerKey(key)).toEqual({ kind: 'unknown' })
  expect(ownerOf('https://a.example/', { vendorName: 'x'.repeat(999) })).toHaveLength(301)
})
