import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { findEgressFailure, readAnswer, toGet } from '../helpers/egress/calls.ts'
import { ok, startRawTarget } from '../helpers/egress/raw-target.ts'

const readCertificate = (name: string) =>
  readFileSync(new URL(`../helpers/certificates/${name}`, import.meta.url), 'utf8')

const seen: (readonly [sni: string | false | null, host: string | undefined])[] = []
const servers: ReturnType<typeof createServer>[] = []
const ports: Record<string, number> = {}
let connections = 0

async function listenWithCertificate(name: string): Promise<number> {
  const server = createServer(
    {
      cert: readCertificate(`${name}.pem`),
      key: readCertificate(`${name}.key.pem`),
      ALPNProtocols: ['http/1.1'],
    },
    (socket: TLSSocket) => {
      connections += 1
      socket.on('error', () => socket.destroy())
      socket.on('data', (data) => {
        seen.push([socket.servername, /host: (\S+)/i.exec(data.toString())?.[1]])
        if (data.toString().startsWith('GET /breaks')) socket.end()
        else socket.write(ok('secret'))
      })
    },
  )
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function openEgress(ca: string | undefined = readCertificate('ca.pem')) {
  return createPinnedEgress({ ca, allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] })
}

beforeAll(async () => {
  ports.pinned = await listenWithCertificate('pinned')
  ports.other = await listenWithCertificate('other')
})

afterAll(() => {
  for (const server of servers) server.close()
})

describe('a call over TLS', () => {
  it('connects to the checked address with the name as server name, host and certificate name', async () => {
    const egress = openEgress()
    seen.length = 0
    const url = `https://pinned.test:${ports.pinned}/`
    expect(await readAnswer(egress, toGet(url))).toEqual([200, 'secret'])
    expect(seen).toEqual([['pinned.test', `pinned.test:${ports.pinned}`]])
    egress.close()
  })

  it('keeps its connection for the same name only', async () => {
    const egress = openEgress()
    const before = connections
    for (let n = 0; n < 3; n += 1) {
      await readAnswer(egress, toGet(`https://pinned.test:${ports.pinned}/`))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(connections - before).toBe(1)
    const foreign = toGet(`https://foreign.test:${ports.pinned}/`)
    expect(await findEgressFailure(egress, foreign)).toBe('connect_failed, unsent')
    egress.close()
  })

  it('is retried if its reused connection breaks without a response', async () => {
    const egress = openEgress()
    const url = `https://pinned.test:${ports.pinned}`
    await readAnswer(egress, toGet(`${url}/`))
    await new Promise((resolve) => setTimeout(resolve, 10))
    seen.length = 0
    expect(await findEgressFailure(egress, toGet(`${url}/breaks`))).toBe('connect_failed')
    expect(seen).toHaveLength(2)
    egress.close()
  })

  it('accepts an address in the certificate, without a server name', async () => {
    const egress = openEgress()
    seen.length = 0
    const url = `https://127.0.0.1:${ports.pinned}/`
    expect(await readAnswer(egress, toGet(url))).toEqual([200, 'secret'])
    expect(seen.map(([sni, host]) => [sni || '', host])).toEqual([
      ['', `127.0.0.1:${ports.pinned}`],
    ])
    egress.close()
  })

  it.each([
    ['of another name', 'https://pinned.test', 'other'],
    ['that does not hold the address', 'https://127.0.0.1', 'other'],
  ])('rejects a certificate %s before sending', async (_, origin, server) => {
    const egress = openEgress()
    seen.length = 0
    const request = toGet(`${origin}:${ports[server]}/`)
    expect(await findEgressFailure(egress, request)).toBe('connect_failed, unsent')
    expect(seen).toEqual([])
    egress.close()
  })

  it('rejects a certificate of an unknown authority', async () => {
    const egress = createPinnedEgress({
      allow: ['127.0.0.1'],
      resolve: async () => ['127.0.0.1'],
    })
    seen.length = 0
    const request = toGet(`https://pinned.test:${ports.pinned}/`)
    expect(await findEgressFailure(egress, request)).toBe('connect_failed, unsent')
    expect(seen).toEqual([])
    egress.close()
  })

  it('reports a failed connection to a server without TLS', async () => {
    const egress = openEgress()
    const target = await startRawTarget((socket) => socket.write(ok('x')))
    const request = toGet(`https://127.0.0.1:${target.port}/`, { limits: { connectMs: 200 } })
    expect(await findEgressFailure(egress, request)).toMatch(/^connect_(failed|timeout), unsent$/)
    expect(target.requests).toEqual([])
    await target.close()
    egress.close()
  })
})
