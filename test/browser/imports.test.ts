import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSound, NO_BROWSER, photograph, visit } from '../helpers/browser.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { type ShownConsole, showConsole } from '../helpers/shown-console.ts'

const DESCRIPTION = `openapi: 3.1.0
info: { title: 'Loaf <Finder>', version: '2.0' }
servers: [{ url: 'https://loaf.example/v2' }]
paths:
  /loaves:
    get: { responses: { '200': { description: Loaves } } }
  /crumbs:
    get: soon
`

describe.skipIf(NO_BROWSER)(`Imports in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`, () => {
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

  test('take a file and show its report, with scripts and without', async () => {
    for (const hasScripts of [true, false]) {
      const { page, complaints, context } = await visit(shown.browser, { hasScripts })
      await page.goto(`${shown.server.url}/console/imports`)
      await page.getByRole('link', { name: 'Import a description' }).click()
      const buffer = Buffer.from(DESCRIPTION)
      const file = { name: 'loaf.yaml', mimeType: 'application/yaml', buffer }
      await page.getByLabel('File').setInputFiles(file)
      await page.getByLabel('Vendor', { exact: false }).first().fill(`Baker & ${hasScripts}`)
      expect(
        await page.getByLabel('Create vendors that are not in the catalogue').isChecked(),
      ).toBe(true)
      await page.getByRole('button', { name: 'Import' }).click()
      await page.getByText('Description imported.').waitFor()
      await page.getByRole('heading', { name: 'Loaf <Finder>' }).waitFor()
      await page.getByText('/paths/~1crumbs').waitFor()
      if (hasScripts) {
        await expectSound(page)
        await photograph(page, 'imports-report')
      }
      expect(complaints).toEqual([])
      await context.close()
    }
  })

  test('show every column of the list at 1280 pixels', async () => {
    const { page, context } = await visit(shown.browser)
    const path = 'acme_corporation_customer_engagement_insights_2024-01-31_preview.openapi.json'
    for (const text of [DESCRIPTION, '{"openapi": 7}']) {
      await page.goto(`${shown.server.url}/console/imports/new`)
      const file = { name: path, mimeType: 'application/yaml', buffer: Buffer.from(text) }
      await page.getByLabel('File').setInputFiles(file)
      await page
        .getByLabel('Vendor', { exact: false })
        .first()
        .fill('Acme Customer Engagement and Business Insights International')
      await page.getByRole('button', { name: 'Import' }).click()
      await page.waitForLoadState()
    }
    await page.goto(`${shown.server.url}/console/imports`)
    const tables = page.getByRole('region')
    expect(await tables.count()).toBeGreaterThan(0)
    expect(
      await tables.evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth)),
    ).toEqual(Array.from({ length: await tables.count() }, () => 0))
    await photograph(page, 'imports-list')
    await context.close()
  })
})
