import { Agent, get } from 'node:http'
import process from 'node:process'

// What test/bench/rate-limit.ts sends from processes of its own, each request at its time whatever
// comes of those before; prints JSON at the end. `reads`: the URLs in turn, at an even rate after a
// second of warming up; latencies from the sending on. `floor`: one URL at the times of a ramp, by
// nothing but timers.
//   node test/bench/rate-limit-load.ts reads RATE SECONDS KEY URL…
//   node test/bench/rate-limit-load.ts floor URL OFFSET,…

/** What `reads` prints, in milliseconds. */
export interface Reads {
  readonly count: number
  readonly p50: number
  readonly p99: number
  /** How late this process itself was. */
  readonly ownP99: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function ask(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${url} answered ${response.statusCode}`))
      })
      response.resume()
    }).on('error', reject)
  })
}

/** Calls `send` at each of the times, in milliseconds from now; resolves when all are done. */
async function atTimes(
  times: readonly number[],
  send: (index: number, at: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now()
  const sent: Promise<void>[] = []
  for (const [index, time] of times.entries()) {
    const at = startedAt + time
    for (let left = at - performance.now(); left > 0; left = at - performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, left))
    }
    sent.push(send(index, at))
  }
  await Promise.all(sent)
}

function toPercentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function read(words: readonly string[]): Promise<Reads> {
  const [rate = 0, seconds = 0] = words.map(Number)
  const [, , key = '', ...urls] = words
  const latencies: number[] = []
  const lateness: number[] = []
  const times = Array.from({ length: rate * (seconds + 1) }, (_, index) => (index * 1000) / rate)
  await atTimes(times, async (index, at) => {
    const sentAt = performance.now()
    await ask(urls[index % urls.length] ?? '', { 'api-key': key })
    if (index < rate) return
    latencies.push(performance.now() - sentAt)
    lateness.push(sentAt - at)
  })
  return {
    count: latencies.length,
    p50: toPercentile(latencies, 0.5),
    p99: toPercentile(latencies, 0.99),
    ownP99: toPercentile(lateness, 0.99),
  }
}

const [, , kind, ...words] = process.argv
if (kind === 'reads') process.stdout.write(`${JSON.stringify(await read(words))}\n`)
if (kind === 'floor') {
  const [url = '', offsets = ''] = words
  await atTimes(offsets.split(',').map(Number), () => ask(url, {}))
  process.stdout.write('{}\n')
}
agent.destroy()
