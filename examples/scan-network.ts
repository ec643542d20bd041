// Tells which third-party APIs files of traffic show: node examples/scan-network.ts FILE…
import { createReadStream } from 'node:fs'
import { createApiDiscovery } from 'api-discovery'
import {
  createNetworkReport,
  createTrafficReader,
  type Flow,
  scanNetwork,
  toSubmittedFlow,
} from 'api-discovery/scans'
import { openSqlite } from 'api-discovery/sqlite'

const app = createApiDiscovery({ storage: await openSqlite({ file: 'apis.db' }) })
const catalogue = await app.scanCatalogue()
const report = createNetworkReport()

// One reader for files that belong together: logs of Zeek are joined over all of them.
async function* readFlows(files: readonly string[]): AsyncIterable<Flow> {
  const reader = createTrafficReader({ ownAddresses: ['192.168.0.0/16'] })
  for (const file of files) {
    const flows = reader.read(createReadStream(file))
    yield* flows
    for (const { at, reason } of flows.report().damaged) console.error(`${file}: ${at}: ${reason}`)
  }
  yield* reader.finish()
}

// Flows are matched as they come, in flat memory; what is to be stored may be kept in a file instead.
const rows = []
for await (const flow of scanNetwork({ flows: readFlows(process.argv.slice(2)), catalogue })) {
  report.add(flow)
  rows.push(toSubmittedFlow(flow))
}
for (const { apiName, flows, requests } of report.apis()) {
  console.log(JSON.stringify({ apiName, flows, requests }))
}
for (const { host, flows } of report.hosts()) console.log(JSON.stringify({ host, flows }))

// As `POST /networks/user_scans/` does, for an account that the host knows.
const head = {
  network_name: 'Office',
  project_name: 'Storefront',
  start_time: rows[0]?.capture_datetime ?? new Date().toISOString(),
  scan_status: 'complete',
} as const
const caller = { account: { id: 'me', name: 'me' }, scopes: new Set(['ingest'] as const) }
const { flows, matched } = await app.call('submitNetworkScan', { head, rows }, caller)
console.log(JSON.stringify({ flows, matched }))

await app.close()
