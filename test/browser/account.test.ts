import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../adapters/runtime/serve.ts'
import { NO_BROWSER, openBrowser, visit } from '../helpers/browser.ts'
import { openPremises, type Premises } from '../helpers/console-visit.ts'
import { PASSWORD } from '../helpers/users.ts'

describe.skipIf(NO_BROWSER)(
  `The account area in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`,
  () => {
    let premises: Premises
    let server: RunningServer
    let browser: Browser

    beforeAll(async () => {
      premises = await openPremises()
      await premises.addUser('Root', ['read', 'call', 'admin'])
      server = await serve(premises.handle, { host: '127.0.0.1', port: 0 })
      browser = await openBrowser()
    })

    afterAll(async () => {
      await browser.close()
      await server.close()
      await premises.close()
    })

    async function logIn(page: Page): Promise<void> {
      await page.getByLabel('Name').fill('Root')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in' }).click()
    }

    test.each([true, false])(
      'lets somebody in, who reads the key and uses it (scripts: %s)',
      async (hasScripts) => {
        const { page, complaints, context } = await visit(browser, { hasScripts })
        await page.goto(`${server.url}/console/account`)
        expect(page.url()).toBe(`${server.url}/console/login?next=%2Fconsole%2Faccount`)
        await logIn(page)
        await page.getByRole('heading', { name: 'Hello, Root' }).waitFor()
        await page.getByRole('button', { name: 'Show key' }).click()
        const key = await page.locator('#api-key').textContent()
        const answer = await fetch(`${server.url}/api/categories`, {
          headers: { 'api-key': key ?? '' },
        })
        expect(answer.status).toBe(200)
        await page.getByRole('button', { name: 'Log out' }).click()
        await page.getByText('You are logged out').waitFor()
        await page.goto(`${server.url}/console/account`)
        await page.getByRole('heading', { name: 'Log in' }).waitFor()
        expect(complaints).toEqual([])
        await context.close()
      },
    )
  },
)
