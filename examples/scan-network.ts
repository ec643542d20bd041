// Finds the third-party APIs in traffic files: node examples/scan-network.ts FILE…
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
const catalogue = await app.loadScanCatalogue()
const report = createNetworkReport()

// Use one reader for files that belong together: Zeek logs are joined across files.
async function* readFlows(files: readonly string[]): AsyncIterable<Flow> {
  const reader = createTrafficReader({ ownAddresses: ['192.168.0.0/16'] })
  for (const file of files) {
    const flows = reader.read(createReadStream(file))
    yield* flows
    for (const { at, reason } of flows.report().damaged) console.error(`${file}: ${at}: ${reason}`)
  }
  yield* reader.finish()
}

// Flows are matched as a stream in constant memory. Flows to store could be written to a file.
const rows = []
for await (const flow of scanNetwork({ flows: readFlows(process.argv.slice(2)), catalogue })) {
  report.add(flow)
  rows.push(toSubmittedFlow(flow))
}
for (const { apiName, flows, requests } of report.apis()) {
  console.log(JSON.stringify({ apiName, flows, requests }))
}
for (const { host, flows } of report.hosts()) console.log(JSON.stringify({ host, flows }))

// Stores the scan for an account, like `POST /networks/user_scans/`.
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
