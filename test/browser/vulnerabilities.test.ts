import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSound, NO_BROWSER, photograph, visit } from '../helpers/browser.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { type ShownConsole, showConsole } from '../helpers/shown-console.ts'

describe.skipIf(NO_BROWSER)(
  `Vulnerabilities in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`,
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

    test('are found while one types, narrowed down by keyboard, and opened', async () => {
      const { page, complaints, context } = await visit(shown.browser)
      await page.goto(`${shown.server.url}/console/vulnerabilities`)
      await expectSound(page)
      await photograph(page, 'vulnerabilities')
      await page.getByRole('searchbox').focus()
      await page.keyboard.type('log4j')
      await page.getByRole('heading', { name: '3 records' }).waitFor()
      expect(new URL(page.url()).search).toBe('?q=log4j')
      // Moves the focus from the field to the button and to the first checkbox.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.value')).toBe('critical')
      await page.keyboard.press('Space')
      await page.getByRole('heading', { name: '2 records' }).waitFor()
      expect(new URL(page.url()).search).toBe('?q=log4j&severity=critical')
      await expectSound(page)
      await photograph(page, 'vulnerabilities-found')
      await page.getByRole('link', { name: 'CVE-2021-44228' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'CVE-2021-44228', level: 1 }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: '2 records' }).waitFor()
      expect(await page.getByRole('searchbox').inputValue()).toBe('log4j')
      expect(complaints).toEqual([])
      await context.close()
    })

    test('are found, opened and downloaded without scripts', async () => {
      const { page, complaints, context } = await visit(shown.browser, { hasScripts: false })
      await page.goto(`${shown.server.url}/console/vulnerabilities`)
      await page.getByRole('searchbox').fill('apache')
      await page.getByRole('checkbox', { name: 'Known to be exploited' }).check()
      await page.getByText('More filters').click()
      await page.getByLabel('Year from').fill('2021')
      await page.getByRole('button', { name: 'Search' }).first().click()
      await page.getByRole('link', { name: 'CVE-2021-44228' }).waitFor()
      expect(await page.getByLabel('Year from').inputValue()).toBe('2021')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('vulnerabilities.csv')
      await page.getByRole('link', { name: 'CVE-2021-44228' }).click()
      await page.getByRole('link', { name: 'apache', exact: true }).click()
      await page.getByRole('heading', { name: /records$/ }).waitFor()
      expect(complaints).toEqual([])
      await context.close()
    })

    test('have a chart that says on a phone how to see the rest of it', async () => {
      const { page, context } = await visit(shown.browser)
      await page.goto(`${shown.server.url}/console/vulnerabilities?q=apache`)
      const hint = page.getByText('Scroll sideways to see the whole chart.')
      expect(await hint.isVisible()).toBe(false)
      await page.setViewportSize({ width: 390, height: 900 })
      expect(await hint.isVisible()).toBe(true)
      await context.close()
    })

    test('tell what is wrong with a filter where it stands', async () => {
      const { page, context } = await visit(shown.browser)
      await page.goto(`${shown.server.url}/console/vulnerabilities?score_from=x&cwe=79&q=log4j`)
      await expectSound(page)
      await photograph(page, 'vulnerabilities-wrong')
      expect(await page.getByLabel('Weakness').getAttribute('aria-invalid')).toBe('true')
      await page.getByLabel('CVSS from').fill('9')
      await page.getByLabel('Weakness').fill('CWE-502')
      await page.getByRole('heading', { name: /^\d+ records?$/ }).waitFor()
      await page.getByLabel('Year to').fill('soon')
      await page.getByRole('alert').waitFor()
      expect(await page.getByRole('alert').textContent()).toContain('year to must be a number')
      await context.close()
    })
  },
)
