import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../adapters/runtime/serve.ts'
import { NO_BROWSER, openBrowser, photograph, type Visit, visit } from '../helpers/browser.ts'
import type { Stop, Visitor } from '../helpers/console-stops.ts'
import { openTour, type Tour } from '../helpers/console-tour.ts'
import { PASSWORD } from '../helpers/users.ts'

const NAME = `Every page in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`

describe.skipIf(NO_BROWSER)(NAME, () => {
  let tour: Tour
  let filled: RunningServer
  let empty: RunningServer
  let browser: Browser

  beforeAll(async () => {
    tour = await openTour()
    filled = await serve(tour.filled.handle, { host: '127.0.0.1', port: 0 })
    empty = await serve(tour.empty.handle, { host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
  })

  afterAll(async () => {
    await browser.close()
    await filled.close()
    await empty.close()
    await tour.close()
  })

  test.concurrent.each<Visitor>(['root', 'reader', 'nobody', 'newcomer'])(
    'is sound as %s sees it, wide and narrow, light and dark',
    async (visitor) => {
      const url = visitor === 'newcomer' ? empty.url : filled.url
      const seen = await visit(browser)
      // Transitions would show intermediate colours.
      await seen.page.emulateMedia({ reducedMotion: 'reduce' })
      await enter(seen.page, { url, visitor })
      const faults: unknown[] = []
      for (const stop of tour.stops.filter((each) => each.visitor === visitor)) {
        faults.push(...(await look(seen, { url, stop })))
      }
      expect(faults).toEqual([])
      await seen.context.close()
    },
    900_000,
  )
})

async function enter(page: Page, to: { readonly url: string; readonly visitor: Visitor }) {
  await page.goto(`${to.url}/console/login`)
  if (to.visitor === 'nobody') return
  await page.getByLabel('Name').fill(to.visitor === 'reader' ? 'Reader' : 'Root')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

/** Checks a page. Returns the failed checks with their results. */
async function look(
  { page, complaints }: Visit,
  at: { readonly url: string; readonly stop: Stop },
): Promise<readonly unknown[]> {
  const { stop } = at
  const before = complaints.length
  const response = stop.form ? await submitForm(page, at) : await page.goto(at.url + stop.path)
  const faults: unknown[] = []
  const note = (where: string, found: unknown) => {
    const what = `${where}, ${stop.form ? 'POST' : 'GET'} ${stop.path}`
    if (!Array.isArray(found) || found.length > 0) faults.push([what, found])
  }
  if (response?.status() !== stop.status) note('status', response?.status())
  note('light', await page.evaluate('findViolations()'))
  note('text of others', await page.evaluate('findIntruders()'))
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    note(`${width} pixels`, await page.evaluate('findOverflow()'))
  }
  // Error pages use the same elements as pages that are checked here.
  if (stop.status === 200) {
    note('dark and narrow', await page.evaluate(`findViolations(${JSON.stringify(NARROW)})`))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await photograph(page, toPictureName(stop))
  // The browser also logs an error for the status of the page itself.
  const told = complaints.slice(before)
  note(
    'complaints',
    told.filter((text) => stop.status < 400 || !STATUS.test(text)),
  )
  return faults
}

/** Rules that depend on colours and width. */
const NARROW = ['color-contrast', 'scrollable-region-focusable', 'target-size']
const STATUS = /^Failed to load resource: the server responded with a status of \d{3}/

/** Returns a stable name, such as `root-post-account-keys-400`, without random IDs. */
function toPictureName({ visitor, form, path, status }: Stop): string {
  const plain = path.slice('/console'.length).replaceAll(/\w{3}_\w{20,}|[\w-]{40,}/g, '')
  const words = [visitor, form ? 'post' : '', ...plain.split(/\W+/), status === 200 ? '' : status]
  return words.filter((word) => word !== '').join('-')
}

/** Adds a form to the current page and sends it. */
async function submitForm(
  page: Page,
  { url, stop }: { readonly url: string; readonly stop: Stop },
) {
  const given = JSON.stringify({ action: url + stop.path, fields: stop.form })
  const [response] = await Promise.all([
    page.waitForNavigation(),
    page.evaluate(`sendForm(${given})`),
  ])
  return response
}
