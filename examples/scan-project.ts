// Finds the third-party APIs that a folder and a source text use: node examples/scan-project.ts
// [FOLDER]
import { createApiDiscovery } from 'api-discovery'
import { openGrammars, scanFolder } from 'api-discovery/scanner'
import {
  buildProjectReport,
  createPackageTable,
  joinDecisions,
  readApiFacts,
  scanProject,
} from 'api-discovery/scans'
import { openSqlite } from 'api-discovery/sqlite'

const storage = await openSqlite({ file: 'apis.db' })
const app = createApiDiscovery({ storage })
const catalogue = await app.loadScanCatalogue()

// Scan a folder in threads.
const found = await scanFolder({ root: process.argv[2] ?? '.', catalogue })
const ids = found.findings.flatMap(({ apiId }) => (apiId === undefined ? [] : [apiId]))
const report = buildProjectReport(found, {
  facts: await readApiFacts({ catalogue: storage.catalogue }, ids),
  decide: joinDecisions([]),
})
for (const { name, vendorName, uses, terms } of report.apis) {
  const endpoints = uses.map(({ method = 'any', url }) => `${method} ${url}`)
  console.log(JSON.stringify({ name, vendorName, endpoints, terms }))
}
for (const { host, count } of report.hosts) console.log(JSON.stringify({ host, count }))

// Scan source texts in this thread, for hosts without a file system.
const text = "const { data } = await axios.get('https://api.github.com/repos/a/b/releases')"
const { findings } = await scanProject({
  files: [{ path: 'releases.js', text }],
  catalogue,
  grammars: await openGrammars(['javascript']),
  ...createPackageTable(),
})
for (const { file, line, method, url } of findings) {
  console.log(JSON.stringify({ file, line, method, url }))
}

await app.close()
