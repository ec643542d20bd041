import { describe, expect, it } from 'vitest'
import { bodyText, headerValues, startMirrorTarget } from '../helpers/mirror-target.ts'
import { openRaw, rawRequest } from '../helpers/raw-http.ts'

describe('the mirror target', () => {
  it('tells a request as it arrived', async () => {
    const target = await startMirrorTarget()
    const { status, body } = await rawRequest(
      target.origin,
      'POST //a/../b?x=%2f&y=[1] HTTP/1.1\r\nHost: a\r\nX-B: 1\r\nx-b: \xe9\r\ncontent-length: 2\r\n\r\nhi',
    )
    await target.close()
    const [request] = target.requests
    expect(request).toEqual({
      method: 'POST',
      target: '//a/../b?x=%2f&y=[1]',
      headers: [
        ['Host', 'a'],
        ['X-B', '1'],
        ['x-b', 'é'],
        ['content-length', '2'],
      ],
      body: new TextEncoder().encode('hi'),
    })
    if (!request) throw new Error('unreachable')
    expect([bodyText(request), headerValues(request, 'x-b')]).toEqual(['hi', ['1', 'é']])
    expect([status, JSON.parse(Buffer.from(body, 'latin1').toString())]).toEqual([
      200,
      { ...request, body: 'hi' },
    ])
  })

  it('answers as it is told: statuses, headers, streams, redirects', async () => {
    const target = await startMirrorTarget()
    async function* pieces() {
      yield new TextEncoder().encode('one ')
      yield new TextEncoder().encode('two')
    }
    const answers = [
      { status: 302, headers: [['location', '/b'] as const] },
      { status: 599, body: 'x', headers: [['a', '1'] as const, ['a', '2'] as const] },
      { body: pieces() },
    ]
    target.answer(() => answers.shift())
    const seen = []
    for (let index = 0; index < 3; index += 1) {
      const { status, headers, body } = await rawRequest(
        target.origin,
        'GET / HTTP/1.1\r\nhost: a\r\n\r\n',
      )
      seen.push([status, headers.location ?? headers.a, body])
    }
    await target.close()
    expect(seen).toEqual([
      [302, '/b', ''],
      [599, '1, 2', 'x'],
      [200, undefined, 'one two'],
    ])
  })

  it('stalls, breaks off and counts its connections', async () => {
    const target = await startMirrorTarget()
    for (const answer of ['stalled', 'broken', 'closed', 'silent'] as const) {
      target.answer(() => answer)
      const before = target.requests.length
      const connection = await openRaw(target.origin)
      connection.send('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
      await target.whenAsked(before + 1)
      if (answer === 'stalled') expect((await connection.readHead()).status).toBe(200)
      if (answer === 'broken' || answer === 'closed') await connection.readToEnd()
      connection.close()
    }
    expect(target.connections).toBe(4)
    await target.close()
    expect(target.open).toBe(0)
  })
})
