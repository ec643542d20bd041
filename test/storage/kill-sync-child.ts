import { writeSync } from 'node:fs'
import { createHttpGet } from '../../adapters/egress/http-get.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createVulnerabilities } from '../../core/vulnerabilities/service.ts'
import { sleep } from '../../core/vulnerabilities/sync/sleep.ts'
import { syncNvd } from '../../core/vulnerabilities/sync/sync-nvd.ts'

// Syncs with a local server until it is killed: everything, or the rest of it, then increments.
// Writes the number of records after each sync. Arguments: file, milliseconds by which the clock is
// ahead, URL of the server.
const [file = '', ahead = '0', url = ''] = process.argv.slice(2)
const clock = () => Date.now() + Number(ahead)
const storage = await openSqlite({ file, clock })
const vulnerabilities = createVulnerabilities({ store: storage.vulnerabilities, clock })
const { get } = createHttpGet({ allow: ['127.0.0.1'] })
writeSync(1, 'ready\n')
for (;;) {
  await syncNvd({
    vulnerabilities,
    clock,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    // The local server has no rate limit.
    sleep: (ms, signal) => sleep(Math.min(ms, 1), signal),
    get,
    baseUrl: url,
    pageSize: 40,
    isForced: true,
    takeOver: true,
  })
  writeSync(1, `${(await vulnerabilities.status()).records}\n`)
}
