import { describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../core/accounts/authenticator.ts'
import { crc32, isWellFormedKey } from '../../core/accounts/keys.ts'
import { createRequestLimiter } from '../../core/accounts/request-limiter.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import { createAccounts } from '../../core/accounts/service.ts'
import { ServiceError } from '../../core/errors.ts'
import { toProblem } from '../../core/http/problems.ts'
import type { Logger } from '../../core/ports/logger.ts'
import { toBase62, toBase62Word } from '../../core/shared/base62.ts'
import { createMemoryAccounts } from '../helpers/memory-accounts.ts'
import { createManualClock, createSeededRandom, strongRandom } from '../helpers/random.ts'
import { runs } from '../helpers/runs.ts'

const GUESSES = runs(100_000)
const NO_LIMIT = { failureBurst: Number.POSITIVE_INFINITY }

async function startAuthenticator(
  limits: Parameters<typeof createAuthenticator>[0]['limits'] = {},
) {
  const clock = createManualClock()
  const store = createMemoryAccounts()
  const events: string[] = []
  const logger: Logger = { log: (...event) => events.push(JSON.stringify(event)) }
  const authenticator = createAuthenticator({ store, clock, limits, logger })
  const accounts = createAccounts({
    store,
    clock,
    random: strongRandom,
    sealer: createSealer({ current: strongRandom(32) }, strongRandom),
    forget: authenticator.forget,
  })
  const account = await accounts.createAccount('Ada')
  return { accounts, account, authenticator, clock, events, store }
}

/** Creates a well-formed key with this secret and a valid checksum. */
function forge(secret: string): string {
  return `adk_live_${secret}${toBase62Word(crc32(`adk_live_${secret}`))}`
}

/** Returns the errors of all attempts; undefined for a successful one. */
function errorsOf(attempts: readonly (() => unknown)[]): Promise<readonly unknown[]> {
  return Promise.all(
    attempts.map(async (attempt) => {
      try {
        await attempt()
        return undefined
      } catch (error) {
        return error
      }
    }),
  )
}

describe('guessing keys', () => {
  it(`never succeeds in ${GUESSES} well-formed guesses, and leaves nothing in memory`, async () => {
    const { accounts, account, authenticator, store } = await startAuthenticator(NO_LIMIT)
    const { key } = await accounts.createKey({ account, name: 'laptop', scopes: ['read'] })
    await authenticator.authenticate({ apiKey: key }, '192.0.2.1')
    const random = createSeededRandom(11)
    const outcomes = new Map<unknown, number>()
    for (let done = 0; done < GUESSES; done += 1000) {
      const guesses = Array.from({ length: 1000 }, () => forge(toBase62(random(32), 43)))
      const attempts = guesses.map(
        (apiKey) => () => authenticator.authenticate({ apiKey }, '192.0.2.1'),
      )
      for (const error of await errorsOf(attempts)) {
        const outcome = error instanceof ServiceError ? error.code : error
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }
    expect([...outcomes]).toEqual([['unauthenticated', GUESSES]])
    expect(store.calls.find).toBe(GUESSES + 1)
    expect(authenticator.sizes).toEqual({ verified: 1, known: 1, lookups: 0, addresses: 0 })
  })

  it(`never queries the store for ${GUESSES} malformed guesses`, async () => {
    const { accounts, account, authenticator, store } = await startAuthenticator(NO_LIMIT)
    const { key } = await accounts.createKey({ account, name: 'laptop', scopes: ['read'] })
    const random = createSeededRandom(12)
    let refused = 0
    for (let done = 0; done < GUESSES; done += 1) {
      const [place = 0, byte = 0] = random(2)
      const at = place % (key.length + 1)
      const other = String.fromCharCode(32 + (byte % 95))
      const guess = key.slice(0, at) + other + key.slice(at + 1)
      if (guess === key) refused += 1
      else {
        try {
          authenticator.authenticate({ apiKey: guess }, '192.0.2.1')
        } catch (error) {
          if (error instanceof ServiceError && error.code === 'unauthenticated') refused += 1
        }
      }
    }
    expect(refused).toBe(GUESSES)
    expect(store.calls.find).toBe(0)
  })

  it('costs one lookup per guess, and is rejected with 429 after the first ones', async () => {
    const { authenticator, clock, store } = await startAuthenticator()
    const random = createSeededRandom(13)
    const codes: unknown[] = []
    for (let second = 0; second < 60; second += 1) {
      const guesses = Array.from({ length: 50 }, () => forge(toBase62(random(32), 43)))
      const errors = await errorsOf(
        guesses.map((apiKey) => () => authenticator.authenticate({ apiKey }, '2001:db8::1')),
      )
      codes.push(...errors.map((error) => (error instanceof ServiceError ? error.code : error)))
      clock.advance(1000)
    }
    expect(store.calls.find).toBe(60 * 50)
    const answered = codes.filter((code) => code === 'unauthenticated').length
    expect(answered).toBeLessThanOrEqual(100 + 60)
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(60 * 50 - answered)
  })

  it('tracks a bounded number of addresses and keys', async () => {
    const limits = { maxAddresses: 500, maxKeys: 50 }
    const { accounts, account, authenticator, clock } = await startAuthenticator(limits)
    const limiter = createRequestLimiter({ concurrency: 1 }, clock)
    for (let index = 0; index < 200; index += 1) {
      const { key } = await accounts.createKey({ account, name: 'laptop', scopes: ['read'] })
      await authenticator.authenticate({ apiKey: key }, '192.0.2.1')
    }
    let refused = 0
    for (let index = 0; index < 120_000; index += 1) {
      const address = `10.${index >>> 16}.${(index >>> 8) & 255}.${index & 255}`
      limiter.enter(address).release()
      try {
        authenticator.authenticate({ apiKey: 'guess' }, address)
      } catch {
        refused += 1
      }
    }
    expect(refused).toBe(120_000)
    expect(authenticator.sizes).toEqual({ verified: 50, known: 50, lookups: 0, addresses: 500 })
    expect(limiter.size).toBe(100_000)
  })

  it('finds no key with a secret in another encoding of the same bytes', () => {
    const secret = toBase62(new Uint8Array(32).fill(7), 43)
    const key = forge(secret)
    expect(isWellFormedKey(key)).toBe(true)
    const spellings = [
      key.toUpperCase(),
      key.toLowerCase(),
      ` ${key}`,
      `${key} `,
      `${key},${key}`,
      key.normalize('NFKC').replace('_', '＿'),
      encodeURIComponent(`${key}\u0000`),
      `"${key}"`,
    ]
    expect(spellings.filter(isWellFormedKey)).toEqual([])
  })
})

describe('revocation', () => {
  it('takes effect everywhere within a second, under steady use', async () => {
    const { accounts, account, authenticator, clock, store } = await startAuthenticator()
    const elsewhere = createAuthenticator({ store, clock })
    const { key, record } = await accounts.createKey({ account, name: 'x', scopes: ['read'] })
    const isAccepted = async (service: typeof elsewhere) => {
      const [error] = await errorsOf([() => service.authenticate({ apiKey: key }, '192.0.2.1')])
      return error === undefined
    }
    for (let step = 0; step < 137; step += 1) {
      expect(await isAccepted(elsewhere)).toBe(true)
      clock.advance(10)
    }
    await accounts.revokeKey({ account, keyId: record.id })
    expect(await isAccepted(authenticator)).toBe(false)
    const accepted: number[] = []
    for (let ms = 0; ms <= 2000; ms += 10) {
      if (await isAccepted(elsewhere)) accepted.push(ms)
      clock.advance(10)
    }
    expect(Math.max(...accepted)).toBeLessThan(1000)
  })
})

describe('plain key', () => {
  it('appears in no record, error, problem document, log event or listing', async () => {
    const { accounts, account, authenticator, clock, events, store } = await startAuthenticator({
      failureBurst: 3,
    })
    const request = { account, name: 'laptop', scopes: ['read'], expiresInMs: 1000 } as const
    const { key, record } = await accounts.createKey(request)
    const rotated = await accounts.rotateKey({ account, keyId: record.id })
    const seen: unknown[] = [record, rotated.record, await accounts.listKeys()]
    const attempt = (apiKey: string) => () => authenticator.authenticate({ apiKey }, '192.0.2.1')
    seen.push(await authenticator.authenticate({ apiKey: key }, '192.0.2.1'))
    await accounts.revokeKey({ account, keyId: record.id })
    clock.advance(1000)
    const errors = await errorsOf([
      attempt(key),
      attempt(`${key}x`),
      attempt(key.slice(1)),
      attempt(key.slice(0, -1)),
      () => accounts.createAccount(key),
      () => accounts.rotateKey({ account, keyId: record.id }),
      () => accounts.getAccount(key),
      () => accounts.createKey({ account, name: `my ${key}`, scopes: ['read'] }),
    ])
    const codes = errors.map((error) => (error instanceof ServiceError ? error.code : error))
    expect(codes).toEqual([
      'unauthenticated',
      'unauthenticated',
      'unauthenticated',
      'too_many_requests',
      'invalid_input',
      'conflict',
      'not_found',
      'invalid_input',
    ])
    for (const error of errors) {
      if (!(error instanceof ServiceError)) continue
      seen.push(toProblem(error, 'request'), error.stack, String(error.cause), error.headers)
    }
    seen.push(store.dump(), events)
    const text = JSON.stringify(seen)
    for (const plain of [key, rotated.key]) {
      const secret = plain.slice('adk_live_'.length, -4)
      for (const part of [
        secret,
        secret.slice(0, 12),
        secret.slice(-12),
        btoa(plain).slice(16, 40),
      ]) {
        expect(text).not.toContain(part)
      }
    }
  })
})
