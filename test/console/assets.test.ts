import { cp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAssets } from '../../adapters/web/assets.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { RUNTIME, runScript } from '../helpers/script.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SCRIPTS = [expect.stringMatching(/^\/console\/assets\/console-[0-9a-f]{12}\.js$/)]

let folder: TestFolder
beforeAll(async () => {
  folder = await makeFolder()
})
afterAll(() => folder.remove())

/** Returns the assets of the module at an address, loaded in a separate process. */
async function tellLinks(address: string, denoArguments: readonly string[]): Promise<unknown> {
  const file = folder.pathOf('tell.mjs')
  await writeFile(
    file,
    `const { openAssets } = await import(${JSON.stringify(address)})
const { links, find } = await openAssets()
const { bytes } = find(links.style.split('/').at(-1))
console.log(JSON.stringify({ ...links, css: bytes.length }))`,
  )
  const { output, errors } = await runScript([file], {
    cwd: folder.pathOf('.'),
    denoArguments,
    // Deno caches the modules that it loads.
    environment: { DENO_DIR: folder.pathOf('cache') },
  })
  return output === '' ? errors : JSON.parse(output)
}

async function expected(): Promise<unknown> {
  const { links } = await openAssets()
  const css = await readFile(join(ROOT, 'adapters/web/assets/console.css'))
  return { ...links, scripts: SCRIPTS, css: css.length }
}

describe('The files that pages load', () => {
  test('are htmx and those of the console', async () => {
    const { links, find } = await openAssets()
    expect(links.scripts).toEqual([
      expect.stringMatching(/^\/console\/assets\/htmx-[0-9a-f]{12}\.min\.js$/),
      ...SCRIPTS,
    ])
    for (const link of [links.style, links.icon, ...links.scripts]) {
      expect(find(link.replace('/console/assets/', ''))?.bytes.length).toBeGreaterThan(100)
    }
    expect(find('console.css')).toBeUndefined()
  })

  test('are those of the console alone where its sources stand without htmx', async () => {
    for (const path of ['core/shared', 'adapters/web']) {
      await cp(join(ROOT, path), folder.pathOf(path), { recursive: true })
    }
    const address = `file://${folder.pathOf('adapters/web/assets.ts')}`
    expect(await tellLinks(address, ['run', '-A', '--no-config'])).toEqual(await expected())
  })

  test.skipIf(RUNTIME !== 'deno')(
    'come from where the modules come from (only Deno loads modules over HTTP)',
    async () => {
      const server = createServer(async (request, response) => {
        const { pathname } = new URL(request.url ?? '', 'http://any')
        const body = await readFile(join(ROOT, pathname)).catch(() => undefined)
        const isTyped = pathname.endsWith('.ts')
        response.writeHead(body ? 200 : 404, isTyped ? { 'content-type': 'text/typescript' } : {})
        response.end(body)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const bound = server.address()
      const host = `127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`
      const denoArguments = ['run', '--no-config', `--allow-import=${host}`, `--allow-net=${host}`]
      const address = `http://${host}/adapters/web/assets.ts`
      const links = await tellLinks(address, denoArguments)
      await new Promise((resolve) => server.close(resolve))
      expect(links).toEqual(await expected())
    },
  )
})
