import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPinnedEgress } from '../../adapters/egress/index.ts'
import { type RunningServer, serve } from '../../adapters/runtime/serve.ts'
import type { HttpHandler } from '../../core/index.ts'
import { expectSound, NO_BROWSER, photograph, visit } from '../helpers/browser.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { type ShownConsole, showConsole } from '../helpers/shown-console.ts'

describe.skipIf(NO_BROWSER)(
  `The catalogue in a browser${NO_BROWSER ? `: ${NO_BROWSER}` : ''}`,
  () => {
    let target: RunningServer
    let service: TestService
    let shown: ShownConsole

    beforeAll(async () => {
      target = await serve(answerTarget, { host: '127.0.0.1', port: 0 })
      service = await openTestService({
        app: { egress: createPinnedEgress({ allow: ['127.0.0.1'] }) },
      })
      await importLibrary(service, target.url)
      shown = await showConsole(service)
    })

    afterAll(async () => {
      await shown.close()
      await service.close()
      await target.close()
    })

    test('is searched while one types, an endpoint opened and tried', async () => {
      const { page, complaints, context } = await visit(shown.browser)
      await page.goto(`${shown.server.url}/console/apis`)
      await expectSound(page)
      await photograph(page, 'catalogue')
      await page.getByRole('searchbox').fill('borrow a book')
      await page.getByText('1 API found').waitFor()
      expect(page.url()).toBe(`${shown.server.url}/console/apis?q=borrow+a+book`)
      await expectSound(page)
      await photograph(page, 'catalogue-found')
      await page.getByRole('link', { name: 'Town library' }).click()
      await page.getByRole('heading', { level: 1, name: 'Town library' }).waitFor()
      await expectSound(page)
      await photograph(page, 'api')
      await page.getByRole('searchbox').fill('loan')
      await page.getByText('1 endpoint').first().waitFor()
      await page.getByRole('link', { name: /loans/ }).click()
      await page.getByRole('heading', { level: 1, name: /loans/ }).waitFor()
      await expectSound(page)
      await photograph(page, 'endpoint')
      await tryLoan(page)
      await expectSound(page)
      await photograph(page, 'endpoint-answer')
      await page.getByText('TypeScript, with the client library').click()
      await page.getByText('client.callEndpoint').waitFor()
      await expectSound(page)
      // Without a clipboard, as over plain HTTP, the button selects the text.
      await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
      await page.getByRole('button', { name: 'Copy' }).first().click()
      expect(await page.evaluate('getSelection().toString()')).toContain('client.callEndpoint')
      expect(complaints).toEqual([])
      await context.close()
    })

    test('works without scripts', async () => {
      const { page, context } = await visit(shown.browser, { hasScripts: false })
      await page.goto(`${shown.server.url}/console/apis`)
      await page.getByRole('searchbox').fill('borrow a book')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByRole('link', { name: /loans/ }).click()
      await tryLoan(page)
      await page.getByLabel('book, in the body').fill('')
      await page.getByRole('button', { name: 'Show call' }).click()
      expect(await page.getByText('is required').first().isVisible()).toBe(true)
      const download = page.waitForEvent('download')
      await page.getByLabel('book, in the body').fill('12')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('button', { name: 'Save response' }).click()
      expect((await download).suggestedFilename()).toMatch(/^answer-\w{7}\.json$/)
      await context.close()
    })

    test('is narrowed down by keyboard on a phone', async () => {
      const { page, complaints, context } = await visit(shown.browser, { width: 320 })
      await page.goto(`${shown.server.url}/console/apis`)
      await page.getByRole('link', { name: 'OAuth 2 1' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('1 API found').waitFor()
      await expectSound(page)
      const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
      expect(await page.evaluate(isWide)).toBe(false)
      await page.getByRole('link', { name: 'Remove filter: Authentication OAuth 2' }).click()
      await page.getByText('5 APIs found').waitFor()
      await page.getByRole('link', { name: 'Town library' }).click()
      expect(await page.evaluate(isWide)).toBe(false)
      // On narrow screens, rows are cards. Column headers are only for screen readers, without
      // buttons.
      expect(await page.getByRole('columnheader', { name: 'Kind' }).count()).toBeGreaterThan(0)
      expect(await page.locator('button.sort:visible').count()).toBe(0)
      await page.setViewportSize({ width: 1280, height: 900 })
      expect(await page.locator('button.sort:visible').count()).toBeGreaterThan(0)
      await page.setViewportSize({ width: 320, height: 900 })
      await page.getByRole('link', { name: /loans/ }).click()
      await page.getByRole('heading', { level: 1, name: /loans/ }).waitFor()
      expect(await page.evaluate(isWide)).toBe(false)
      expect(complaints).toEqual([])
      await context.close()
    })

    test('shows what stands in the field, however slow the first answers are', async () => {
      const { page, context } = await visit(shown.browser)
      await page.goto(`${shown.server.url}/console/apis`)
      const letGo: (() => void)[] = []
      await page.route('**/console/apis?q=slow*', (route) => {
        letGo.push(() => void route.continue().catch(() => undefined))
      })
      const asked = page.waitForRequest('**/console/apis?q=slow')
      await page.getByRole('searchbox').fill('slow')
      await asked
      const next = page.waitForRequest('**/console/apis?q=slower')
      await page.getByRole('searchbox').fill('slower')
      await next
      await page.getByRole('searchbox').fill('borrow a book')
      await page.getByText('1 API found').waitFor()
      expect(letGo).toHaveLength(2)
      for (const each of letGo) each()
      await page.getByRole('searchbox').fill('borrow books')
      await page.waitForURL('**/console/apis?q=borrow+books')
      await context.close()
    })

    // This test is last because it removes an API.
    test('tells why a search has no answer', async () => {
      const { page, context } = await visit(shown.browser)
      await page.goto(`${shown.server.url}/console/apis?q=borrow`)
      await page.getByRole('link', { name: 'Town library' }).click()
      await page.getByRole('searchbox').waitFor()
      const [, id = ''] = /apis\/(\w+)/.exec(page.url()) ?? []
      await service.app.call('removeApi', { api_id: id }, service.caller)
      await page.getByRole('searchbox').fill('loan')
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
      expect(await page.getByRole('banner').count()).toBe(1)
      await expectSound(page)
      await context.close()
    })
  },
)

async function tryLoan(page: Page): Promise<void> {
  await page.getByLabel('member, in the path').fill('m <1>')
  await page.getByLabel('book, in the body').fill('12')
  await page.getByLabel('place, in the body').selectOption('home')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Status 201', { exact: true }).waitFor()
  const answer = await page.locator('#answer pre').textContent()
  expect(JSON.parse(answer ?? '')).toEqual({
    method: 'POST',
    target: '/members/m%20%3C1%3E/loans',
    body: { book: 12, place: 'home' },
    note: '<script>alert(1)</script>',
  })
}

const answerTarget: HttpHandler = async (request) => {
  let text = ''
  for await (const chunk of request.body ?? []) text += new TextDecoder().decode(chunk)
  const { method, target } = request
  const note = '<script>alert(1)</script>'
  return {
    status: 201,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method, target, body: JSON.parse(text), note }),
  }
}

