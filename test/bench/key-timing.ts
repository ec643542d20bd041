// Measures the cost of authentication, the memory of failed attempts, and whether durations depend
// on secrets: on the matching prefix of a digest, on existing keys, or on existing names. Each
// check has a control with a planted leak. Fails if a control is not detected or a leak is found.
// Run it on any runtime: `node test/bench/key-timing.ts`

import { loadavg } from 'node:os'
import process, { memoryUsage } from 'node:process'
import { createScryptHasher } from '../../adapters/secret/scrypt.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createAuthenticator } from '../../core/accounts/authenticator.ts'
import {
  crc32,
  generateKey,
  hashKey,
  isSameDigest,
  isWellFormedKey,
} from '../../core/accounts/keys.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import { createApiDiscovery } from '../../core/index.ts'
import { toBase62, toBase62Word } from '../../core/shared/base62.ts'
import { createMemoryAccounts } from '../helpers/memory-accounts.ts'
import { createManualClock, strongRandom } from '../helpers/random.ts'
import { PASSWORD } from '../helpers/users.ts'
import { compareTimes, type TimedCall, type TimingComparison } from './timing.ts'

const SAMPLES = 50_000
const LOOKUPS = 10_000
const LOG_INS = 3_000
const DAY_MS = 86_400_000
const REPEATS = 20
const BAD_KEYS = 1_000_000
const ADDRESS = '192.0.2.1'

const store = createMemoryAccounts()
const authenticator = createAuthenticator({ store, clock: Date.now })
const made = await generateKey(strongRandom)
await store.saveKey(
  { id: 'acc_1', name: 'Ada' },
  {
    id: made.id,
    name: 'bench',
    hint: made.hint,
    hash: made.hash,
    sealed: '',
    scopes: ['read'],
    createdAt: Date.now(),
    expiresAt: undefined,
    revokedAt: undefined,
    lastUsedAt: Date.now(),
  },
)
const credentials = { apiKey: made.key }

/** Microseconds per call, best of five rounds. */
async function measureCalls(calls: number, call: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round += 1) {
    const startedAt = performance.now()
    for (let done = 0; done < calls; done += 1) {
      const result = call()
      if (result instanceof Promise) await result
    }
    best = Math.min(best, ((performance.now() - startedAt) * 1000) / calls)
  }
  return best
}

/** A digest with a correct prefix. A flat string, because a concatenated one is slower. */
function mixDigits(right: number): string {
  const digits = [...hash].map((digit, at) => (at < right ? digit : digit === 'f' ? '0' : 'f'))
  return digits.join('')
}

/** A comparison that stops at the first difference: the planted leak. */
function isSameEarly(digest: string, text: string): boolean {
  for (let at = 0; at < digest.length; at += 1) if (digest[at] !== text[at]) return false
  return true
}

/** Repeats a comparison, because a single one is too short to measure. */
function toRepeated(isSame: (digest: string, text: string) => boolean, text: string): TimedCall {
  return () => {
    let matches = 0
    for (let repeat = 0; repeat < REPEATS; repeat += 1) if (isSame(hash, text)) matches += 1
    if (matches > 0) throw new Error('Cannot measure: the texts must differ from the digest')
  }
}

