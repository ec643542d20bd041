import { writeSync } from 'node:fs'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createVulnerabilityLoads } from '../../core/vulnerabilities/service.ts'
import { sampleBatches } from './kill-load-records.ts'

// Loads records until it is killed, and writes the number of the last record after each complete
// load. Resumes an interrupted load. Arguments: file, milliseconds by which the clock is ahead.
const [file = '', ahead = '0'] = process.argv.slice(2)
const clock = () => Date.now() + Number(ahead)
const storage = await openSqlite({ file, clock })
const loads = createVulnerabilityLoads({ store: storage.vulnerabilities, clock })
writeSync(1, 'ready\n')
for (let load = 0; load < 10_000; load += 1) {
  const at = Number((await loads.readCheckpoint('nvd')) ?? 0)
  await loads.loadRecords(sampleBatches(at, 6), { source: 'nvd', takeOver: true })
  writeSync(1, `${await loads.readCheckpoint('nvd')}\n`)
}
