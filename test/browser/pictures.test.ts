import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { serve } from '../../adapters/runtime/serve.ts'
import { createConsole } from '../../adapters/web/console.ts'
import { NO_BROWSER, openBrowser, visit } from '../helpers/browser.ts'
import { ROOT } from '../helpers/build.ts'
import { findLinks, readPages } from '../helpers/markdown.ts'
import { openTestService } from '../helpers/service.ts'

const FOLDER = 'docs/images'
const PICTURES = [
  { name: 'console', path: '/console/apis', isDark: false },
  { name: 'vulnerabilities', path: '/console/vulnerabilities?q=apache', isDark: true },
]

describe.skipIf(NO_BROWSER)(`The pictures of the documentation${NO_BROWSER ?? ''}`, () => {
  test('show pages that exist; UPDATE_GOLDEN=1 takes them again', async () => {
    const service = await openTestService()
    const viewer = { name: 'Ada', caller: service.caller }
    const { handle } = await createConsole({ app: service.app, authenticate: () => viewer })
    const server = await serve(handle, { host: '127.0.0.1', port: 0 })
    const browser = await openBrowser()
    const links = (await readPages()).flatMap(findLinks)
    try {
      for (const { name, path, isDark } of PICTURES) {
        const { page, context } = await visit(browser, { isDark })
        const answer = await page.goto(`${server.url}${path}`)
        expect(answer?.status()).toBe(200)
        expect(await page.getByRole('main').locator('li').count()).toBeGreaterThan(0)
        const file = `${FOLDER}/${name}.png`
        expect(links).toContainEqual(expect.stringMatching(new RegExp(`images/${name}[.]png$`)))
        const shot = await page.screenshot()
        if (process.env.UPDATE_GOLDEN) await writeFile(join(ROOT, file), shot)
        const kept = await readFile(join(ROOT, file))
        expect(kept.subarray(1, 4).toString('latin1')).toBe('PNG')
        // Reads width and height from the header of a PNG file.
        expect([kept.readUInt32BE(16), kept.readUInt32BE(20)]).toEqual([1280, 900])
        await context.close()
      }
    } finally {
      await browser.close()
      await server.close()
      await service.close()
    }
  })
})
