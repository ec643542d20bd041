import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSound, NO_BROWSER, photograph, visit } from '../helpers/browser.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { type ShownConsole, showConsole } from '../helpers/shown-console.ts'

describe.skipIf(NO_BROWSER)(
  `The overview in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`,
  () => {
    let service: TestService
    let shown: ShownConsole

    beforeAll(async () => {
      service = await openTestService()
      shown = await showConsole(service)
    })

    afterAll(async () => {
      await shown.close()
      await service.close()
    })

    test('is sound, with scripts and without, and leads to the state of the service', async () => {
      for (const hasScripts of [true, false]) {
        const { page, complaints, context } = await visit(shown.browser, { hasScripts })
        await page.goto(`${shown.server.url}/`)
        expect(page.url()).toBe(`${shown.server.url}/console/`)
        if (hasScripts) await expectSound(page)
        if (hasScripts) await photograph(page, 'overview')
        await page.getByRole('link', { name: 'Service status' }).click()
        await page.getByRole('heading', { name: 'Service status' }).waitFor()
        if (hasScripts) await expectSound(page)
        if (hasScripts) await photograph(page, 'status')
        expect(complaints).toEqual([])
        await context.close()
      }
    })
  },
)
