import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTour, type Tour } from '../../helpers/console-tour.ts'
import type { Browser } from '../../helpers/console-visit.ts'
import { expectAll, expectTame } from '../../helpers/hostile-console.ts'
import { inParts, listHostileTexts, toLines } from '../../helpers/hostile-texts.ts'

const TEXTS = listHostileTexts(4).map((text) => text.replaceAll(/\p{Cs}/gu, '\ufffd'))

/** Query parameters of all console pages. */
const NAMES =
  'q vendor license category auth deprecated page find method name kind show api before after done endpoint token next severity kev score_from score_to cvss vector epss_from percentile_from product version cwe host tag year_from year_to published_from modified_to kev_from ransomware rejected format spec_version'.split(
    ' ',
  )

let tour: Tour
let root: Browser
beforeAll(async () => {
  tour = await openTour()
  root = tour.filled.open()
  await root.logIn('Root')
})
afterAll(() => tour.close())

describe('A text of an address stays a text', () => {
  test('whatever a page looks for', async () => {
    const paths = tour.stops
      .filter(({ visitor, form, status }) => visitor === 'root' && !form && status === 200)
      .map(({ path }) => path.split('?')[0] ?? '')
    for (const path of new Set(paths)) {
      for (const part of inParts(TEXTS, 120)) {
        const query = new URLSearchParams(NAMES.map((name) => [name, part.join(' ')]))
        const seen = await root.get(`${path}?${query}`)
        expect([path, seen.status < 500]).toEqual([path, true])
        expectTame(seen)
      }
    }
  })

  test.each([
    ['/console/apis', 'q'],
    ['/console/vulnerabilities', 'q'],
    ['/console/vulnerabilities', 'cwe'],
    ['/console/vulnerabilities/vendors', 'vendor'],
    ['/console/scans', 'name'],
  ])('that %s shows again as its %s', async (path, name) => {
    for (const text of toLines(TEXTS, 150).slice(0, 200)) {
      const seen = await root.get(`${path}?${new URLSearchParams({ [name]: text })}`)
      expectAll(expectTame(seen), [text])
    }
  })

  test('that names what is not there, or what to go on to', async () => {
    const guest = tour.filled.open()
    const below = [
      '',
      'apis/',
      'scans/projects/',
      'scans/networks/',
      'vulnerabilities/',
      'imports/',
    ]
    for (const [index, text] of TEXTS.entries()) {
      const path = `/console/${below[index % below.length]}${encodeURIComponent(text)}x/no`
      const seen = await root.get(path)
      expect([path, seen.status]).toEqual([path, 404])
      expectTame(seen)
      const next = encodeURIComponent(text)
      expectTame(await guest.get(`/console/login?next=${next}`))
      const asked = await guest.get(`/console/apis?q=${next}`)
      const { origin, pathname } = new URL(asked.location, 'https://apis.test')
      expect([origin, pathname]).toEqual(['https://apis.test', '/console/login'])
    }
  })

  test('that names a CVE, a scan, an import or a key that is not there', async () => {
    const pages = ['vulnerabilities', 'scans/projects', 'imports', 'account/keys', 'account/users']
    for (const [index, line] of toLines(TEXTS, 150).entries()) {
      const page = pages[index % pages.length]
      const path = `/console/${page}/${encodeURIComponent(line).replaceAll('.', '%2E')}x`
      const seen = await root.get(path)
      expect([path, seen.status]).toEqual([path, 404])
      expectTame(seen)
    }
  })

  test('that is no word of a page: it says nothing', async () => {
    const { ids } = tour
    const paths = ['', '/users', '/password', `/keys/${ids.key}`, `/users/${ids.user}`]
    const all = [
      ...paths.map((path) => `/console/account${path}`),
      '/console/scans',
      '/console/imports',
      '/console/login',
    ]
    for (const path of [...all, `/console/scans/projects/${ids.after}`, '/console/rate-limits/3']) {
      const plain = await root.get(path)
      for (const done of ['constructor', '__proto__', 'toString']) {
        expect([path, done, (await root.get(`${path}?done=${done}`)).html === plain.html]).toEqual([
          path,
          done,
          true,
        ])
      }
    }
  })
})
