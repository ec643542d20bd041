import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../adapters/runtime/serve.ts'
import { expectSound, NO_BROWSER, openBrowser, photograph, visit } from '../helpers/browser.ts'
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
        await page.getByRole('button', { name: 'Show the key' }).click()
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

    test('is sound on every page, as wide as a phone as well', async () => {
      const { page, complaints, context } = await visit(browser)
      const look = async (name: string) => {
        await expectSound(page)
        await photograph(page, name)
        await page.setViewportSize({ width: 320, height: 800 })
        const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
        expect([name, await page.evaluate(isWide)]).toEqual([name, false])
        await page.setViewportSize({ width: 1280, height: 900 })
      }
      await page.goto(`${server.url}/console/login`)
      await look('login')
      await logIn(page)
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByRole('heading', { name: 'Hello, Root' }).waitFor()
      await look('account')
      await page.getByLabel('Name').fill('nightly build')
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByRole('heading', { name: 'Key nightly build' }).waitFor()
      await page.getByRole('button', { name: 'Show the key' }).click()
      await page.locator('#api-key').waitFor()
      await page
        .locator('#api-key')
        .evaluate('(node) => { node.textContent = "shown to you alone" }')
      await look('account-key')
      for (const area of ['Calls', 'Password', 'Users']) {
        await page.goto(`${server.url}/console/account`)
        await page.getByRole('navigation', { name: 'Account' }).getByText(area).click()
        await page.getByRole('heading', { name: area, level: 1 }).waitFor()
        await look(`account-${area.toLowerCase()}`)
      }
      await page.getByRole('button', { name: 'Make a link' }).click()
      const link = (await page.locator('#link').textContent()) ?? ''
      await look('account-invited')
      await premises.addUser('Grace', ['read'])
      await page.goto(`${server.url}/console/account/users`)
      await page.getByRole('link', { name: 'Grace' }).click()
      await page.getByRole('heading', { name: 'User Grace' }).waitFor()
      await look('account-user')
      const guest = await visit(browser)
      await guest.page.goto(link)
      await guest.page.getByRole('heading', { name: 'Welcome' }).waitFor()
      await expectSound(guest.page)
      await photograph(guest.page, 'welcome')
      expect([...complaints, ...guest.complaints]).toEqual([])
      await guest.context.close()
      await context.close()
    })
  },
)
