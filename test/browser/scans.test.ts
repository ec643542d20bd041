import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../adapters/runtime/serve.ts'
import { createConsole } from '../../adapters/web/console.ts'
import { explainBom } from '../../core/boms/explaining/explain.ts'
import { expectSound, NO_BROWSER, openBrowser, photograph, visit } from '../helpers/browser.ts'
import { addProject, findNetwork } from '../helpers/console-scans.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

describe.skipIf(NO_BROWSER)(`Scans in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`, () => {
  let service: TestService
  let server: RunningServer
  let browser: Browser
  let ids: { readonly before: string; readonly after: string }

  beforeAll(async () => {
    service = await openTestService()
    ids = await addProject(service, '<Shop> "& more"')
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

  test('are sound on every page', async () => {
    const { page, complaints, context } = await visit(browser)
    const project = `/console/scans/projects/${ids.after}`
    const network = `/console/scans/networks/${await findNetwork(service)}`
    const paths = [
      ['scans', '/console/scans'],
      ['scans-project', project],
      ['scans-apis', `${project}/apis`],
      ['scans-history', `${project}/history`],
      ['scans-compare', `${project}/compare?before=${ids.before}&after=${ids.after}`],
      ['scans-network', network],
      ['scans-places', `${network}/places`],
      ['scans-remove', `${project}/remove`],
      ['scans-submit', '/console/scans/submit'],
    ] as const
    for (const [name, path] of paths) {
      await page.goto(server.url + path)
      await expectSound(page)
      await photograph(page, name)
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are narrowed down while one types', async () => {
    const { page, complaints, context } = await visit(browser)
    await page.goto(`${server.url}/console/scans`)
    await page.getByRole('searchbox', { name: 'Project or network' }).fill('office')
    await page.getByRole('heading', { name: '1 project or network' }).waitFor()
    expect(new URL(page.url()).searchParams.get('name')).toBe('office')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('are reviewed, and their bill of materials is valid, with scripts and without', async () => {
    for (const hasScripts of [true, false]) {
      const { page, complaints, context } = await visit(browser, { hasScripts })
      await page.goto(`${server.url}/console/scans`)
      await page.getByRole('link', { name: '<Shop> "& more"' }).click()
      const approval = hasScripts ? 'Approve' : 'Refuse'
      await page.getByLabel('Select GET https://new.example/v2').check()
      await page.getByLabel('Reason').fill(`${approval} <it> & "so"`)
      await page.getByRole('button', { name: approval, exact: true }).click()
      await page.getByText(hasScripts ? 'Approved.' : 'Refused.', { exact: true }).waitFor()
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
