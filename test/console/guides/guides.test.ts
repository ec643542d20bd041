import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGE_GUIDES } from '../../../adapters/web/guides/guide-list.ts'
import { listPages } from '../../../adapters/web/pages.ts'
import { type Browser, openPremisesWith, type Premises } from '../../helpers/console-visit.ts'
import { findAnchors, type Page, readPages } from '../../helpers/markdown.ts'
import { findIntruders } from '../../helpers/page-intruders.ts'
import { readPage } from '../../helpers/strict-html.ts'

const GUIDES = '/console/guides'

let premises: Premises
let guest: Browser
let files: readonly Page[]

beforeAll(async () => {
  premises = await openPremisesWith({ consolePath: '/console' })
  guest = premises.open()
  files = (await readPages()).filter(({ path }) => /^docs\/(guides|reference)\//.test(path))
})
afterAll(() => premises.close())

/** Name of a guide in its address. */
function toName({ path }: Page): string {
  return path.replace(/.*\/|\.md$/g, '')
}

/** Values of an attribute, in the order of the page. */
function listValues(html: string, attribute: string): readonly string[] {
  return readPage(html).elements.flatMap(({ attributes }) => attributes.get(attribute) ?? [])
}

/** Explains why a link is broken; undefined if it works. */
async function explainDeadLink(from: string, link: string): Promise<string | undefined> {
  if (/^https?:/.test(link)) return undefined
  const [path = '', anchor] = link.split('#')
  const { status, html } = await guest.get(path === '' ? from : path)
  if (![200, 303].includes(status)) return `${from}: ${link}: ${status}`
  const isFound = anchor === undefined || listValues(html, 'id').includes(anchor)
  return isFound ? undefined : `${from}: ${link}: no such heading`
}

describe('The guides', () => {
  test('are listed with their titles and first sentences, without a login', async () => {
    const { status, html } = await guest.get(GUIDES)
    expect(status).toBe(200)
    const links = listValues(html, 'href').filter((link) => link.startsWith(`${GUIDES}/`))
    expect([...links].sort()).toEqual(files.map((file) => `${GUIDES}/${toName(file)}`).sort())
    expect(html).toContain(
      `<li><a href="${GUIDES}/import">Import API descriptions</a><br><span class="soft">The catalogue is filled from Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 descriptions, in JSON or YAML.</span></li>`,
    )
    expect(html.match(/<span class="soft">[^<]{10,}\.<\/span>/g)).toHaveLength(files.length)
  })

  test('are rendered completely, with the anchors of GitHub and no foreign markup', async () => {
    expect(files.length).toBeGreaterThan(20)
    for (const file of files) {
      const path = `${GUIDES}/${toName(file)}`
      const { status, html, headers } = await guest.get(path)
      expect([path, status, findIntruders(html)]).toEqual([path, 200, []])
      expect(headers.get('content-security-policy')).toContain("style-src 'self'")
      const ids = listValues(html, 'id')
      const [, ...anchors] = findAnchors(file)
      expect([path, new Set(ids).size]).toEqual([path, ids.length])
      expect(ids.filter((id) => !/^(?:main|block-\d+)$/.test(id))).toEqual(anchors)
      const { elements } = readPage(html)
      const blocks = elements.filter(({ name }) => name === 'pre')
      expect([path, blocks.length]).toEqual([path, file.blocks.length])
      expect([path, /<th[^>]*><\/th>|&lt;!--/.exec(html)?.[0]]).toEqual([path, undefined])
    }
  })

  test('link to each other, to their pictures and to other sites', async () => {
    const paths = [GUIDES, ...files.map((file) => `${GUIDES}/${toName(file)}`)]
    const dead: unknown[] = []
    let count = 0
    for (const path of paths) {
      const { html } = await guest.get(path)
      const links = [...listValues(html, 'href'), ...listValues(html, 'src')]
      count += links.length
      for (const link of new Set(links)) {
        const reason = await explainDeadLink(path, link)
        if (reason !== undefined) dead.push(reason)
      }
    }
    expect(dead).toEqual([])
    expect(count).toBeGreaterThan(300)
  })

  test('contain their pictures', async () => {
    const { html } = await guest.get(`${GUIDES}/console`)
    expect(listValues(html, 'src')).toContain(`${GUIDES}/pictures/vulnerabilities`)
    const { status, headers } = await guest.get(`${GUIDES}/pictures/vulnerabilities`)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test.each([
    '/nowhere',
    '/import.md',
    '/IMPORT',
    '/__proto__',
    '/guides%2fimport',
    '/..%2f..%2fpackage.json',
    '/..%2fimages%2fconsole.png',
    '/%2fetc%2fpasswd',
    '/file:%2f%2f%2fetc%2fpasswd',
    '/%00',
    '/%',
    '/guides/import',
    '/pictures/console',
    '/pictures/..%2f..%2fREADME',
    '/pictures/%2fetc%2fpasswd',
  ])('are served by their names only: not %s', async (name) => {
    const { status, html, headers } = await guest.get(GUIDES + name)
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(readPage(html).texts.join('')).toMatch(/not found/i)
  })

  test('help on pages of the console, and exist', async () => {
    const paths = listPages({ hasOwnLogIn: true })
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path)
    expect(Object.keys(PAGE_GUIDES).filter((path) => !paths.includes(path))).toEqual([])
    const links = Object.values(PAGE_GUIDES).map((guide) => `${GUIDES}/${guide}`)
    const dead = await Promise.all(links.map((link) => explainDeadLink(GUIDES, link)))
    expect(dead.filter((reason) => reason !== undefined)).toEqual([])
    const { html } = await guest.get('/console/login')
    expect(html).toContain(`<a class="help" href="${GUIDES}/console#log-in-for-the-first-time">`)
    expect(html).toContain(`<a href="${GUIDES}">Guides</a>`)
  })
})

describe('The API reference', () => {
  test('links to the guides of the console', async () => {
    const { html } = await guest.get('/docs')
    expect(html).toContain(`The <a href="${GUIDES}">guides</a> show how to use the service.`)
  })

  test('names their folder without a console', async () => {
    const service = await openPremisesWith({})
    const response = await service.app.fetch(new Request('http://service.test/api/docs'))
    expect(await response.text()).toContain(
      'The guides are in the folder <code>docs/guides</code> of the package.',
    )
    await service.close()
  })
})

test('Below a public path, all links of guides start with it', async () => {
  const below = await openPremisesWith({ publicUrl: '/tools', consolePath: '/console' })
  const browser = below.open()
  for (const prefix of ['', '/tools']) {
    const { status, html } = await browser.get(`${prefix}${GUIDES}/console`)
    const links = [...listValues(html, 'href'), ...listValues(html, 'src')]
    expect(status).toBe(200)
    expect(links).toContain('/tools/console/guides/review-scans#review-endpoints')
    expect(links).toContain('/tools/console/guides/pictures/vulnerabilities')
    expect(links.filter((link) => !/^(?:\/tools\/|#|https:)/.test(link))).toEqual([])
  }
  expect((await browser.get('/tools/docs')).html).toContain('<a href="/tools/console/guides">')
  await below.close()
})
