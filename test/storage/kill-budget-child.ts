import { writeSync } from 'node:fs'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { ADA } from '../conformance/storage/gateway-samples.ts'

// Takes calls out of a budget in the file in the first argument, of the day in the second and the
// size in the third, until none is left or it is killed, and writes how many it got each time.
const [file = '', day = '', budget = '0'] = process.argv.slice(2)
const storage = await openSqlite({ file })
writeSync(1, 'ready\n')
for (let turn = 0; ; turn += 1) {
  const request = { keyId: 'key1', day, budget: Number(budget), wanted: 1 + ((turn * 7) % 40) }
  const count = await storage.gateway.takeCalls(ADA, request)
  if (count === 0) break
  writeSync(1, `${count}\n`)
  // Another process that waits does so by timer.
  await new Promise((resolve) => setTimeout(resolve, turn % 3))
}
await storage.close()
