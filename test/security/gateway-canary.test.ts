import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { makeFolder } from '../helpers/folder.ts'
import type { MirroredRequest } from '../helpers/mirror-target.ts'
import { LISTENERS, type ServedGateway, serveGateway } from '../helpers/served-gateway.ts'

/** Secrets that may appear only in the positions below. */
const SECRETS = {
  header: 'canary-header-7Kq2',
  query: 'canary-query-9Xw4',
  cookie: 'canary-cookie-3Pz8',
  bearer: 'canary-bearer-5Rt6',
  password: 'canary-password-1Mn0',
  client: 'canary-client-8Lk3',
  token: 'canary-token-2Bv7',
} as const

const BASIC = btoa(`user:${SECRETS.password}`)
const CLIENT = btoa(`client:${SECRETS.client}`)
const ALL_SECRETS = [...Object.values(SECRETS), BASIC, CLIENT]

/** Path of a request that may contain a secret, the start of its line, and the secret. */
const BELONGS: readonly (readonly [path: string, line: RegExp, secret: string])[] = [
  ['/header', /^x-token: /i, SECRETS.header],
  ['/query', /^GET /, SECRETS.query],
  ['/cookie', /^cookie: /i, SECRETS.cookie],
  ['/bearer', /^authorization: bearer /i, SECRETS.bearer],
  ['/basic', /^authorization: basic /i, BASIC],
  ['/token', /^authorization: basic /i, CLIENT],
  ['/oauth', /^authorization: bearer /i, SECRETS.token],
  // Without a security requirement, all credentials of the API are sent to its origin.
  ['/open', /^x-token: /i, SECRETS.header],
  ['/open', /^GET /, SECRETS.query],
  ['/open', /^cookie: /i, SECRETS.cookie],
  ['/open', /^authorization: bearer /i, SECRETS.bearer],
]

