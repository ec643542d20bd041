import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createJobs } from '../../core/jobs/jobs.ts'
import { TIMERS } from '../../core/shared/timers.ts'

// Runs jobs of kind `sample` until the end condition (`idle` or `aborted`) or until it is killed.
// Writes `began ID` for each attempt, and `done ID` when its end is stored. Arguments: database,
// milliseconds by which the clock is ahead, end condition, and `held` to wait for a line in the first
// attempts.
const [address = '', ahead = '0', until = 'idle', held] = process.argv.slice(2)
const released = held === undefined ? undefined : once(process.stdin, 'data')
const clock = () => Date.now() + Number(ahead)
const storage = address.startsWith('postgres:')
  ? await openPostgres({ url: address, clock })
  : await openSqlite({ file: address, clock })
const jobs = createJobs({
  store: storage.jobs,
  handlers: {
    async sample({ id, fence, attempts }, { save }) {
      writeSync(1, `began ${id}\n`)
      await released
      await save(`${fence}`)
      await TIMERS.sleep((id * 37) % 13)
      if (id % 10 === 0 && attempts === 1) throw new Error('The first attempt fails')
      return { state: 'done', result: `${fence} ${process.pid}`, failure: '' }
    },
  },
  retentionMs: undefined,
  clock,
  timers: TIMERS,
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  logger: {
    log(_, event, fields) {
      if (event === 'job_left' && fields?.as === 'done') writeSync(1, `done ${fields.id}\n`)
    },
  },
})
writeSync(1, 'ready\n')
await jobs.run({ until: until === 'idle' ? 'idle' : 'aborted' })
await storage.close()
