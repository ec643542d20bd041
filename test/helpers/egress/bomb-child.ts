// Calls a target that sends bombs. Prints its own memory growth as JSON.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createDecoder } from '../../../adapters/egress/decoder.ts'
import { createPinnedEgress } from '../../../adapters/egress/pinned-egress.ts'
import { makeBombs } from './bombs.ts'
import { toGet } from './calls.ts'

/** A case, whether it passed, and the memory growth of the process in MB. */
export type BombResult = readonly [name: string, isRight: boolean, megabytes: number]

const MB = 1024 * 1024
const bombs = await makeBombs()
const server = createServer((request, response) => {
  const encoding = (request.url ?? '').slice(1)
  if (encoding in bombs) {
    response.writeHead(200, { 'content-encoding': encoding }).end(bombs[encoding])
    return
  }
  const piece = new Uint8Array(65_536)
  const write = () => {
    while (!response.destroyed && response.write(piece)) {}
    if (!response.destroyed) response.once('drain', write)
  }
  write()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const collectGarbage = toCollector()
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const egress = createPinnedEgress({ allow: ['127.0.0.1'] })
const results: BombResult[] = []

for (const [encoding, bomb] of Object.entries(bombs)) {
  await measureMemory(`passes ${encoding}`, async () => {
    const headers = [['accept-encoding', encoding]] as const
    const answer = await egress.send(toGet(`${url}/${encoding}`, { headers }))
    const pieces: Uint8Array[] = []
    for await (const piece of answer.body) pieces.push(piece)
    const isTold = answer.headers.some(
      ([name, value]) => `${name} ${value}` === `content-encoding ${encoding}`,
    )
    return isTold && Buffer.concat(pieces).equals(bomb)
  })
}

const decode = createDecoder()
for (const [encoding, bomb] of Object.entries(bombs)) {
  await measureMemory(`decodes no ${encoding}`, async () => {
    const limits = { encodings: [encoding], maxBytes: 10 * MB, maxRatio: 100 }
    return (await decode(bomb, limits)) === undefined
  })
}

await measureMemory('holds bodies that nobody reads', async () => {
  const calls = Array.from({ length: 10 }, () => egress.send(toGet(`${url}/endless`)))
  const answers = await Promise.all(calls)
  await new Promise((resolve) => setTimeout(resolve, 200))
  for (const answer of answers) answer.discard()
  return true
})

const { body } = await egress.send(toGet(`${url}/endless`))
const pieces = body[Symbol.asyncIterator]()
// Warms up until the heap has its working size.
await take(200)
await measureMemory('lets a body flow', () => take(300))
process.stdout.write(JSON.stringify(results), () => process.exit(0))

/** Collects garbage every 10 MB, as a busy machine collects it late. */
async function take(megabytes: number): Promise<boolean> {
  for (let tens = 0; tens < megabytes / 10; tens += 1) {
    for (let bytes = 0; bytes < 10 * MB; ) {
      const { value } = await pieces.next()
      bytes += value?.byteLength ?? 0
    }
    collectGarbage()
  }
  return true
}

function toCollector(): () => void {
  if ('Bun' in globalThis) return () => Bun.gc(true)
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

async function measureMemory(name: string, work: () => Promise<boolean>): Promise<void> {
  const before = process.memoryUsage().rss
  let most = before
  const look = () => {
    most = Math.max(most, process.memoryUsage().rss)
  }
  const timer = setInterval(look, 5)
  const isRight = await work()
  clearInterval(timer)
  look()
  results.push([name, isRight, (most - before) / MB])
}
