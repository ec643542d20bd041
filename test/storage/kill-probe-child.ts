import { writeSync } from 'node:fs'
import { createPinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'

// Runs rate-limit tests until it is killed, and writes the number of each test that it ends.
// Arguments: database, host, milliseconds by which the clock is ahead.
const [address = '', host = '', aheadMs = '0'] = process.argv.slice(2)
const clock = () => Date.now() + Number(aheadMs)
const storage = address.startsWith('postgres:')
  ? await openPostgres({ url: address, clock })
  : await openSqlite({ file: address, clock })
const egress = createPinnedEgress({ allow: [host] })
const app = createApiDiscovery({
  storage,
  clock,
  egress,
  rateLimitTests: { hosts: [host] },
  logger: {
    log(_, event, fields) {
      if (event === 'rate_limit_test_ended') writeSync(1, `${fields?.run}\n`)
    },
  },
})
writeSync(1, 'ready\n')
await app.runJobs({ until: 'aborted', signal: new AbortController().signal })
