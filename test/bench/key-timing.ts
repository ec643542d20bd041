// What authentication costs, what failed attempts leave in memory, and whether the time of a
// comparison tells how much of a digest was right: `node test/bench/key-timing.ts`, on any runtime.
import { memoryUsage } from 'node:process'
import { createAuthenticator } from '../../core/accounts/authenticator.ts'
import { createKey, hashKey, isSameDigest, isWellFormedKey } from '../../core/accounts/keys.ts'
import { createSealer } from '../../core/accounts/seal.ts'
import { createMemoryAccounts } from '../helpers/memory-accounts.ts'
import { createSeededRandom, strongRandom } from '../helpers/random.ts'

const SAMPLES = 100_000
const REPEATS = 20
const BAD_KEYS = 1_000_000
const ADDRESS = '192.0.2.1'

const store = createMemoryAccounts()
const authenticator = createAuthenticator({ store, clock: Date.now })
const made = await createKey(strongRandom)
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

/** Microseconds a call, the best of five rounds. */
async function measure(calls: number, call: () => unknown): Promise<number> {
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

/** The digest with its first digits right and the others wrong. Flat, as a joined text is slower. */
function mixDigits(right: number): string {
  const digits = [...hash].map((digit, at) => (at < right ? digit : digit === 'f' ? '0' : 'f'))
  return digits.join('')
}

/** Welch's t of the times that comparing two texts with a digest takes, measured in turns. */
function compareTimes(digest: string, left: string, right: string): number {
  const random = createSeededRandom(4)
  const times: [number[], number[]] = [[], []]
  let matches = 0
  for (let sample = 0; sample < 2 * SAMPLES; sample += 1) {
    const side = ((random(1)[0] ?? 0) & 1) as 0 | 1
    const text = side === 0 ? left : right
    const startedAt = performance.now()
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      if (isSameDigest(digest, text)) matches += 1
    }
    times[side].push(performance.now() - startedAt)
  }
  if (matches > 0) throw new Error('Cannot measure: the texts must differ from the digest')
  const [first, second] = times.map(describeSample)
  if (!first || !second) return Number.NaN
  return (first.mean - second.mean) / Math.sqrt(first.error + second.error)
}

/** Mean and squared standard error of the samples below the 99th percentile. */
function describeSample(samples: number[]) {
  const kept = samples.toSorted((a, b) => a - b).slice(0, Math.floor(samples.length * 0.99))
  const mean = kept.reduce((sum, each) => sum + each, 0) / kept.length
  const variance = kept.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (kept.length - 1)
  return { mean, error: variance / kept.length }
}

/**
 * MB by which resident memory grew over a million distinct bad keys from as many addresses, after
 * as many that let the heap grow to its working size.
 */
function measureFailures(): number {
  const attempt = (index: number) => {
    try {
      authenticator.authenticate(
        { apiKey: `adk_live_${index}` },
        `10.${index >>> 16}.${(index >>> 8) & 255}.${index & 255}`,
      )
    } catch {
      // Refused, as it must be.
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
  'authenticate, key verified lately, µs': await measure(200_000, () =>
    authenticator.authenticate(credentials, ADDRESS),
  ),
  'authenticate, look-up in memory, µs': await measure(5000, () => {
    authenticator.forget(made.id)
    return authenticator.authenticate(credentials, ADDRESS)
  }),
  'checksum, µs': await measure(200_000, () => isWellFormedKey(made.key)),
  'SHA-256 of a key, µs': await measure(5000, () => hashKey(made.key)),
  'seal and open, µs': await measure(2000, async () =>
    sealer.open(await sealer.seal(made.key, context), context),
  ),
  'Welch t, first byte right against none': compareTimes(hash, firstByte, none),
  'Welch t, all but the last digit right against none': compareTimes(hash, allButLast, none),
  'memory after a million bad keys, MB': measureFailures(),
}
for (const [name, value] of Object.entries(figures)) {
  process.stdout.write(`${name.padEnd(52)} ${value.toFixed(3)}\n`)
}
