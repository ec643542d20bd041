import { expect, test } from 'vitest'
import { serve } from '../../adapters/runtime/serve.ts'
import { createConsole } from '../../adapters/web/console.ts'
import { GUIDE_SUBJECTS, toGuideName } from '../../adapters/web/guides/guide-list.ts'
import { NO_BROWSER, openBrowser, visit } from '../helpers/browser.ts'
import { openTestService } from '../helpers/service.ts'

const NAMES = GUIDE_SUBJECTS.flatMap(({ files }) => files.map(toGuideName))
/** Tables that need scrolling, which is impossible with the keyboard. */
const WIDE_TABLES =
  "[...document.querySelectorAll('.guide .scroll')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText)"

test.skipIf(NO_BROWSER)(
  `Guides in a browser fit every width, and their contents lead to headings${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`,
  async () => {
    const service = await openTestService({ isEmpty: true })
    const { handle } = await createConsole({ app: service.app })
    const server = await serve(handle, { host: '127.0.0.1', port: 0 })
    const browser = await openBrowser()
    try {
      const { page, complaints } = await visit(browser)
      for (const name of NAMES) {
        await page.goto(`${server.url}/console/guides/${name}`)
        for (const width of [1280, 1200, 960, 800, 390, 320]) {
          await page.setViewportSize({ width, height: 900 })
          const found = [await page.evaluate('findOverflow()'), await page.evaluate(WIDE_TABLES)]
          expect([name, width, ...found]).toEqual([name, width, [], []])
        }
      }
      await page.goto(`${server.url}/console/login`)
      await page.getByRole('link', { name: 'Guide to this page' }).click()
      await page.getByRole('heading', { name: 'Use the console and manage users' }).waitFor()
      await page.getByRole('link', { name: 'scope reference' }).click()
      await page.getByRole('heading', { name: 'Scopes', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Guides' }).first().click()
      await page.getByRole('link', { name: 'Test rate limits' }).click()
      await page
        .getByRole('navigation', { name: 'On this page' })
        .getByRole('link', { name: 'Safety limits' })
        .click()
      expect(await page.evaluate("document.querySelector(':target').textContent")).toBe(
        'Safety limits',
      )
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
      await server.close()
      await service.close()
    }
  },
  300_000,
)
