import type { ApiDiscovery } from '../../core/api-discovery.ts'
import type { Contract } from '../../core/contract.ts'
import type { CallInput } from '../../core/http/call-types.ts'
import type { Caller } from '../../core/shared/account.ts'

/** The seeded project scan: code that calls three of the example APIs. */
export const PROJECT_HEAD = {
  project_name: 'Storefront',
  datetime_created: '2026-03-13 09:30',
} as const

type Sent<Name extends 'submitProjectScan' | 'submitNetworkScan'> = CallInput<
  Contract[Name]
>['rows'] extends Iterable<infer Row> | AsyncIterable<infer Row>
  ? Row
  : never

/** Rows of the seeded project scan. */
export const ENDPOINTS: readonly Sent<'submitProjectScan'>[] = [
  {
    endpoint_url: 'https://eu.api.skycast.example/v2/forecast',
    endpoint_method: 'GET',
    found_in: [
      { file: 'src/weather.ts', line: 12, column: 9 },
      { file: 'src/jobs/nightly.ts', line: 40 },
    ],
    confidence: 0.95,
  },
  {
    endpoint_url: 'https://api.ledgerly.example/v1/payments',
    endpoint_method: 'post',
    found_in: [{ file: 'src/pay.py' }],
    package: 'pkg:pypi/ledgerly@1.2.0',
  },
  { endpoint_url: 'https://api.ledgerly.example/v1/unheard-of', endpoint_method: 'get' },
  { endpoint_url: 'https://unknown.example/v1', found_in: [] },
]

/** Head of the seeded network scan in its first batch. */
export const NETWORK_HEAD = {
  network_name: 'Office',
  project_name: 'Storefront',
  organization: 'Example Ltd',
  nic_ip: '/192.0.2.10 /2001:db8::10 ',
  nic_name: 'eth0',
  mac_address: '02:00:5E:00:53:01 ',
  start_time: '2026-03-13T10:00:00.250000+01:00',
  scan_status: 'running',
  scan_data_send_freq: '00:10:00',
  batch: 1,
} as const

/** Flows of the seeded network scan in its first batch. */
export const FLOWS: readonly Sent<'submitNetworkScan'>[] = [
  {
    captured_ip: '203.0.113.7',
    port: 443,
    host: 'EU.api.skycast.example',
    direction: 'Outgoing',
    capture_datetime: '2026-03-13T09:00:01+00:00',
  },
  {
    captured_ip: '203.0.113.8',
    port: 80,
    host: 'maps.wayfare.example',
    direction: 'Outgoing',
    capture_datetime: '2026-03-13T09:00:02+00:00',
    method: 'GET',
    url: 'https://maps.wayfare.example/api/geocode',
  },
  {
    captured_ip: '198.51.100.3',
    direction: 'Incoming',
    capture_datetime: '2026-03-13T09:00:03+00:00',
  },
]

/**
 * Adds a project scan and a network scan of two batches to an account. The project scan is reviewed,
 * unless the storage has no reviews.
 */
export async function fillScans(
  { call }: ApiDiscovery,
  caller: Caller,
  hasReviews = true,
): Promise<void> {
  const { project_id } = await call(
    'submitProjectScan',
    { head: PROJECT_HEAD, rows: ENDPOINTS },
    caller,
  )
  const endpoints = [
    {
      endpoint_url: 'https://eu.api.skycast.example/v2/forecast',
      approval: 'yes' as const,
      reason: 'Signed.',
    },
    { endpoint_url: 'https://api.ledgerly.example/v1/payments', approval: 'no' as const },
  ]
  if (hasReviews) await call('reviewProjectScan', { body: { project_id, endpoints } }, caller)
  const first = { head: NETWORK_HEAD, rows: FLOWS }
  const { instance_id } = await call('submitNetworkScan', first, caller)
  const end = {
    instance_id,
    batch: 2,
    scan_status: 'interrupted',
    end_time: '2026-03-13T09:20:00Z',
  } as const
  const more = FLOWS.slice(0, 1).map((flow) => ({
    ...flow,
    capture_datetime: '2026-03-13T09:15:00Z',
  }))
  await call('submitNetworkScan', { head: end, rows: more }, caller)
}
