import { describe, expect, it } from 'vitest'
import { findSecret } from '../../../core/rate-limits/find-secret.ts'

const CALL = { method: 'POST', url: 'https://api.example.com/', headers: [], body: undefined }
const MARKED = `ghp_${'a1B2'.repeat(8)}`

function find(values: Readonly<Record<string, unknown>>): string | undefined {
  return findSecret(values, { ...CALL, secrets: [{ placement: 'header', name: 'x-key' }] })
}

describe('a value that is a secret', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['by where it stands', { 'X-Key': 'a' }, 'x-key'],
    ['by where it stands, written with its placement', { 'header.x-key': 'a' }, 'x-key'],
    ['by its shape', { q: MARKED }, 'q'],
    [
      'in a body that is one object',
      { body: { login: { password: 'hunter2' } } },
      'body.login.password',
    ],
    ['in a list', { body: [{ name: 'a' }, { 'api-key': 7 }] }, 'body.api-key'],
    ['by its shape, deep in a body', { body: { a: [[{ b: MARKED }]] } }, 'body.a.b'],
    ['as the name of something', { body: { [MARKED]: 1 } }, 'body'],
    [
      'in a text that is JSON',
      { body: ' {"user":{"client_secret":"s"}}' },
      'body.user.client_secret',
    ],
    ['in JSON within JSON', { body: JSON.stringify({ a: '{"token":"x"}' }) }, 'body.a.token'],
  ])('is found %s', (_, values, path) => {
    expect(find(values)).toBe(path)
  })

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['nothing', {}],
    [
      'names that only begin like keys',
      { body: { tokens: 3, passwordless: true, secretary: 'Ada' } },
    ],
    ['keys without a value', { body: { password: '', token: null } }],
    ['a text that begins like JSON', { body: '{"password":' }],
  ])('is not found in %s', (_, values) => {
    expect(find(values)).toBe(undefined)
  })
})

describe('a value of many levels', () => {
  it('is looked at to its end', () => {
    const found = [nest({ secret: 's' }, LEVELS), nest(1, LEVELS)].map((body) => find({ body }))
    expect(found).toEqual([`body${'.a'.repeat(9)}`, undefined])
  })
})

const LEVELS = 20_000

function nest(inmost: unknown, levels: number): unknown {
  let value = inmost
  for (let level = 0; level < levels; level += 1) value = { a: value }
  return value
}
