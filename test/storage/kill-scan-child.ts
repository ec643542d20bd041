import { writeSync } from 'node:fs'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'

// Stores batches of a network scan until it is killed. Writes the number of each stored batch, and
// `ready` after the first one. Arguments: file, first number.
const [file = '', start = '0'] = process.argv.slice(2)
const storage = await openSqlite({ file })
const app = createApiDiscovery({ storage })
const account = { id: 'killed', name: 'Killed' }
const caller = { account, scopes: new Set(['ingest' as const]) }
const head = {
  network_name: 'Net',
  project_name: 'Killed',
  start_time: '2026-03-14T08:00:00Z',
  scan_status: 'running' as const,
}
const { instance_id } = await app.call('submitNetworkScan', { head, rows: [] }, caller)
for (let batch = Number(start); batch < 10_000; batch += 1) {
  const flow = {
    captured_ip: '192.0.2.1',
    direction: 'Outgoing' as const,
    capture_datetime: '2026-03-14T08:00:00Z',
  }
  const rows = Array.from({ length: 2500 }, (_, index) => ({ ...flow, host: `h${batch}-${index}` }))
  await app.call('submitNetworkScan', { head: { instance_id, batch }, rows }, caller)
  await app.call('submitNetworkScan', { head: { instance_id, batch }, rows }, caller)
  writeSync(1, `${batch}\n`)
  if (batch === Number(start)) writeSync(1, 'ready\n')
}