/** Splits a received request into lines. */
function toLines({ method, target, headers, body }: MirroredRequest): readonly string[] {
  return [
    `${method} ${target}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    new TextDecoder().decode(body),
  ]
}

function credentialsOf(origin: string): readonly Readonly<Record<string, unknown>>[] {
  const origins = [origin]
  return [
    { kind: 'header', name: 'X-Token', value: SECRETS.header, origins },
    { kind: 'query', name: 'token', value: SECRETS.query, origins },
    { kind: 'cookie', name: 'session', value: SECRETS.cookie, origins },
    { kind: 'bearer', value: SECRETS.bearer, origins },
    { kind: 'BasicAuth', username: 'user', password: SECRETS.password, origins },
    {
      kind: 'OAuth2',
      client_id: 'client',
      client_secret: SECRETS.client,
      token_url: `${origin}/token`,
      origins,
    },
  ]
}

/** Sends the key in all positions of a request. */
async function fetchWithKey(
  { url, service }: ServedGateway,
  path: string,
  init: { readonly method?: string; readonly body?: string } = {},
) {
  const key = service.keys.all
  const response = await fetch(`${url}/api${path}`, {
    redirect: 'manual',
    ...init,
    headers: {
      'api-key': key,
      authorization: `Bearer ${key}`,
      cookie: `api-key=${key}`,
      referer: `${url}/?api-key=${key}`,
      'x-forwarded-for': key,
      'x-api-key': key,
      'if-none-match': '"tag"',
      'accept-language': 'de',
    },
  }).catch(() => undefined)
  const headers = response ? JSON.stringify([...response.headers]) : ''
  const body = await response?.text().catch(() => '')
  return { status: response?.status ?? 0, text: `${headers}\n${body}` }
}

describe.each(LISTENERS)('canary key and credentials over the %s listener', (listener) => {
  it('appear only in the requests where they belong', async () => {
    const folder = await makeFolder()
    const gateway = await serveGateway({
      listener,
      limits: { firstByteMs: 300, totalMs: 2_000, idleMs: 500 },
      openStorage: (clock) => openSqlite({ file: folder.pathOf('catalogue.db'), clock }),
    })
    const { target, other, ids, service } = gateway
    const answers: string[] = []
    const call = async (name: string, query = '', body = '{"q":"x"}') => {
      const path = `/gateway?endpoint_id=${ids[name]}${query}`
      const answer = await fetchWithKey(gateway, path, { method: 'POST', body })
      answers.push(answer.text)
      return answer.status
    }

    const [api] = await service.storage.catalogue.findApisByName({ vendorName: 'Mirror' })
    for (const credential of credentialsOf(target.origin)) {
      const body = JSON.stringify({ api_id: api?.id, ...credential })
      const answer = await fetchWithKey(gateway, '/gateway/credentials', { method: 'PUT', body })
      answers.push(answer.text)
      expect([credential.kind, answer.status]).toEqual([credential.kind, 200])
    }

    const names = ['header', 'query', 'cookie', 'bearer', 'basic', 'oauth', 'open']
    const token = JSON.stringify({
      access_token: SECRETS.token,
      token_type: 'bearer',
      expires_in: 600,
    })
    const asToken = { headers: [['content-type', 'application/json']], body: token } as const
    const ends = {
      fine: { body: 'fine' },
      refused: { status: 401, body: 'who?' },
      failed: { status: 500, body: 'no' },
      moved: { status: 307, headers: [['location', `${other.origin}/taken?q=1`]] },
      silent: 'silent',
      broken: 'broken',
      closed: 'closed',
    } as const
    for (const [end, answer] of Object.entries(ends)) {
      target.answer(({ target }) => (target === '/token' ? asToken : answer))
      for (const name of names) {
        if (end === 'silent' && name !== 'header') continue
        await call(name, end === 'moved' ? '&follow_redirects=true' : '')
      }
    }
    // The target returns the request: the caller may see it, but stored data must not contain it.
    target.answer(({ target }) => (target === '/token' ? asToken : undefined))
    const shown = answers.length
    for (const name of names) expect([name, await call(name, '&record=true')]).toEqual([name, 200])
    answers.length = shown
    for (const name of names) expect([name, await call(name, '&dry_run=true')]).toEqual([name, 200])
    expect(await call('header', '', '{"q":{"a":1},"color":1}')).toBe(400)
    expect(await call('header', '&server=https://evil.example')).toBe(400)
    for (const path of [
      ...['/gateway/credentials', '/gateway/history?size=100', '/gateway/policies'],
      ...['/gateway/recordings?size=100', '/openapi.json', '/../metrics'],
    ]) {
      answers.push((await fetchWithKey(gateway, path)).text)
    }
    const recordings = await service.app.gateway.recordings.list(service.caller.account, {
      size: 100,
      page: 1,
    })
    expect(recordings.total).toBe(names.length)
    for (const { id } of recordings.items) {
      answers.push((await fetchWithKey(gateway, `/gateway/recording?recording_id=${id}`)).text)
      await fetchWithKey(gateway, '/gateway/recordings/publish', {
        method: 'POST',
        body: JSON.stringify({ recording_id: id }),
      })
    }
    for (const id of Object.values(ids)) {
      answers.push((await fetchWithKey(gateway, `/data_example?endpoint_id=${id}`)).text)
    }
    await service.app.gateway.flush()

    // All requests that the target received, line by line.
    const found = new Set<string>()
    for (const request of [...target.requests, ...other.requests]) {
      const path = request.target.split('?')[0]
      for (const line of toLines(request)) {
        expect(line).not.toContain(service.keys.all)
        for (const secret of ALL_SECRETS.filter((each) => line.includes(each))) {
          const place = BELONGS.find(
            ([at, how, what]) => at === path && how.test(line) && what === secret,
          )
          expect([path, line, place !== undefined]).toEqual([path, line, true])
          found.add(secret)
        }
      }
    }
    expect([...found].sort()).toEqual([...new Set(BELONGS.map(([, , secret]) => secret))].sort())
    // Redirects were followed without credentials.
    expect(other.requests.length).toBeGreaterThan(3)

    const files = await readAllFiles(folder.pathOf(''))
    expect(files).toContain('X-Token')
    const places = { answers, log: gateway.log, files: [files] }
    for (const [place, texts] of Object.entries(places)) {
      expect(texts.length).toBeGreaterThan(0)
      for (const secret of [service.keys.all, ...ALL_SECRETS]) {
        const shown = texts.filter((text) => text.includes(secret))
        expect([place, secret, shown]).toEqual([place, secret, []])
      }
    }
    await gateway.close()
    await folder.remove()
  }, 180_000)
})

async function readAllFiles(folder: string): Promise<string> {
  const names = await readdir(folder)
  const files = await Promise.all(names.map((name) => readFile(`${folder}/${name}`, 'latin1')))
  return files.join('\n')
}
