import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../helpers/folder.ts'
import { startScript } from '../helpers/script.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))
const PASSWORD = 'quiet lamps over water'

/** Starts a server, asks, and ends it. */
async function withServer(
  cwd: string,
  words: readonly string[],
  use: (line: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const server = await startScript([MAIN, 'serve', '--json', '--port', '0', ...words], { cwd })
  try {
    await use(JSON.parse(server.output()))
  } finally {
    await server.end()
  }
}

describe('serve', () => {
  it('lets the first user in by a link, and prints none after', async () => {
    const folder = await makeFolder()
    const cwd = folder.pathOf('.')
    await withServer(cwd, [], async (line) => {
      const link = line.setup_link ?? ''
      expect(link.startsWith(`${line.url}/console/welcome?token=`)).toBe(true)
      const page = await fetch(link)
      const token = link.split('=')[1] ?? ''
      const form_token = /name="form_token" value="(\w+)"/.exec(await page.text())?.[1] ?? ''
      const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? ''
      const body = { form_token, token, name: 'Ada', password: PASSWORD, repeated: PASSWORD }
      const entered = await fetch(`${line.url}/console/welcome`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams(body),
      })
      expect([entered.status, entered.headers.get('location')]).toEqual([
        303,
        '/console/account?done=invite',
      ])
      const session = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
      const account = await fetch(`${line.console_url}account`, { headers: { cookie: session } })
      const text = await account.text()
      expect(text).toContain('<h1>Hello, Ada</h1>')
      expect(text).toContain('Show the key')
      expect((await fetch(link)).status).toBe(404)
    })
    await withServer(cwd, [], async (line) => {
      expect(Object.keys(line)).toEqual(['url', 'base_url', 'console_url'])
    })
    await withServer(cwd, ['--no-console'], async (line) => {
      expect(Object.keys(line)).toEqual(['url', 'base_url'])
      expect((await fetch(`${line.url}/console/`)).status).toBe(404)
    })
    await folder.remove()
  })
})
