import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../helpers/build.ts'
import { type InstalledPackage, installPackage, readManifest } from '../helpers/installed.ts'
import { runScript } from '../helpers/script.ts'

let installed: InstalledPackage
/** Compiler output for consumers without any runtime types. */
let output = ''

beforeAll(async () => {
  installed = await installPackage()
  const left = new Set(['./package.json', './testing'])
  const names = Object.keys((await readManifest()).exports).filter((name) => !left.has(name))
  const imports = names.map(
    (name, index) => `export * as module${index} from 'api-discovery${name.slice(1)}'`,
  )
  output = await compile({ 'every-entry.ts': imports.join('\n'), 'calls.ts': CALLS })
}, 240_000)
afterAll(() => installed.remove())

async function compile(codes: Readonly<Record<string, string>>): Promise<string> {
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
  const config = { compilerOptions: options, files: Object.keys(codes) }
  await writeFile(join(installed.folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(installed.folder, 'tsconfig.json'), JSON.stringify(config))
  for (const [file, code] of Object.entries(codes)) {
    await writeFile(join(installed.folder, file), code)
  }
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  return (await runScript([compiler, '-p', '.'], { cwd: installed.folder })).output
}

const CALLS = `
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

describe('the published types', () => {
  it('need no runtime types', () => {
    expect(output.split('\n').filter((line) => !line.startsWith('calls.ts'))).toEqual([''])
  })

  it('describe the inputs and outputs of every operation, in process and through the client', () => {
    expect(output.split('\n').filter((line) => line.startsWith('calls.ts'))).toEqual([])
  })
})
