import { writeSync } from 'node:fs'
import { createPinnedEgress } from '../../adapters/egress/pinned.ts'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'

// Does the rate-limit tests of the database in the first argument, whose host is in the second, until it is
// killed, with a clock that is ahead by the third. Writes the number of each test that it ends.
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
