import { expect, test } from 'vitest'
import { NO_BROWSER, openBrowser, visit } from '../helpers/browser.ts'
import { openBehindProxy } from '../helpers/proxy.ts'
import { PASSWORD } from '../helpers/users.ts'

test.skipIf(NO_BROWSER)(
  `The console below a path of a proxy in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`,
  async () => {
    const { proxy, close } = await openBehindProxy({ prefix: '/discovery', isStripping: true })
    const browser = await openBrowser()
    try {
      const { page, complaints, context } = await visit(browser)
      const console = `${proxy.origin}/discovery/console`
      await page.goto(`${proxy.origin}/discovery`)
      await page.getByLabel('Name').fill('Root')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      expect(page.url()).toBe(`${console}/`)
      // Other services on the same host must not receive the session cookie.
      const cookies = (await context.cookies()).map(({ name, path }) => [name, path])
      expect(cookies).toEqual(
        expect.arrayContaining([['__Secure-api-discovery-session', '/discovery']]),
      )
      expect(cookies.filter(([, path]) => path !== '/discovery')).toEqual([])
      await page.getByRole('link', { name: 'Catalogue' }).click()
      // A search by script changes the URL of the page.
      await page.getByRole('searchbox').first().fill('weather')
      await page.waitForURL(`${console}/apis?q=weather`)
      for (const area of ['Vulnerabilities', 'Scans', 'Rate limits', 'Imports', 'Account']) {
        await page.getByRole('link', { name: area, exact: true }).first().click()
        await page.locator('nav [aria-current=page]', { hasText: area }).first().waitFor()
        expect(page.url().startsWith(`${console}/`)).toBe(true)
      }
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByText('You are logged out').waitFor()
      expect(page.url()).toBe(`${console}/login?done=logout`)
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
      await close()
    }
  },
  300_000,
)
