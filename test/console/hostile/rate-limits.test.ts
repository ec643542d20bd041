import { expect, test } from 'vitest'
import { expectAll, openHostileConsole } from '../../helpers/hostile-console.ts'
import { inParts, listHostileTexts, toLines } from '../../helpers/hostile-texts.ts'

test('Texts of rate-limit tests and their endpoints are escaped', async () => {
  const shown = await openHostileConsole()
  const { jobs } = shown.storage
  const texts = inParts(toLines(listHostileTexts(), 150), 10).map((part) => part.join(' '))
  const budget = { requests: 60, rate: 5, payloadBytes: 65_536 }
  const now = Date.now()
  const endpoints: string[] = []
  for (const [index, text] of texts.entries()) {
    const endpoint = `${index} ${[...text].slice(0, 60).join('')}`.trim()
    endpoints.push(endpoint)
    const input = { endpoint, origin: 'https://api.example', budget, values: { q: text } }
    await jobs.addJob({
      kind: 'rate-limit-test',
      accountId: shown.account.id,
      subject: endpoint,
      lock: `host ${index}`,
      needs: '',
      input: JSON.stringify({ ...input, server: '', usesCredentials: false, consent: 'token' }),
      summary: JSON.stringify({ budget }),
      maxAttempts: 5,
      createdAt: now,
      dueAt: now,
    })
    const asked = { kinds: ['rate-limit-test'], has: [], now, leaseMs: 15_000 }
    const claimed = await jobs.claimJob(asked)
    expect(claimed).toBeDefined()
    if (claimed) await jobs.endJob(claimed, { state: 'failed', result: '', failure: text, now })
  }
  const runs = texts.map((_, index) => `/console/rate-limits/${index + 1}`)
  expectAll(await shown.read(runs), texts)
  const lists = inParts(runs, 25).map((_, index) => `?page=${index + 1}`)
  expectAll(await shown.read(lists.map((query) => `/console/rate-limits${query}`)), endpoints)
  expectAll(await shown.read(lists.map((query) => `/console/status${query}`)), texts)
  await shown.root.get('/console/rate-limits/new')
  for (const endpoint of texts) {
    const seen = await shown.root.send('/console/rate-limits/new', { endpoint })
    expect(seen.status).toBe(404)
  }
  await shown.close()
})
