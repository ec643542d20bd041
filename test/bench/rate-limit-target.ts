import { createServer } from 'node:http'
import process from 'node:process'

// The target of test/bench/rate-limit.ts: stamps each arrival. Listens on so many ports, a host each
// to a budget, and prints them as a JSON list. `/arrivals` gives the instants since it was last asked.
//   node test/bench/rate-limit-target.ts PORTS

function startTarget(): Promise<number> {
  let arrivals: number[] = []
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const now = performance.now()
    response.setHeader('content-type', 'application/json')
    if (request.url === '/arrivals') {
      response.end(JSON.stringify(arrivals))
      arrivals = []
      return
    }
    arrivals.push(now)
    response.end('{"ok":true}')
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}

const [, , count] = process.argv
const ports = await Promise.all(Array.from({ length: Number(count) }, startTarget))
process.stdout.write(`${JSON.stringify(ports)}\n`)
