import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFlows } from '../helpers/captures.ts'
import { findSharedData } from '../helpers/shared-data.ts'

/** Checks for exactly the names that another tool found in the same captures. */
const data = findSharedData()
const folder = data && join(data, 'captures')

/** That tool's names of the protocols that we support. */
const OURS = ['DNS', 'MDNS', 'TLS', 'QUIC', 'HTTP', 'HTTP_Proxy']

interface Difference {
  readonly added?: readonly string[]
  readonly missing?: readonly string[]
  readonly reason: string
}

const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'dns-exf.pcap': {
    added: ['h4sicn03_2qaa3rlc3qudhh0aavjycxwakjehelu5klueow0zjxulgage-.4s2fgaaaa__-.test.txt'],
    missing: ['4sicn03_2qaa3rlc3qudhh0aavjycxwakjehelu5klueow0zjxulgage-.4s2fgaaaa__-.test.txt'],
    reason: 'the tool keeps the last 79 characters of a name, we keep all',
  },
  'ossfuzz_seed_fake_traces_3.pcapng': {
    added: ['example.com'],
    reason: 'an HTTP request with a Host, which the tool takes for a game',
  },
  'pop3_stls.pcap': {
    added: ['pop.lavabit.com'],
    reason: 'a ClientHello after STLS, which the tool lists as mail',
  },
}

describe.skipIf(!folder)('captures outside the project', () => {
  const names = folder ? readdirSync(join(folder, 'pcap')) : []

  it.each(names)('%s contains the expected names', async (name) => {
    const { flows, report } = await readFlows(readFileSync(join(folder ?? '', 'pcap', name)))
    const found = new Set(flows.flatMap(({ host }) => host ?? []))
    const { added = [], missing = [] } = DIFFERENCES[name] ?? {}
    const expected = new Set([...readExpected(name), ...added])
    for (const host of missing) expected.delete(host)
    expect([...found].sort()).toEqual([...expected].sort())
    expect(report.damaged).toEqual([])
  })

  it.each(names)('%s contains the same in chunks of 1000 bytes', async (name) => {
    const capture = readFileSync(join(folder ?? '', 'pcap', name))
    const pieces = await readFlows(capture, { pieceBytes: 1000 })
    expect(pieces).toEqual(await readFlows(capture))
  })
})

/** Reads the expected names of flows with our protocols. */
function readExpected(name: string): Set<string> {
  const text = readFileSync(join(folder ?? '', 'pcap-expected', `${name}.out`), 'latin1')
  const hosts = new Set<string>()
  for (const line of text.split('\n')) {
    const [, host] = /\[Hostname\/SNI: ([^\]]*)\]/.exec(line) ?? []
    const [, protocol = ''] = /\[proto: (?:[A-Za-z_]+:)?[\d.]+\/([A-Za-z_0-9]+)/.exec(line) ?? []
    if (host !== undefined && OURS.includes(protocol)) hosts.add(host)
  }
  return hosts
}
