import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSound, NO_BROWSER, photograph, visit } from '../helpers/browser.ts'
import { openLimitedService } from '../helpers/console-limiter.ts'
import { type ShownConsole, showConsole } from '../helpers/shown-console.ts'

const NAME = `Rate limits in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`

describe.skipIf(NO_BROWSER)(NAME, () => {
  const working = new AbortController()
  let limited: Awaited<ReturnType<typeof openLimitedService>>
  let shown: ShownConsole

  beforeAll(async () => {
    limited = await openLimitedService()
    shown = await showConsole(limited.service)
  })

  afterAll(async () => {
    working.abort()
    await shown.close()
    await limited.close()
  })

  test('are found while one watches, and shown again without scripts', async () => {
    const { page, complaints, context } = await visit(shown.browser)
    await page.goto(`${shown.server.url}/console/rate-limits/new?endpoint=${limited.ids.shut}`)
    await page.getByText('Missing', { exact: true }).waitFor()
    await expectSound(page)
    // The sentence contains an address whose length depends on the host and the account.
    await page.setViewportSize({ width: 200, height: 800 })
    expect(await page.evaluate('findOverflow()')).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
    await photograph(page, 'rate-limits-consent')
    await page.goto(`${shown.server.url}/console/rate-limits/new`)
    await page.getByRole('searchbox').fill('tides')
    await page.getByText('1 matching API').waitFor()
    await expectSound(page)
    await photograph(page, 'rate-limits-search')
    await page.getByRole('link', { name: /\/tides$/ }).click()
    await page.getByText('limit, in the query').waitFor()
    await expectSound(page)
    await photograph(page, 'rate-limits-start')
    await page.getByLabel('limit, in the query').fill('7')
    await page.getByLabel('Requests', { exact: false }).first().fill('40')
    await page.getByLabel('Requests per second').fill('20')
    await page.getByRole('button', { name: 'Start the test' }).click()
    await page.getByText('The test is queued.').waitFor()
    await expectSound(page)
    await photograph(page, 'rate-limits-waiting')
    const work = limited.service.app.runJobs({ signal: working.signal })
    await page.getByRole('heading', { name: 'Declared and observed' }).waitFor()
    await work
    const plot = page.getByRole('img', { name: 'Plot of the requests' })
    await plot.waitFor()
    const width =
      "(image => image.decode().then(() => image.naturalWidth))(document.querySelector('main img'))"
    expect(await page.evaluate(width)).toBeGreaterThan(100)
    await page.getByText('Data of the plot').click()
    await expectSound(page)
    await photograph(page, 'rate-limits-run')
    await page.goto(`${shown.server.url}/console/rate-limits`)
    await expectSound(page)
    await photograph(page, 'rate-limits')
    expect(complaints).toEqual([])
    await context.close()
    const plain = await visit(shown.browser, { hasScripts: false })
    await plain.page.goto(`${shown.server.url}/console/rate-limits`)
    await plain.page.getByRole('link', { name: 'Run 1' }).click()
    await plain.page.getByText('Protected', { exact: true }).waitFor()
    expect(plain.complaints).toEqual([])
    await plain.context.close()
  }, 180_000)
})
