import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../adapters/runtime/serve.ts'
import { createConsole } from '../../adapters/web/console.ts'
import { expectSound, NO_BROWSER, openBrowser, photograph, visit } from '../helpers/browser.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

describe.skipIf(NO_BROWSER)(
  `The overview in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`,
  () => {
    let service: TestService
    let server: RunningServer
    let browser: Browser

    beforeAll(async () => {
      service = await openTestService()
      const viewer = { name: 'Ada', caller: service.caller }
      const { handle } = await createConsole({ app: service.app, authenticate: () => viewer })
      server = await serve(handle, { host: '127.0.0.1', port: 0 })
      browser = await openBrowser()
    })

    afterAll(async () => {
      await browser.close()
      await server.close()
      await service.close()
    })

    test('is sound, with scripts and without, and leads to the state of the service', async () => {
      for (const hasScripts of [true, false]) {
        const { page, complaints, context } = await visit(browser, { hasScripts })
        await page.goto(`${server.url}/console/`)
        if (hasScripts) await expectSound(page)
        if (hasScripts) await photograph(page, 'overview')
        await page.getByRole('link', { name: 'State of the service' }).click()
        await page.getByRole('heading', { name: 'State of the service' }).waitFor()
        if (hasScripts) await expectSound(page)
        if (hasScripts) await photograph(page, 'status')
        expect(complaints).toEqual([])
        await context.close()
      }
    })
  },
)
