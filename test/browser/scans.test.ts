import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explainBom } from '../../core/boms/explaining/explain-bom.ts'
import { expectSound, NO_BROWSER, visit } from '../helpers/browser.ts'
import { addProject } from '../helpers/console-scans.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { type ShownConsole, showConsole } from '../helpers/shown-console.ts'

describe.skipIf(NO_BROWSER)(`Scans in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`, () => {
  let service: TestService
  let shown: ShownConsole

  beforeAll(async () => {
    service = await openTestService()
    await addProject(service, '<Shop> "& more"')
    shown = await showConsole(service)
  })

  afterAll(async () => {
    await shown.close()
    await service.close()
  })

  test('are narrowed down while one types', async () => {
    const { page, complaints, context } = await visit(shown.browser)
    await page.goto(`${shown.server.url}/console/scans`)
    await page.getByRole('searchbox', { name: 'Project or network' }).fill('office')
    await page.getByRole('heading', { name: '1 project or network' }).waitFor()
    expect(new URL(page.url()).searchParams.get('name')).toBe('office')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are reviewed, and their bill of materials is valid, with scripts and without', async () => {
    for (const hasScripts of [true, false]) {
      const { page, complaints, context } = await visit(shown.browser, { hasScripts })
      await page.goto(`${shown.server.url}/console/scans`)
      await page.getByRole('link', { name: '<Shop> "& more"' }).click()
      const approval = hasScripts ? 'Approve' : 'Reject'
      await page.getByText('1 endpoint, not in the catalogue: next steps').click()
      await page.getByLabel('Select GET https://new.example/v2').check()
      const bar = page.getByRole('form', { name: 'Decide on the selected rows' })
      await bar.getByLabel('Reason').fill(`${approval} <it> & "so"`)
      await bar.getByRole('button', { name: approval, exact: true }).click()
      const done = hasScripts ? 'Approved' : 'Rejected'
      await page.getByText(`${done}: 1 endpoint of new.example.`, { exact: true }).waitFor()
      await page.getByText('1 endpoint, not in the catalogue: next steps').click()
      await page.getByText(`${approval} <it> & "so"`).waitFor()
      await page.reload()
      if (hasScripts) await expectSound(page)
      for (const name of ['CycloneDX 1.6, JSON', 'CycloneDX 1.7, XML']) {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name }).click(),
        ])
        const text = await readFile(await download.path(), 'utf8')
        expect(await explainBom(text)).toMatchObject({ isValid: true, explanations: [] })
      }
      expect(complaints).toEqual([])
      await context.close()
    }
  })
})
