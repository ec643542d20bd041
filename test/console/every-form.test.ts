import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { SESSION_COOKIE } from '../../adapters/web/cookies.ts'
import { listPages } from '../../adapters/web/pages.ts'
import { SCOPES } from '../../core/shared/account.ts'
import { apiOf, type TourIds } from '../helpers/console-stops.ts'
import { openTour, type Tour } from '../helpers/console-tour.ts'
import type { Browser, Seen } from '../helpers/console-visit.ts'
import { makeFolder } from '../helpers/folder.ts'
import { TESTED } from '../helpers/rate-limit-seed.ts'
import { PASSWORD } from '../helpers/users.ts'

/** A valid form. */
interface Form {
  /** Path below the console. */
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** Status of the response. */
  readonly status: number
}

const posts = listPages({ hasOwnLogIn: true }).filter(({ method }) => method === 'POST')

let folder: Awaited<ReturnType<typeof makeFolder>>
let tour: Tour
let root: Browser
beforeAll(async () => {
  folder = await makeFolder()
  const file = folder.pathOf('forms.db')
  tour = await openTour({ openStorage: (clock) => openSqlite({ file, clock }) })
  root = tour.filled.open()
  await root.logIn('Root')
  await root.get('/console/account')
})
afterAll(async () => {
  await tour.close()
  await folder.remove()
})

/** Digests of the database files. */
async function readStored(): Promise<string> {
  const files = ['forms.db', 'forms.db-wal'].map((name) => readFile(folder.pathOf(name)))
  const digests = (await Promise.all(files)).map((bytes) => crypto.subtle.digest('SHA-256', bytes))
  return (await Promise.all(digests)).map((digest) => new Uint8Array(digest).join(' ')).join('\n')
}

/** Returns a valid form for each page with a form; destructive forms come last. */
function listForms(ids: TourIds): Readonly<Record<string, Form>> {
  const [project, network] = [`/scans/projects/${ids.after}`, `/scans/networks/${ids.network}`]
  const review = { whole: '1', review_status: 'complete', is_approved: 'yes' }
  const words = 'paper boats in the harbour'
  return {
    '/apis/:id/endpoints/:endpointId': form(ids.weather.slice('/console'.length), 409, {
      shape: 'stale',
    }),
    '/apis/:id/endpoints/:endpointId/answer': form(
      `${ids.weather.slice('/console'.length)}/answer`,
      200,
      { content: 'e30', type: 'application/hta' },
    ),
    '/apis/:id/credentials': form(`${apiOf(ids.weather)}/credentials`, 303, {
      type: 'query:appid',
      name: 'appid',
      value: 'canary',
      origins: 'https://eu.api.skycast.example',
    }),
    '/apis/:id/agreements': form(`${apiOf(ids.weather)}/agreements`, 303, {
      seen: ids.noAgreements,
      type_0: 'Pricing',
      link_0: 'https://skycast.example/pricing',
    }),
    '/credentials/:credentialId/remove': form(`/credentials/${ids.credential}/remove`, 303, {
      confirmed: 'yes',
    }),
    '/scans/submit': form('/scans/submit', 400),
    '/scans/projects/:id/review': form(`${project}/review`, 303, review),
    '/scans/networks/:id/review': form(`${network}/review`, 303, review),
    '/scans/projects/:id/vendor': form(`${project}/vendor`, 400),
    '/scans/networks/:id/vendor': form(`${network}/vendor`, 400),
    '/scans/projects/:id/match': form(`${project}/match`, 303),
    '/scans/networks/:id/match': form(`${network}/match`, 303),
    '/scans/projects/:id/remove': form(`${project}/remove`, 303),
    '/scans/networks/:id/remove': form(`${network}/remove`, 303),
    '/rate-limits/new': form('/rate-limits/new', 400, {
      endpoint: TESTED,
      shape: ids.shape,
      rate: 'x',
    }),
    '/rate-limits/:run/stop': form(`/rate-limits/${ids.run}/stop`, 303),
    '/imports/new': form('/imports/new', 422, { text: '{' }),
    '/account/keys': form('/account/keys', 303, { name: 'x', scope: 'read' }),
    '/account/keys/:id/show': form(`/account/keys/${ids.key}/show`, 200),
    '/account/keys/:id/policy': form(`/account/keys/${ids.key}/policy`, 303, { daily_budget: '5' }),
    '/account/keys/:id/policy/remove': form(`/account/keys/${ids.key}/policy/remove`, 303, {
      confirmed: 'yes',
    }),
    '/account/keys/:id/rotate': form(`/account/keys/${ids.key}/rotate`, 303),
    '/account/keys/:id/revoke': form(`/account/keys/${ids.key}/revoke`, 303, { confirmed: 'yes' }),
    '/account/users': form('/account/users', 200, { scope: 'read' }),
    '/account/invitations/:id/revoke': form(`/account/invitations/${ids.link}/revoke`, 303),
    '/account/users/:id/reset': form(`/account/users/${ids.user}/reset`, 200),
    '/account/users/:id/scopes': form(`/account/users/${ids.user}/scopes`, 303, { scope: 'call' }),
    '/account/users/:id/remove': form(`/account/users/${ids.user}/remove`, 303, {
      confirmed: 'yes',
    }),
    '/account/password': form('/account/password', 303, {
      old_password: PASSWORD,
      password: words,
      repeated: words,
    }),
    '/welcome': form('/welcome', 303, {
      token: ids.invitation,
      name: 'Eve',
      password: words,
      repeated: words,
    }),
    '/login': form('/login', 303, { name: 'Reader', password: PASSWORD }),
    '/logout': form('/logout', 303),
  }
}