async function importLibrary({ app }: TestService, url: string): Promise<void> {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const member = { name: 'member', in: 'path', required: true, schema: { type: 'string' } }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Town library',
      version: '3.2.0',
      description:
        '# Lending\nBorrow **books** and bring them *back*.\n\n- by hand\n- by [mail](https://library.example/mail)\n\n| Sort | Days |\n|---|---|\n| book | 28 |\n',
      license: { name: 'MIT', identifier: 'MIT' },
      termsOfService: 'https://library.example/terms',
      contact: { name: 'Desk', email: 'desk@library.example' },
    },
    servers: [{ url }],
    paths: {
      '/books': { get: { summary: 'List books', deprecated: true, responses: {} } },
      '/members/{member}/loans': {
        post: {
          operationId: 'borrow',
          summary: 'Borrow a book',
          description: 'Lends a book to a member. See `GET /books`.',
          parameters: [member],
          requestBody: {
            required: true,
            ...json({
              type: 'object',
              required: ['book'],
              properties: {
                book: { type: 'integer', minimum: 1, description: 'Number of the book.' },
                place: { type: 'string', enum: ['home', 'hall'] },
                days: { type: 'integer', maximum: 28, default: 14 },
                notes: { type: 'object' },
              },
            }),
          },
          responses: {
            201: {
              description: 'Lent.',
              ...json({ type: 'object', properties: { due: { type: 'string' } } }),
            },
          },
        },
      },
    },
  }
  await app.imports.importDescription({
    bytes: new TextEncoder().encode(JSON.stringify(document)),
    vendorName: 'Library <b>& Sons</b>',
    createVendor: true,
    isPublic: true,
  })
}
