import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBehindProxy, type ProxiedPremises } from '../helpers/proxy.ts'
import { PASSWORD } from '../helpers/users.ts'

const PREFIX = '/discovery'

describe.each([
  ['keeps', false],
  ['strips', true],
])('Behind a proxy that %s the public path', (_, isStripping) => {
  let open: ProxiedPremises

  beforeAll(async () => {
    open = await openBehindProxy({ prefix: PREFIX, isStripping })
  })

  afterAll(() => open.close())

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(open.proxy.origin + path, { headers, redirect: 'manual' })

  /** Logs in like a browser. Returns the cookie that it would then send. */
  async function logIn(): Promise<string> {
    const first = await get(`${PREFIX}/console/apis`)
    expect([first.status, first.headers.get('location')]).toEqual([
      303,
      `${PREFIX}/console/login?next=%2Fconsole%2Fapis`,
    ])
    const form = await get(first.headers.get('location') ?? '')
    const [formCookie = ''] = form.headers.getSetCookie()
    expect(formCookie).toMatch(/^__Secure-api-discovery-form=[^;]+; Path=\/discovery; Secure;/)
    const page = await form.text()
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page) ?? []
    const [, token = ''] = /name="form_token" value="(\w+)"/.exec(page) ?? []
    const [, next = ''] = /name="next" value="([^"]+)"/.exec(page) ?? []
    const fields = { form_token: token, next, name: 'Root', password: PASSWORD }
    const entered = await fetch(open.proxy.origin + action, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        cookie: formCookie.split(';')[0] ?? '',
        origin: open.proxy.origin,
        'sec-fetch-site': 'same-origin',
      },
      body: new URLSearchParams(fields),
    })
    expect([entered.status, entered.headers.get('location')]).toEqual([
      303,
      `${PREFIX}/console/apis`,
    ])
    const [session = ''] = entered.headers.getSetCookie()
    expect(session).toMatch(/^__Secure-api-discovery-session=[^;]+; Path=\/discovery; Secure;/)
    return session.split(';')[0] ?? ''
  }

  it('serves every page and file linked from the console', async () => {
    const headers = { cookie: await logIn() }
    const waiting = [`${PREFIX}/`]
    const seen = new Map<string, number>()
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const response = await get(path, headers)
      seen.set(path, response.status)
      const location = response.headers.get('location')
      const text = await response.text()
      const links = [...text.matchAll(/(?:href|src|data-hx-get)="(\/[^"#]*)/g)].map(
        ([, link = '']) => link.replaceAll('&amp;', '&'),
      )
      for (const [, action] of text.matchAll(/action="(\/[^"]*)"/g)) {
        expect(action, `a form of ${path}`).toMatch(/^\/discovery\/console\//)
      }
      for (const link of location === null ? links : [location]) {
        // One page of each kind is sufficient: the first page of lists.
        const kind = link.replace(/\?.*$/, '')
        const isKnown = [...seen.keys(), ...waiting].some((each) => each.split('?')[0] === kind)
        if (!isKnown && !/\/CVE-|\/plot$/.test(kind)) waiting.push(link)
      }
    }
    const faults = [...seen].filter(
      ([path, status]) => !path.startsWith(`${PREFIX}/`) || ![200, 303].includes(status),
    )
    expect(faults).toEqual([])
    expect([...seen.keys()].map((path) => path.split('?')[0])).toEqual(
      expect.arrayContaining([
        `${PREFIX}/console/apis`,
        `${PREFIX}/console/scans`,
        `${PREFIX}/console/vulnerabilities`,
        `${PREFIX}/console/account/users`,
        `${PREFIX}/console/status`,
      ]),
    )
  })

  it('shows links and commands that work externally', async () => {
    const headers = { cookie: await logIn() }
    const submit = await (await get(`${PREFIX}/console/scans/submit`, headers)).text()
    expect(submit).toContain(`--submit ${open.proxy.origin}${PREFIX}/api`)
    expect(submit).not.toContain(open.server.url)
    const api = await (await get(`${PREFIX}/console/account`, headers)).text()
    expect(api).toContain(`action="${PREFIX}/console/account/keys"`)
  })

  it('serves operations, reference and catalogue, with public paths', async () => {
    const key = { 'api-key': open.premises.keys.all }
    expect((await get(`${PREFIX}/api/categories`, key)).status).toBe(200)
    const document = (await (await get(`${PREFIX}/openapi.json`)).json()) as {
      readonly servers: unknown
      readonly paths: Readonly<Record<string, { readonly servers: unknown }>>
    }
    expect(document.servers).toEqual([{ url: '/discovery/api' }])
    expect(document.paths['/healthz']?.servers).toEqual([{ url: '/discovery' }])
    expect(document.paths['/docs']?.servers).toEqual([
      { url: '/discovery/api' },
      { url: '/discovery' },
    ])
    const docs = await (await get(`${PREFIX}/docs`)).text()
    expect(docs).toContain('href="/discovery/api/openapi.json"')
    expect(docs).toContain('$SERVER/discovery/api/endpoint_list')
    expect(await (await get(`${PREFIX}/.well-known/api-catalog`)).json()).toEqual({
      linkset: [
        {
          anchor: '/discovery/api',
          'service-desc': [{ href: '/discovery/api/openapi.json', type: 'application/json' }],
          'service-doc': [{ href: '/discovery/api/docs', type: 'text/html' }],
          status: [{ href: '/discovery/readyz', type: 'application/json' }],
        },
      ],
    })
    const { entries } = (await (await get(`${PREFIX}/.well-known/ai-catalog.json`)).json()) as {
      readonly entries: readonly { readonly url?: string }[]
    }
    const base = `${open.proxy.origin}/discovery/api`
    expect(entries.map(({ url }) => url)).toEqual([
      `${base}/openapi.json`,
      `${base}/ard`,
      `${base}/ai-catalog.json`,
    ])
    expect((await fetch(`${base}/ai-catalog.json`, { headers: key })).status).toBe(200)
    expect(await (await get(`${PREFIX}/llms.txt`)).text()).toContain(`(${base}/openapi.json)`)
    expect((await get(`${PREFIX}/images/categories/news-media.svg`)).status).toBe(200)
  })

  it('responds to a direct probe without the path', async () => {
    const statuses = await Promise.all(
      ['/healthz', '/discovery/healthz', '/readyz', '/console/login', '/discoveryx'].map(
        async (path) => (await fetch(open.server.url + path, { redirect: 'manual' })).status,
      ),
    )
    expect(statuses).toEqual([200, 200, 200, 200, 404])
  })

  it('rejects forms of another site', async () => {
    const cookie = await logIn()
    const refused = await fetch(`${open.proxy.origin}${PREFIX}/console/logout`, {
      method: 'POST',
      headers: { cookie, origin: 'https://elsewhere.example', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({}),
    })
    expect(refused.status).toBe(403)
  })
})
