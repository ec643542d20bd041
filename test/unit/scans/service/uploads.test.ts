import { describe, expect, it } from 'vitest'
import type { ApiDiscoveryOptions } from '../../../../core/app-options.ts'
import type { Contract } from '../../../../core/contract.ts'
import type { CallInput } from '../../../../core/http/call-types.ts'
import { sweepAll } from '../../../conformance/storage/scan-samples.ts'
import { FLOWS, NETWORK_HEAD } from '../../../helpers/scan-seed.ts'
import { openTestService, type TestService } from '../../../helpers/service.ts'

type Project = CallInput<Contract['submitProjectScan']>

const HEAD = { project_name: 'Shop' }

/** The storage stores 2,500 rows in three batches. */
function rows(count = 2500): Project['rows'] {
  return Array.from({ length: count }, (_, index) => ({
    endpoint_url: `https://api.pigeon.example/v3/messages?n=${index}`,
  }))
}

/** Yields rows, then fails. */
async function* broken(count: number) {
  yield* rows(count) as Iterable<{ endpoint_url: string }>
  throw new Error('The connection was lost')
}

async function withService(
  run: (service: TestService) => Promise<void>,
  app: Partial<ApiDiscoveryOptions> = {},
): Promise<void> {
  const service = await openTestService({ app })
  try {
    await run(service)
  } finally {
    await service.close()
  }
}

function submitProject({ app, caller }: TestService, input: Project) {
  return app.call('submitProjectScan', input, caller)
}

/** Returns all stored scan data except for the seeded scans. */
async function readTotals({ storage }: TestService): Promise<unknown> {
  return (await storage.scans.totals()).find(({ kind }) => kind === 'project')
}

const SEEDED = { kind: 'project', scans: 1, rows: 4, matched: 3 }

describe('uploads of scans', () => {
  it('are stored once in any format, at any time and however many are concurrent', () =>
    withService(async (service) => {
      const answers = await Promise.all(
        [1, 2, 3].map(() => submitProject(service, { head: HEAD, rows: rows() })),
      )
      expect(answers[0]).toMatchObject({ endpoints: 2500, matched: 2500 })
      service.clock.advance(86_400_000)
      const json = JSON.stringify({ ...HEAD, scan_details: rows() })
      const lines = [HEAD, ...(rows() as Iterable<object>)].map((each) => JSON.stringify(each))
      const asked = [
        ['application/json', json],
        ['application/x-www-form-urlencoded', json],
        ['application/x-ndjson', lines.join('\n')],
        ['application/x-www-form-urlencoded', lines.join('\r\n')],
      ] as const
      for (const [contentType, body] of asked) {
        const headers = { 'api-key': service.keys.all, 'content-type': contentType }
        const request = new Request('http://service.test/api/scanned/projects', {
          method: 'POST',
          headers,
          body,
        })
        answers.push(await (await service.app.fetch(request)).json())
      }
      expect(answers).toEqual(answers.map(() => answers[0]))
      expect(await readTotals(service)).toEqual({
        kind: 'project',
        scans: 2,
        rows: 2504,
        matched: 2503,
      })
      expect(await sweepAll(service.storage.scans)).toBe(1)
    }))

  it('differ by head, order or key', () =>
    withService(async (service) => {
      const [first, second] = rows(2) as readonly { endpoint_url: string }[]
      if (!first || !second) return
      const inputs: Project[] = [
        { head: HEAD, rows: [first, second] },
        { head: HEAD, rows: [second, first] },
        { head: HEAD, rows: [first] },
        { head: { project_name: 'shop' }, rows: [first] },
        { head: { ...HEAD, datetime_created: '2026-03-01T00:00:00Z' }, rows: [first] },
        { head: HEAD, rows: [first], 'idempotency-key': 'a' },
        { head: HEAD, rows: [first], 'idempotency-key': 'b' },
      ]
      const ids = new Set<string>()
      for (const input of inputs) ids.add((await submitProject(service, input)).project_id)
      expect(ids.size).toBe(inputs.length)
      const again = await submitProject(service, {
        head: HEAD,
        rows: [first],
        'idempotency-key': 'b',
      })
      expect(ids.has(again.project_id)).toBe(true)
      await expect(
        submitProject(service, { head: HEAD, rows: [second], 'idempotency-key': 'b' }),
      ).rejects.toMatchObject({ code: 'conflict' })
    }))

  it('leave nothing if they are aborted, and can be repeated', () =>
    withService(async (service) => {
      const key = { 'idempotency-key': 'night' }
      for (const count of [0, 1, 2500]) {
        const input = { head: HEAD, rows: broken(count), ...key }
        await expect(submitProject(service, input)).rejects.toThrow('The connection was lost')
      }
      const wrong = [...(rows() as Iterable<{ endpoint_url: string }>), { endpoint_url: '' }]
      await expect(
        submitProject(service, { head: HEAD, rows: wrong, ...key }),
      ).rejects.toMatchObject({
        code: 'invalid_input',
        issues: [{ name: 'scan_details.2500.endpoint_url' }],
      })
      expect(await readTotals(service)).toEqual(SEEDED)
      expect(await sweepAll(service.storage.scans)).toBe(1)
      const stored = await submitProject(service, { head: HEAD, rows: rows(), ...key })
      expect(stored).toMatchObject({ endpoints: 2500, matched: 2500 })
    }))

  it('are limited per scan and per account', () =>
    withService(
      async (service) => {
        const large = { head: HEAD, rows: rows(1201) }
        await expect(submitProject(service, large)).rejects.toMatchObject({
          code: 'too_large',
          message: 'Cannot store the scan: at most 1200 rows are accepted',
        })
        await submitProject(service, { head: HEAD, rows: rows(1200) })
        await expect(submitProject(service, { head: HEAD, rows: rows(1) })).rejects.toMatchObject({
          code: 'conflict',
          message: 'Cannot store the scan: the account already has 3 scans. Remove some',
        })
        // Repeated uploads and additions to existing scans are still accepted.
        await expect(submitProject(service, large)).rejects.toMatchObject({ code: 'conflict' })
        const { app, caller } = service
        const [scan] = (await app.call('listNetworkScans', {}, caller)).scan_details
        const more = (count: number) => ({
          head: { instance_id: scan?.instance_id ?? '', batch: count },
          rows: Array.from({ length: count }, () => ({ ...FLOW })),
        })
        const [FLOW] = FLOWS as readonly [(typeof FLOWS)[number]]
        await expect(app.call('submitNetworkScan', more(1197), caller)).rejects.toMatchObject({
          code: 'too_large',
        })
        expect(await app.call('submitNetworkScan', more(1196), caller)).toMatchObject({
          flows: 1196,
        })
      },
      { scanLimits: { maxRows: 1200, maxScans: 3 } },
    ))

  it('reject limits that a storage does not support', async () => {
    for (const maxRows of [0, 4_000_001, Number.NaN]) {
      const opening = openTestService({ app: { scanLimits: { maxRows } }, isEmpty: true })
      await expect(opening).rejects.toThrow(RangeError)
    }
  })
})

