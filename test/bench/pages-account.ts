import type { ApiDiscovery } from '../../core/index.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import type { ProbeRecord, TestInput, TestResult } from '../../core/rate-limits/records.ts'
import type { Account } from '../../core/shared/account.ts'
import { createNumberGenerator } from '../helpers/random.ts'
import type { FilledApi } from './pages-catalogue.ts'

/** Number of small entities of an account. */
export interface AccountSizes {
  readonly users: number
  readonly keys: number
  readonly runs: number
  readonly reports: number
  readonly calls: number
}

const DAY_MS = 86_400_000
/** The real time, because pages show calls of the last weeks. */
const NOW = Date.now()

/** Adds users, keys, rate-limit runs, import reports and calls to an account. */
export async function fillAccount(
  { storage, app }: { readonly storage: FullStorage; readonly app: ApiDiscovery },
  given: {
    readonly account: Account
    readonly apis: readonly FilledApi[]
    readonly sizes: AccountSizes
  },
): Promise<void> {
  const { account, sizes } = given
  for (let index = 0; index < sizes.keys; index += 1) {
    const name = `Service ${index} nightly`
    await app.accounts.createKey({ account, name, scopes: ['read', 'call'] })
  }
  for (let index = 0; index < sizes.users; index += 1) {
    await app.users.createUser({
      ...{ account, name: `Person ${index}`, scopes: ['read', 'call'] },
      password: `quiet lamps over water ${index}`,
    })
  }
  const keys = await app.accounts.listKeys(account)
  await fillRuns(storage, given)
  await fillReports(storage, given)
  await fillCalls(storage, { ...given, keyIds: keys.map(({ id }) => id) })
}

async function fillRuns(
  { jobs }: FullStorage,
  given: {
    readonly account: Account
    readonly apis: readonly FilledApi[]
    readonly sizes: AccountSizes
  },
): Promise<void> {
  const { account, apis, sizes } = given
  for (let index = 0; index < sizes.runs; index += 1) {
    const api = apis[(index * 7) % apis.length]
    const [, , endpoint = ''] = api?.endpoints[0] ?? []
    const requests = index === sizes.runs - 1 ? 1000 : 60
    const budget = { requests, rate: 50, payloadBytes: 65_536 }
    const input: TestInput = {
      endpoint,
      origin: `https://${api?.host}`,
      budget,
      values: {},
      server: '',
      usesCredentials: false,
      consent: 'operator',
    }
    const now = NOW + index * 60_000
    await jobs.addJob({
      kind: 'rate-limit-test',
      accountId: account.id,
      subject: endpoint,
      lock: `${api?.host}:443`,
      needs: '',
      input: JSON.stringify(input),
      summary: JSON.stringify({ budget }),
      maxAttempts: 5,
      createdAt: now,
      dueAt: now,
    })
    const claimed = await jobs.claimJob({
      ...{ kinds: ['rate-limit-test'], has: [], now, leaseMs: 15_000 },
    })
    if (!claimed) throw new Error('The run could not be claimed')
    const result = toResult({ budget, now })
    const { verdict } = result.verdict
    await jobs.endJob(claimed, {
      ...{ state: 'done', failure: '', now: result.endedAt, result: JSON.stringify(result) },
      summary: JSON.stringify({ budget, verdict, sent: requests }),
    })
  }
}

