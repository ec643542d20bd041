import { describe, expect, it } from 'vitest'
import { createScryptHasher } from '../../../adapters/secret/scrypt.ts'

/** RFC 7914 section 12: password "pleaseletmein", salt "SodiumChloride", N 16384, r 8, p 1, its first half. */
const VECTOR =
  '$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI'

const quick = createScryptHasher({ costLog2: 4 })

describe('scrypt', () => {
  it('creates hashes with the cost recommended by OWASP, each with its own salt', async () => {
    const hasher = createScryptHasher()
    const hash = await hasher.hash('a password')
    expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await hasher.verify('a password', hash)).toBe(true)
    const [first, second] = [await quick.hash('a'), await quick.hash('a')]
    expect(first).not.toBe(second)
    expect(await quick.verify('a', first)).toBe(true)
    expect(await quick.verify('b', first)).toBe(false)
  })

  it('verifies hashes of other implementations', async () => {
    const hasher = createScryptHasher({ costLog2: 10 })
    expect(await hasher.verify('pleaseletmein', VECTOR)).toBe(true)
    expect(await hasher.verify('pleaseletmeout', VECTOR)).toBe(false)
  })

  it('detects hashes with an outdated cost', async () => {
    const hash = await quick.hash('a')
    expect(quick.isOutdated(hash)).toBe(false)
    expect(createScryptHasher({ costLog2: 5 }).isOutdated(hash)).toBe(true)
    expect(createScryptHasher({ costLog2: 3 }).isOutdated(hash)).toBe(false)
    expect(quick.isOutdated('no hash')).toBe(false)
  })

  it.each([
    '',
    'a',
    '$scrypt$ln=4,r=8,p=1$$',
    '$scrypt$ln=0,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI',
    VECTOR,
    VECTOR.replace('ln=14', 'ln=63'),
    VECTOR.replace('scrypt', 'argon2id'),
  ])('matches no password with the hash %j, which is invalid or too costly', async (hash) => {
    expect(await quick.verify('pleaseletmein', hash)).toBe(false)
  })

  it('processes preferred passwords first', async () => {
    const hasher = createScryptHasher({ costLog2: 4, concurrency: 1, maxWaiting: 2 })
    const done: string[] = []
    const work = (name: string, worker: Pick<typeof hasher, 'hash'> = hasher) =>
      worker.hash('a password').then(
        () => done.push(name),
        ({ code }) => done.push(`${name} ${code}`),
      )
    const flood = ['first', 'second', 'third', 'fourth'].map((name) => work(name))
    const preferred = ['fifth', 'sixth', 'seventh'].map((name) => work(name, hasher.preferred))
    await Promise.all([...flood, ...preferred])
    expect(done).toEqual([
      ...['fourth overloaded', 'seventh overloaded'],
      ...['first', 'fifth', 'sixth', 'second', 'third'],
    ])
  })

  it('processes two passwords at a time, queues some, and rejects the rest', async () => {
    const hasher = createScryptHasher({ costLog2: 4, concurrency: 2, maxWaiting: 3 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => hasher.hash('a password')),
    )
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
      Array.from({ length: 10 }, (_, n) => n < 5),
    )
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(new Set(refused.map(({ code, retryAfter }) => `${code} ${retryAfter}`))).toEqual(
      new Set(['overloaded 5']),
    )
    expect(await hasher.verify('a password', await hasher.hash('a password'))).toBe(true)
  })
})
