import { describe, expect, it } from 'vitest'
import { findSecret } from '../../../core/rate-limits/find-secret.ts'

const CALL = { method: 'POST', url: 'https://api.example.com/', headers: [], body: undefined }
const MARKED = `ghp_${'a1B2'.repeat(8)}`

function findSecretName(values: Readonly<Record<string, unknown>>): string | undefined {
  return findSecret(values, { ...CALL, secrets: [{ placement: 'header', name: 'x-key' }] })
}

describe('findSecret', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['by its role in the call', { 'X-Key': 'a' }, 'x-key'],
    ['by its role in the call, with a qualified name', { 'header.x-key': 'a' }, 'x-key'],
    ['by its shape', { q: MARKED }, 'q'],
    [
      'in a body that is one object',
      { body: { login: { password: 'hunter2' } } },
      'body.login.password',
    ],
    ['in a list', { body: [{ name: 'a' }, { 'api-key': 7 }] }, 'body.api-key'],
    ['by its shape, deep in a body', { body: { a: [[{ b: MARKED }]] } }, 'body.a.b'],
    ['in a member name', { body: { [MARKED]: 1 } }, 'body'],
    ['in a JSON string', { body: ' {"user":{"client_secret":"s"}}' }, 'body.user.client_secret'],
    ['by its name alone', { password: 'hunter22' }, 'password'],
    ['by its qualified name', { 'path.token': 'abc' }, 'path.token'],
    [
      'by a word of its name',
      { body: { login: { refresh_token: 'r' } } },
      'body.login.refresh_token',
    ],
    ['in a form', { body: 'grant_type=password&user=a&password=x' }, 'body.password'],
    [
      'in a form, set twice',
      { body: 'a=1&client%5Fsecret=&client%5Fsecret=x' },
      'body.client_secret',
    ],
    ['in a URL', { back: 'https://a.example/?x=1#access_token=2' }, 'back.access_token'],
    ['in JSON within a form', { body: 'x=1&user={"pwd":"x"}' }, 'body.user.pwd'],
    ['in a name and value pair', { body: [{ Name: 'authorization', value: 'x' }] }, 'body'],
    ['in JSON within JSON', { body: JSON.stringify({ a: '{"token":"x"}' }) }, 'body.a.token'],
  ])('finds a secret %s', (_, values, path) => {
    expect(findSecretName(values)).toBe(path)
  })

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['nothing', {}],
    [
      'names that only begin like a key',
      { body: { tokens: 3, passwordless: true, secretary: 'Ada' } },
    ],
    ['flags', { body: { password: true }, has_token: false }],
    ['strings that are no form', { q: 'who = me', filter: 'a=b', x: '=', y: '?&' }],
    [
      'a name without a value',
      {
        body: [
          { name: 'password', type: 'string' },
          { key: 'token', value: null },
        ],
      },
    ],
    ['keys without a value', { body: { password: '', token: null } }],
    ['a string that begins like JSON', { body: '{"password":' }],
  ])('ignores %s', (_, values) => {
    expect(findSecretName(values)).toBe(undefined)
  })
})

describe('isSecretName', () => {
  it.each([
    ...['password', 'user_password', 'newPassword2', 'passwd', 'userpassword', 'db-pass', 'pwd'],
    ...['password_hash', 'refresh_token', 'accessToken', 'csrftoken', 'X-Auth-Token', 'tokenV2'],
    ...['secret_key', 'client-secret', 'aws_secret_access_key', 'secret_id', 'apikey', 'apiKey'],
    ...['X-API-Key', 'Ocp-Apim-Subscription-Key', 'privateKey', 'ssh_key', 'API_KEY', 'JWT'],
    ...['Authorization', 'Proxy-Authorization', 'Cookie', 'credentials', 'APIToken', 'idToken'],
  ])('accepts %s', (name) => {
    expect(findSecretName({ body: { [name]: 'x' } })).toBe(`body.${name}`)
  })

  it.each([
    ...['page_token', 'nextPageToken', 'pagetoken', 'cursor_token', 'token_type', 'tokenId'],
    ...['max_tokens', 'access_key_id', 'key', 'keyword', 'primary_key', 'monkey', 'compass'],
    ...['pass_id', 'passenger', 'secretary', 'password_policy', 'token_url', 'author', 'id'],
    ...['cookie_consent', 'secret_name', 'tokenize', ''],
  ])('rejects %s', (name) => {
    expect(findSecretName({ body: { [name]: 'x' }, [name]: 'x' })).toBe(undefined)
  })
})

describe('A string with many equals signs', () => {
  it('is parsed only once', () => {
    const text = 'a='.repeat(32_000)
    expect(findSecretName({ body: `${text}&${text}&token=x` })).toBe('body.token')
  })
})

describe('A deeply nested value', () => {
  it('is searched completely', () => {
    const found = [nest({ secret: 's' }, LEVELS), nest(1, LEVELS)].map((body) =>
      findSecretName({ body }),
    )
    expect(found).toEqual([`body${'.a'.repeat(9)}`, undefined])
  })
})

const LEVELS = 20_000

function nest(inmost: unknown, levels: number): unknown {
  let value = inmost
  for (let level = 0; level < levels; level += 1) value = { a: value }
  return value
}
