import type { Scope } from '../../core/shared/account.ts'
import type { TestKeys } from './service.ts'

/** Requests that must be rejected: without a valid key, or with several. */
export const REFUSED: Readonly<
  Record<string, (keys: TestKeys) => Readonly<Record<string, string>>>
> = {
  'no key': () => ({}),
  'an empty key': () => ({ 'api-key': '' }),
  'a malformed key': (keys) => ({ 'api-key': keys.malformed }),
  'an unknown key': (keys) => ({ 'api-key': keys.unknown }),
  'a revoked key': (keys) => ({ 'api-key': keys.revoked }),
  'an expired key': (keys) => ({ 'api-key': keys.expired }),
  'a good key that is cut short': (keys) => ({ 'api-key': keys.all.slice(0, -1) }),
  'a good key twice': (keys) => ({ 'api-key': `${keys.all}, ${keys.all}` }),
  'an unknown bearer': (keys) => ({ authorization: `Bearer ${keys.unknown}` }),
  'a good key as basic authentication': (keys) => ({ authorization: `Basic ${keys.all}` }),
  'a bad key beside a good bearer': (keys) => ({
    'api-key': keys.malformed,
    authorization: `Bearer ${keys.all}`,
  }),
}

/** Name of the request of another account. */
export const OTHER = "another account's key"

/** Requests that must be accepted, with keys that have the required scope. */
export const ADMITTED: Readonly<
  Record<string, (keys: TestKeys, scope: Scope) => Readonly<Record<string, string>>>
> = {
  'a key with every scope': (keys) => ({ 'api-key': keys.all }),
  'a key with this scope alone': (keys, scope) => ({ 'api-key': keys.only[scope] }),
  [OTHER]: (keys) => ({ 'api-key': keys.other }),
  'a bearer': (keys) => ({ authorization: `Bearer ${keys.all}` }),
  'a bearer in lower case': (keys) => ({ authorization: `bearer ${keys.all}` }),
}
