// Runs a rate-limit test of an endpoint. In the repository, run `npm run build` first:
// node examples/rate-limit-test.ts
// The target runs on this machine and allows ten calls in two seconds. The operator allows the
// test.
import { createServer } from 'node:http'
import { createApiDiscovery, SCOPES } from 'api-discovery'
import { createPinnedEgress } from 'api-discovery/egress'
import { openSqlite } from 'api-discovery/sqlite'

const PERIOD_MS = 2_000

const taken = new Map<number, number>()
const target = createServer((_, response) => {
  const period = Math.floor(Date.now() / PERIOD_MS)
  const calls = (taken.get(period) ?? 0) + 1
  taken.set(period, calls)
  if (calls > 10) response.writeHead(429, { 'retry-after': '2' })
  response.end('{}')
})
await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
const address = target.address()
const place = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Tides', version: '1.0.0' },
  servers: [{ url: `http://${place}` }],
  paths: { '/tides': { get: { responses: { 200: { description: 'High and low water' } } } } },
}

const egress = createPinnedEgress({ allow: [place] })
const app = createApiDiscovery({
  storage: await openSqlite({ file: ':memory:' }),
  egress,
  // Only hosts listed here, and hosts that serve the account's token, are tested.
  rateLimitTests: { hosts: [place], contact: 'ops@harbour.example' },
})
try {
  await app.imports.importDescription({
    bytes: new TextEncoder().encode(JSON.stringify(DESCRIPTION)),
    vendorName: 'Harbour Office',
    createVendor: true,
    isPublic: false,
  })
  const account = await app.accounts.createAccount('me')
  const caller = { account, scopes: new Set(SCOPES) }
  const [api] = (await app.call('searchEndpoints', { q: 'tides' }, caller)).endpoints
  const endpoint_id = api?.matched_endpoints[0]?.endpoint_id ?? ''
  const asked = { endpoint_id, requests: 60, rate: 20 }
  console.log((await app.call('startRateLimitTest', asked, caller)).result)
  // A server runs jobs continuously: `until: 'aborted'`, with a signal.
  await app.runJobs()
  const answer = await app.call('getRateLimitResult', { endpoint_id, extended: true }, caller)
  console.log(JSON.stringify({ verdict: answer.extended?.verdict, sent: answer.extended?.sent }))
  console.log(answer.result)
  console.log(answer.test_case)
} finally {
  await app.close()
  egress.close()
  target.close()
}
