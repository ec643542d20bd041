import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../adapters/runtime/serve.ts'
import { createConsole } from '../../adapters/web/console.ts'
import { expectSound, NO_BROWSER, openBrowser, photograph, visit } from '../helpers/browser.ts'
import { openLimitedService } from '../helpers/console-limiter.ts'

const NAME = `Rate limits in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`

describe.skipIf(NO_BROWSER)(NAME, () => {
  const working = new AbortController()
  let limited: Awaited<ReturnType<typeof openLimitedService>>
  let server: RunningServer
  let browser: Browser

  beforeAll(async () => {
    limited = await openLimitedService()
    const { app, caller } = limited.service
    const viewer = { name: 'Ada', caller }
    const { handle } = await createConsole({ app, authenticate: () => viewer })
    server = await serve(handle, { host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
  })

  afterAll(async () => {
    working.abort()
    await browser.close()
    await server.close()
    await limited.close()
  })

  test('are found while one watches, and shown again without scripts', async () => {
    const { page, complaints, context } = await visit(browser)
    await page.goto(`${server.url}/console/rate-limits/new?endpoint=${limited.ids.shut}`)
    await page.getByText('Missing', { exact: true }).waitFor()
    await expectSound(page)
    await photograph(page, 'rate-limits-consent')
    await page.goto(`${server.url}/console/rate-limits/new?endpoint=${limited.ids.open}`)
    await page.getByLabel('Requests', { exact: false }).first().fill('40')
    await page.getByLabel('Requests a second').fill('20')
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
    await page.getByText('Figures of the plot').click()
    await expectSound(page)
    await photograph(page, 'rate-limits-run')
    await page.goto(`${server.url}/console/rate-limits`)
    await expectSound(page)
    await photograph(page, 'rate-limits')
    expect(complaints).toEqual([])
    await context.close()
    const plain = await visit(browser, { hasScripts: false })
    await plain.page.goto(`${server.url}/console/rate-limits`)
    await plain.page.getByRole('link', { name: 'Run 1' }).click()
    await plain.page.getByText('Protected', { exact: true }).waitFor()
    expect(plain.complaints).toEqual([])
    await plain.context.close()
  }, 60_000)
})
