import { writeSync } from 'node:fs'
import { createBrotli } from '../../adapters/feeds/compression.ts'
import { readFeedFile } from '../../adapters/feeds/feed-files.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createVulnerabilities } from '../../core/vulnerabilities/service.ts'
import { sleep } from '../../core/vulnerabilities/sync/sleep.ts'
import { pullArchive } from '../../core/vulnerabilities/transfer/pull.ts'

// Pulls archives in turn until it is killed. Writes a line for each event, and the name of each
// archive after it is loaded. Arguments: file, milliseconds by which the clock is ahead, paths of the archives.
const [file = '', ahead = '0', ...archives] = process.argv.slice(2)
const clock = () => Date.now() + Number(ahead)
const storage = await openSqlite({ file, clock })
const vulnerabilities = createVulnerabilities({ store: storage.vulnerabilities, clock })
writeSync(1, 'ready\n')
for (;;) {
  for (const name of archives) {
    await pullArchive({
      vulnerabilities,
      clock,
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      sleep,
      source: { name, open: async () => ({ bytes: readFeedFile(name), close: () => {} }) },
      compression: createBrotli(),
      isForced: true,
      takeOver: true,
      onEvent: () => void writeSync(1, 'event\n'),
    })
    writeSync(1, `${name}\n`)
  }
}