/** Takes as long as a leak would. */
function spin(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/**
 * Growth of resident memory in MB over a million distinct bad keys from as many addresses, after an
 * equal number of warm-up attempts.
 */
function measureFailures(): number {
  const attempt = (index: number) => {
    try {
      authenticator.authenticate(
        { apiKey: `adk_live_${index}` },
        `10.${index >>> 16}.${(index >>> 8) & 255}.${index & 255}`,
      )
    } catch {
      // Rejected as expected.
    }
  }
  for (let index = 0; index < BAD_KEYS; index += 1) attempt(index)
  const before = memoryUsage().rss
  for (let index = 0; index < BAD_KEYS; index += 1) attempt(index)
  return (memoryUsage().rss - before) / 2 ** 20
}

const sealer = createSealer({ current: strongRandom(32) }, strongRandom)
const context = { purpose: 'api-key', accountId: 'acc_1', recordId: made.id }
const { hash } = made
const none = mixDigits(0)
const firstByte = mixDigits(2)
const allButLast = mixDigits(hash.length - 1)

const figures = {
  'authenticate, key verified lately, µs': await measureCalls(200_000, () =>
    authenticator.authenticate(credentials, ADDRESS),
  ),
  'authenticate, look-up in memory, µs': await measureCalls(5000, () => {
    authenticator.forget(made.id)
    return authenticator.authenticate(credentials, ADDRESS)
  }),
  'checksum, µs': await measureCalls(200_000, () => isWellFormedKey(made.key)),
  'SHA-256 of a key, µs': await measureCalls(5000, () => hashKey(made.key)),
  'seal and open, µs': await measureCalls(2000, async () =>
    sealer.open(await sealer.seal(made.key, context), context),
  ),
  'memory after a million bad keys, MB': measureFailures(),
}
for (const [name, value] of Object.entries(figures)) {
  process.stdout.write(`${name.padEnd(52)} ${value.toFixed(3)}\n`)
}

const storage = await openSqlite({ file: ':memory:' })
const guarded = createAuthenticator({
  store: storage.accounts,
  clock: Date.now,
  limits: { failureBurst: Number.POSITIVE_INFINITY },
})
const real = await generateKey(strongRandom)
const account = { id: 'acc_1', name: 'Ada' }
await storage.accounts.saveAccount({ ...account, createdAt: 1 })
for (let index = 0; index < 1_000; index += 1) {
  const { id, hint, hash: digest } = index === 0 ? real : await generateKey(strongRandom)
  const record = {
    id,
    name: `key ${index}`,
    hint,
    hash: digest,
    sealed: '',
    scopes: ['read'] as const,
  }
  const dates = { createdAt: 1, expiresAt: undefined, revokedAt: undefined, lastUsedAt: Date.now() }
  await storage.accounts.saveKey(account, { ...record, ...dates })
}

/** A well-formed key with a prefix of the real secret and a new rest. */
function forge(shared: number): string {
  const secret = real.key.slice(9, 9 + shared) + toBase62(strongRandom(32), 43).slice(shared)
  return `adk_live_${secret}${toBase62Word(crc32(`adk_live_${secret}`))}`
}

/** Sends a request with the next new key. */
function toLookup(shared: number, leakMs = 0): TimedCall {
  const keys = Array.from({ length: 2 * LOOKUPS + 2_000 }, () => forge(shared))
  const ask = async () => {
    const key = keys.pop() ?? ''
    const found = await guarded.authenticate({ apiKey: key }, '')
    throw new Error(`Cannot measure: the key is of ${found.account.name}`)
  }
  return async () => {
    spin(leakMs)
    const code = await ask().catch(({ code }) => code)
    if (code !== 'unauthenticated') throw new Error(`Cannot measure: ${code}`)
  }
}

const clock = createManualClock()
const users = createApiDiscovery({
  storage: await openSqlite({ file: ':memory:', clock }),
  clock,
  passwords: createScryptHasher({ costLog2: 10 }),
})
const owner = await users.accounts.createAccount('Acme')
await users.users.createUser({ name: 'Ada', password: PASSWORD, account: owner, scopes: ['read'] })

/** Logs in with a wrong password, each time after earlier failures have expired. */
function toLogIn(name: string, leakMs = 0): TimedCall {
  return async () => {
    clock.advance(DAY_MS)
    spin(leakMs)
    const failure = await users.users
      .logIn({ name, password: 'not the password', clientAddress: '' })
      .catch(({ code }) => code)
    if (failure !== 'unauthenticated') throw new Error(`Cannot measure: ${failure}`)
  }
}

const lookups = { samples: LOOKUPS }
const logIns = { samples: LOG_INS }
const comparisons = [
  ['digest: first byte right / none', false, isSameDigest, firstByte],
  ['digest: all but the last digit right / none', false, isSameDigest, allButLast],
  ['digest, control: stops at the first difference', true, isSameEarly, allButLast],
] as const
let isFine = true
function printComparison(name: string, isControl: boolean, comparison: TimingComparison): void {
  const { z, medians, isDifferent } = comparison
  if (isDifferent !== isControl) isFine = false
  const found = isDifferent ? 'differ' : 'same'
  const [left, right] = medians.map((ms) => (ms * 1000).toFixed(1))
  process.stdout.write(
    `${name.padEnd(52)} z ${z.toFixed(1).padStart(7)}, medians ${left} / ${right} µs: ${found}\n`,
  )
}
for (const [name, isControl, isSame, text] of comparisons) {
  const calls = { left: toRepeated(isSame, text), right: toRepeated(isSame, none) }
  printComparison(name, isControl, await compareTimes(calls, { samples: SAMPLES }))
}
for (const [name, isControl, shared, leakMs] of [
  ['unknown key: 4 characters of a real one / none', false, 4, 0],
  ['unknown key: 40 characters of a real one / none', false, 40, 0],
  ['unknown key, control: 10 µs longer', true, 0, 0.01],
] as const) {
  const calls = { left: toLookup(shared, leakMs), right: toLookup(0) }
  printComparison(name, isControl, await compareTimes(calls, lookups))
}
for (const [name, isControl, leakMs] of [
  ['log-in: name that exists / does not', false, 0],
  ['log-in, control: 200 µs longer', true, 0.2],
] as const) {
  const calls = { left: toLogIn('Ada', leakMs), right: toLogIn('Eve') }
  printComparison(name, isControl, await compareTimes(calls, logIns))
}
process.stdout.write(
  `load ${loadavg()[0]?.toFixed(1)}; ${isFine ? 'no leak, all controls found' : 'FAILED'}\n`,
)
process.exitCode = isFine ? 0 : 1
