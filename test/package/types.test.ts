import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../helpers/build.ts'
import { type InstalledPackage, installPackage, readManifest } from '../helpers/installed.ts'
import { RUNTIME, runScript } from '../helpers/script.ts'

let installed: InstalledPackage

beforeAll(async () => {
  installed = await installPackage()
}, 120_000)
afterAll(() => installed.remove())

/** What the compiler says of a consumer that has no runtime's types at all. */
async function compile(code: string): Promise<string> {
  const options = {
    target: 'es2023',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  }
  const config = { compilerOptions: options, files: ['consumer.ts'] }
  await writeFile(join(installed.folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(installed.folder, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(join(installed.folder, 'consumer.ts'), code)
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  return (await runScript([compiler, '-p', '.'], { cwd: installed.folder })).output
}

describe.skipIf(RUNTIME !== 'node')('the published types (tried once, on Node)', () => {
  it('need no types of any runtime', async () => {
    const left = new Set(['./package.json', './testing'])
    const names = Object.keys((await readManifest()).exports).filter((name) => !left.has(name))
    const imports = names.map(
      (name, index) => `export * as module${index} from 'api-discovery${name.slice(1)}'`,
    )
    expect(await compile(imports.join('\n'))).toBe('')
  })

  it('know inputs and answers of every operation, in process and through the client', async () => {
    const code = `
      import type { ApiDiscovery, Caller } from 'api-discovery'
      import { createClient } from 'api-discovery/client'
      export async function use(app: ApiDiscovery, caller: Caller) {
        const client = createClient({ baseUrl: 'http://a/api', apiKey: '' })
        const counts: number[] = [
          (await client.searchEndpoints({ q: 'mail' })).num_results,
          (await app.call('searchEndpoints', { q: 'mail' }, caller)).num_results,
        ]
        // @ts-expect-error There is no such operation.
        await client.searchNothing({})
        // @ts-expect-error A text is no size.
        await app.call('searchEndpoints', { size: 'many' }, caller)
        return counts
      }`
    expect(await compile(code)).toBe('')
  })
})
