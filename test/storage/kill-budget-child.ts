import { writeSync } from 'node:fs'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { ADA } from '../conformance/storage/gateway-samples.ts'

// Takes calls from a budget until none is left or it is killed, and writes each granted number.
// Arguments: file, day, size of the budget.
const [file = '', day = '', budget = '0'] = process.argv.slice(2)
const storage = await openSqlite({ file })
writeSync(1, 'ready\n')
for (let turn = 0; ; turn += 1) {
  const request = { keyId: 'key1', day, budget: Number(budget), wanted: 1 + ((turn * 7) % 40) }
  const count = await storage.gateway.takeCalls(ADA, request)
  if (count === 0) break
  writeSync(1, `${count}\n`)
  // Waits for a timer, like another process.
  await new Promise((resolve) => setTimeout(resolve, turn % 3))
}
await storage.close()