function toResult(of: { readonly budget: TestInput['budget']; readonly now: number }): TestResult {
  const { budget, now } = of
  const number = createNumberGenerator(now % 1_000_003)
  const records: readonly ProbeRecord[] = Array.from({ length: budget.requests }, (_, index) => {
    const isLimited = index > budget.requests / 2 && index % 3 === 0
    return {
      stage: 'ramp',
      at: index * 20,
      lateMs: number(),
      ms: 20 + 60 * number(),
      inFlight: index % 4,
      ...(isLimited
        ? { outcome: 'limited', status: 429, signal: 'status', waitMs: 1000 }
        : { outcome: 'ok', status: 200 }),
    }
  })
  return {
    verdict: {
      verdict: 'protected',
      text: 'A rate limit was reached: the target responded with status 429.',
      rate: {
        found: true,
        summary: '30 calls in 1.0 s',
        signal: 'status',
        observed: { calls: 30, windowMs: 1000 },
        atRate: 50,
        declared: undefined,
        recoveryMs: 1000,
      },
      payload: { state: 'untested', largestTaken: undefined, smallestRefused: undefined },
      page: { state: 'untested', parameter: undefined },
    },
    evidence: {
      budget,
      declared: { has429: true, headers: [], limits: [], seen: { calls: 30, limited: 1 } },
      records,
      stop: 'limit_found',
      attempts: 1,
      sent: budget.requests,
    },
    beganAt: now,
    endedAt: now + 30_000,
  }
}

async function fillReports(
  { imports }: FullStorage,
  given: {
    readonly account: Account
    readonly apis: readonly FilledApi[]
    readonly sizes: AccountSizes
  },
): Promise<void> {
  const { account, apis, sizes } = given
  for (let index = 0; index < sizes.reports; index += 1) {
    const api = apis[index % apis.length]
    const at = NOW + index * 1000
    const head = {
      at,
      by: account,
      fileName: `api-${index}.yaml`,
      vendorName: api?.vendor.name ?? '',
    }
    const counts = { operations: 50, webhooks: 0, callbacks: 0, parameters: 210, added: 50 }
    const others = { changed: 0, removed: 0, unchanged: 0, skipped: 0 }
    // The last one has the maximum number of stored warnings.
    const warnings = Array.from(
      { length: index === sizes.reports - 1 ? 100 : index % 5 },
      (_, line) => ({
        pointer: `/paths/~1orders~1{id}/get/parameters/${line}/schema/properties/total`,
        message: 'The type is not known: taken as text',
      }),
    )
    await imports.addReport(
      index % 10 === 8
        ? {
            ...{ ...head, apiId: '', apiName: '' },
            outcome: {
              kind: 'failed',
              code: 'invalid_description',
              message: 'The file is no description',
              where: 'line 3, column 7',
            },
          }
        : {
            ...{ ...head, apiId: api?.encryptedId ?? '', apiName: api?.name ?? '' },
            outcome: {
              kind: 'imported',
              report: { ...counts, ...others, warnings },
              warningCount: warnings.length,
            },
          },
      sizes.reports,
    )
  }
}

const BATCH = 500

async function fillCalls(
  { gateway }: FullStorage,
  given: {
    readonly account: Account
    readonly apis: readonly FilledApi[]
    readonly sizes: AccountSizes
    readonly keyIds: readonly string[]
  },
): Promise<void> {
  const { account, apis, sizes, keyIds } = given
  for (let start = 0; start < sizes.calls; start += BATCH) {
    const calls = Array.from({ length: Math.min(BATCH, sizes.calls - start) }, (_, at) => {
      const index = start + at
      const api = apis[(index * 13) % apis.length]
      const [method = 'get', , endpoint = ''] = api?.endpoints[index % api.endpoints.length] ?? []
      return {
        account,
        keyId: keyIds[index % keyIds.length] ?? '',
        source: 'key' as const,
        client: '',
        endpointId: index % 1000,
        endpoint,
        apiId: api?.id ?? 0,
        method: method.toUpperCase(),
        origin: `https://${api?.host}`,
        startedAt: NOW - 60 * DAY_MS + Math.floor((index / sizes.calls) * 60 * DAY_MS),
        status: index % 20 === 0 ? 503 : 200,
        failure: index % 50 === 0 ? ('target_timeout' as const) : ('' as const),
        bytes: 2_000 + (index % 9_000),
        ms: 20 + (index % 300),
      }
    })
    await gateway.saveCalls(calls)
  }
}
