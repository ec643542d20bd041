import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../helpers/folder.ts'
import { startScript } from '../helpers/script.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))
const PASSWORD = 'quiet lamps over water'

/** Starts a server, sends a request and stops it. */
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
  it('prints a link for the first user, and none afterwards', async () => {
    const folder = await makeFolder()
    const cwd = folder.pathOf('.')
    await withServer(cwd, ['--print-setup'], async (line) => {
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
        '/console/?done=invite',
      ])
      const session = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
      const account = await fetch(`${line.console_url}account`, { headers: { cookie: session } })
      const text = await account.text()
      expect(text).toContain('<h1>Hello, Ada</h1>')
      expect(text).toContain('Show key')
      expect((await fetch(link)).status).toBe(404)
    })
    await withServer(cwd, ['--print-setup', '--no-console'], async (line) => {
      expect(Object.keys(line)).toEqual(['url', 'base_url'])
      expect((await fetch(`${line.url}/console/`)).status).toBe(404)
    })
    await folder.remove()
  })

  it('prints no set-up link and no key to a log, and explains how to get them', async () => {
    const folder = await makeFolder()
    const server = await startScript([MAIN, 'serve', '--seed', '--port', '0'], {
      cwd: folder.pathOf('.'),
    })
    await server.end()
    const printed = server.output() + server.errors()
    expect(printed).not.toMatch(/token=|adk_live_/)
    const program = server.errors().split('Create an invitation: ')[1]?.split(' users ')[0] ?? ''
    expect(program).toMatch(/^(node|bun|deno run -A) .*adapters\/cli\/main\.ts$/)
    const account = '--account default --scopes read,call,import,ingest,review,benchmark,admin'
    expect(server.errors().trim().split('\n')).toEqual([
      `There are no console users yet, and no set-up link was printed because standard output is not a terminal. Create an invitation: ${program} users invite ${account} --public-url ${server.url}, or start with --print-setup`,
      `No API key was created because standard output is not a terminal. Create one: ${program} keys create ${account}, or start with --print-setup`,
    ])
    await folder.remove()
  })
})

describe('the set-up link and the key of a first start', () => {
  it.each([{ words: ['--print-setup'] }, { words: ['--print-setup', '--seed'] }])(
    'are printed once, even if several servers share the database: $words',
    async ({ words }) => {
      const folder = await makeFolder()
      const cwd = folder.pathOf('.')
      await withServer(cwd, words, async (first) => {
        expect(first.setup_link).toMatch(/\/console\/welcome\?token=/)
        expect(first.api_key).toMatch(/^adk_live_/)
        await withServer(cwd, words, async (second) => {
          expect(Object.keys(second)).toEqual(['url', 'base_url', 'console_url'])
        })
        expect((await fetch(first.setup_link ?? '')).status).toBe(200)
      })
      await folder.remove()
    },
  )
})