describe('batches of network scans', () => {
  it('are stored once by number, in sequence', () =>
    withService(async (service) => {
      const { app, caller } = service
      const head = { ...NETWORK_HEAD, network_name: 'Lab' }
      const first = await app.call('submitNetworkScan', { head, rows: FLOWS }, caller)
      const { instance_id } = first
      expect(first).toMatchObject({ flows: 3, matched: 2 })
      expect(await app.call('submitNetworkScan', { head, rows: FLOWS }, caller)).toEqual(first)
      const batch = { instance_id, batch: 2, scan_status: 'interrupted' as const }
      const send = (rows: typeof FLOWS) =>
        app.call('submitNetworkScan', { head: batch, rows }, caller)
      const both = await Promise.all([send(FLOWS.slice(1)), send(FLOWS.slice(1))])
      expect(both).toEqual([
        { ...first, flows: 2, matched: 1 },
        { ...first, flows: 2, matched: 1 },
      ])
      await expect(send(FLOWS)).rejects.toMatchObject({ code: 'conflict' })
      const repeated = { head: { instance_id, batch: 1 }, rows: FLOWS }
      await expect(app.call('submitNetworkScan', repeated, caller)).rejects.toMatchObject({
        code: 'conflict',
      })
      const { scan_details } = await app.call('listNetworkScans', {}, caller)
      expect(scan_details.find((each) => each.instance_id === instance_id)).toMatchObject({
        scan_status: 'interrupted',
        end_time: '2026-03-14T08:00:00+00:00',
      })
      const { scan_mappings } = await app.call('getNetworkScanMappings', { instance_id }, caller)
      expect(scan_mappings.mappings.map(({ captured_ip }) => captured_ip)).toEqual(
        [0, 1, 2, 1, 2].map((index) => FLOWS[index]?.captured_ip),
      )
      const resumed = { instance_id, batch: 3, scan_status: 'running' as const }
      await app.call('submitNetworkScan', { head: resumed, rows: [] }, caller)
      const now = (await app.call('listNetworkScans', {}, caller)).scan_details
      expect(now.find((each) => each.instance_id === instance_id)).toMatchObject({
        scan_status: 'running',
        end_time: '',
      })
    }))

  it('are rejected if they end before they start', () =>
    withService(async ({ app, caller }) => {
      const send = (end_time: string) => {
        const head = { ...NETWORK_HEAD, network_name: 'Lab', end_time }
        return app.call('submitNetworkScan', { head, rows: [] }, caller)
      }
      const start = NETWORK_HEAD.start_time
      await expect(send('2020-01-01T00:00:00Z')).rejects.toMatchObject({
        code: 'invalid_input',
        issues: [{ in: 'body', name: 'end_time', message: 'must not be before start_time' }],
      })
      expect(await send(start)).toMatchObject({ flows: 0 })
    }))

  it('belong to the repository of their project and network, or to the named one', () =>
    withService(async (service) => {
      const { app, caller } = service
      const send = async (changes: object) =>
        (
          await app.call(
            'submitNetworkScan',
            { head: { ...NETWORK_HEAD, ...changes }, rows: [] },
            caller,
          )
        ).repo_id
      const [seeded] = (await app.call('listNetworkScans', {}, caller)).scan_details
      const times = ['2026-03-14T01:00:00Z', '2026-03-14T02:00:00Z']
      const same = { network_name: ' OFFICE', project_name: 'storefront' }
      expect(await send({ ...same, start_time: times[0] })).toBe(seeded?.repo_id)
      const others = await Promise.all(
        times.map((start_time) => send({ start_time, network_name: 'Lab' })),
      )
      expect(others[0]).toBe(others[1])
      expect(others[0]).not.toBe(seeded?.repo_id)
      expect(await send({ network_name: 'Own', repo_id: 'mine' })).toBe('mine')
      expect(await send({ network_name: 'Own', start_time: times[1] })).toBe('mine')
    }))
})
