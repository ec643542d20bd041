import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { runScript } from '../helpers/script.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))
const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Tides', version: '1' },
  servers: [{ url: 'https://api.tides.example' }],
  paths: { '/tides': { get: { responses: { 200: { description: 'Tides' } } } } },
})

let folder: TestFolder
/** The folder of the package, in which npm starts scripts. */
let clone: string
/** The folder in which the user typed the command. */
let project: string

beforeAll(async () => {
  folder = await makeFolder()
  const root = await realpath(folder.pathOf('.'))
  clone = join(root, 'clone')
  project = join(root, 'project')
  await mkdir(clone)
})

afterAll(() => folder.remove())

/** Runs a command with the environment that npm passes to a script. */
async function run(words: readonly string[], npm: Readonly<Record<string, string>> = {}) {
  await rm(project, { recursive: true, force: true })
  await mkdir(project)
  await writeFile(join(project, 'tides.json'), DESCRIPTION)
  const environment = {
    API_DISCOVERY_DATABASE: '',
    npm_package_name: 'api-discovery',
    npm_lifecycle_event: 'cli',
    npm_config_local_prefix: clone,
    INIT_CWD: project,
    ...npm,
  }
  return runScript([MAIN, ...words], { cwd: clone, environment })
}

describe('a command that an npm script of the package starts', () => {
  it('resolves paths in the folder of the user, and the default database in the clone', async () => {
    const imported = await run(['import', '.', '--create-vendors', '--json'])
    expect(JSON.parse(imported.output)).toMatchObject({ files: 1, imported: 1 })
    expect(imported.errors).toBe('')
    expect((await readdir(join(clone, '.data'))).sort()).toEqual(
      expect.arrayContaining(['api-discovery.db', 'api-discovery.db.secret']),
    )
    expect(await readdir(project)).toEqual(['tides.json'])
  })

  it('shows commands that work in the folder of the user', async () => {
    const words = ['users', 'list', '--database', 'sqlite::memory:']
    const { errors } = await run(words, { npm_lifecycle_event: 'cli:deno' })
    expect(errors).toContain(`: npm --prefix ${clone} run -s cli:deno -- users invite`)
    const inside = await run(['search', 'tide', '--database', 'own.db'], { INIT_CWD: clone })
    expect(inside.errors).toBe(
      `Cannot open the database ${join(clone, 'own.db')}: file not found. Create it with "migrate", "import", "sync" or "serve".\n`,
    )
  })
})

describe("a command that another package's script starts", () => {
  it.each([
    ['package', { npm_package_name: 'shop' }],
    ['script', { npm_lifecycle_event: 'audit' }],
  ])('resolves paths in its working directory (another %s)', async (_, npm) => {
    const { code, errors } = await run(['import', 'tides.json'], npm)
    expect([code, errors]).toEqual([1, 'Cannot read tides.json: file not found\n'])
  })
})