function form(path: string, status: number, fields: Form['fields'] = {}): Form {
  return { path: `/console${path}`, status, fields }
}

const FOREIGN: readonly (readonly [string, Form['fields'], Readonly<Record<string, string>>])[] = [
  ['without a token', { form_token: '' }, {}],
  ['with a wrong token', { form_token: 'a'.repeat(64) }, {}],
  ['of another site', {}, { origin: 'https://evil.test' }],
  ['of a page of nowhere', {}, { origin: 'null' }],
  ['of the same host over another port', {}, { origin: 'https://apis.test:8443' }],
  ['of another site, by its browser', {}, { 'sec-fetch-site': 'cross-site' }],
  ['of a sister site, by its browser', {}, { 'sec-fetch-site': 'same-site' }],
]

test('every page that takes a form is tried', () => {
  expect(Object.keys(listForms(tour.ids)).sort()).toEqual(posts.map(({ path }) => path).sort())
})

describe('A form', () => {
  test.each(FOREIGN)(
    '%s is refused everywhere, and nothing is changed',
    async (_, odd, headers) => {
      const before = await readStored()
      for (const { path, fields } of Object.values(listForms(tour.ids))) {
        const { status, cookies, html } = await root.send(path, { ...fields, ...odd }, headers)
        expect([path, status, cookies]).toEqual([path, 403, []])
        expect(html).toContain('Cannot accept the form')
      }
      expect(await readStored()).toBe(before)
    },
  )

  test('with the token of another browser is refused, logged in or not', async () => {
    const before = await readStored()
    const guest = tour.filled.open()
    await guest.get('/console/login')
    for (const page of posts) {
      const { path, fields } = listForms(tour.ids)[page.path] ?? form('', 0)
      const own = await tokenOf(root, '/console/account')
      const { status, location } = await guest.send(path, { ...fields, form_token: own })
      const refused = page.access === 'public' ? [403, ''] : [303, '/console/login']
      expect([path, status, location]).toEqual([path, ...refused])
      const theirs = await tokenOf(guest, '/console/login')
      const sent = await root.send(path, { ...fields, form_token: theirs })
      expect([path, sent.status]).toEqual([path, 403])
    }
    expect(await readStored()).toBe(before)
  })

  test('of somebody who may not is refused, and nothing is changed', async () => {
    const { filled, ids } = tour
    const other = await filled.app.accounts.createAccount('Elsewhere')
    await filled.addUser('Stranger', SCOPES, other)
    const [reader, stranger] = [filled.open(), filled.open()]
    await reader.logIn('Reader')
    await stranger.logIn('Stranger')
    await reader.get('/console/account')
    await stranger.get('/console/account')
    const before = await readStored()
    for (const page of posts) {
      const { path, fields } = listForms(ids)[page.path] ?? form('', 0)
      if (page.access === 'public' || page.path === '/account/password') continue
      if (page.access !== 'viewer' && page.access !== 'read') {
        expect([path, (await reader.send(path, fields)).status]).toEqual([path, 403])
      }
      if (!page.path.includes(':') || page.path.startsWith('/apis/')) continue
      expect([path, (await stranger.send(path, fields)).status]).toEqual([path, 404])
    }
    expect(await readStored()).toBe(before)
  })

  // This test is last: it shows that the forms rejected above are otherwise valid.
  test('of its own page is taken', async () => {
    const seen: Seen[] = []
    for (const { path, fields, status } of Object.values(listForms(tour.ids))) {
      const browser =
        path.endsWith('/welcome') || path.endsWith('/login') ? tour.filled.open() : root
      await browser.get(browser === root ? '/console/account' : '/console/login')
      const before = await readStored()
      const answer = await browser.send(path, fields)
      expect([path, answer.status]).toEqual([path, status])
      if (status === 303) expect([path, await readStored()]).not.toEqual([path, before])
      seen.push(answer)
    }
    expect(
      seen.filter(({ cookies }) => cookies.some((line) => line.startsWith(SESSION_COOKIE))),
    ).toHaveLength(3)
  })
})

async function tokenOf(browser: Browser, path: string): Promise<string> {
  const { html } = await browser.get(path)
  return /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
}
