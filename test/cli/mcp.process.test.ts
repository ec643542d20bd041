import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { CLIENTS, callTool, type Launch, STDIO_CLIENTS } from '../helpers/mcp.ts'
import { TASKS } from '../helpers/mcp-tasks.ts'
import { RUNTIME, startScript } from '../helpers/script.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))
const HOST = fileURLToPath(new URL('../helpers/mcp-host-child.ts', import.meta.url))

let folder: TestFolder

beforeAll(async () => {
  folder = await makeFolder()
  await writeFile(
    folder.pathOf('pay.js'),
    "await fetch('https://api.stripe.com/v1/charges', { method: 'POST' })\n",
  )
})

afterAll(() => folder.remove())

function launch(words: readonly string[]): Launch {
  return {
    command: process.execPath,
    args: RUNTIME === 'deno' ? ['run', '-A', ...words] : [...words],
    env: { ...process.env } as Record<string, string>,
    stderr: 'ignore',
  }
}

describe.each(Object.entries(STDIO_CLIENTS))(
  'The command mcp, for a client of %s',
  (_, connect) => {
    it('serves all tools and scans folders', async () => {
      const database = `sqlite:${folder.pathOf('mcp.db')}`
      const client = await connect(launch([MAIN, 'mcp', '--database', database]))
      const { tools } = await client.listTools()
      expect(tools).toHaveLength(8)
      // Every conversation of an agent contains the list: about 2,500 tokens.
      expect(JSON.stringify(tools).length).toBeLessThan(10_600)
      const found = await callTool(client, 'scan_project', { folder: folder.pathOf('.') })
      expect(found.structuredContent).toMatchObject({
        num_services: 1,
        services: [{ name: 'Stripe', hosts: ['api.stripe.com'], location: 'pay.js:1' }],
      })
      const missing = await callTool(client, 'scan_project', { folder: folder.pathOf('none') })
      expect(missing).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^Folder not found: pass an absolute path\.$/),
      })
      await client.close()
    })
  },
)

describe('A client does ten tasks', () => {
  const tasks = Object.values(TASKS)

  it.each(Object.entries(STDIO_CLIENTS))('over standard input: %s', async (_, connect) => {
    const client = await connect(launch([HOST, 'stdio']))
    for (const run of tasks) await run(client)
    await client.close()
    expect(tasks).toHaveLength(10)
  })

  it('over HTTP, in each version', async () => {
    const host = await startScript([HOST, 'http'], { cwd: folder.pathOf('.') })
    for (const connect of Object.values(CLIENTS)) {
      const client = await connect({ url: host.url })
      for (const run of tasks) await run(client)
      await client.close()
    }
    await host.end()
    expect(tasks).toHaveLength(10)
  })
})
