import { lstat, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, describe, expect, it } from 'vitest'
import { type ScanFolderOptions, scanFolder } from '../../../adapters/scanner/index.ts'
import { openScanCache, toCacheKey } from '../../../adapters/scanner/scan-cache.ts'
import { isFull } from '../../helpers/runs.ts'
import { makeFolder } from '../../helpers/source-folder.ts'

const FILES = {
  'src/client.ts': "export const BASE = 'https://api.acme.io/v1'\n",
  'src/pay.ts':
    "import { BASE } from './client.ts'\nexport const pay = () => fetch(BASE + '/charges', { method: 'POST' })\n",
  'src/none.ts': 'export const total = (a: number, b: number) => a + b\n',
  'run.sh': 'curl https://api.hopper.io/v2/mails\n',
  '.env': 'PAY_API_URL=https://pay.acme.io/v3\n',
}

/** For what does not depend on the file system of the runtime. */
const onOneRuntime = it.runIf(isFull)

const removals: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const remove of removals.splice(0)) await remove()
})

async function makeProject(files: Readonly<Record<string, string>> = FILES) {
  const folder = await makeFolder(files)
  removals.push(folder.remove)
  const cacheFolder = join(folder.path, 'cache')
  const scan = (options: Partial<ScanFolderOptions> = {}) =>
    scanFolder({ root: folder.path, cacheFolder, exclude: ['/cache'], workers: 1, ...options })
  const cacheFiles = async () =>
    (await readdir(cacheFolder)).filter((name) => name.startsWith('scan-')).sort()
  const readCache = async () => {
    const texts = (await cacheFiles()).map((name) => readFile(join(cacheFolder, name), 'utf8'))
    return (await Promise.all(texts)).join('')
  }
  const edit = (name: string, text: string) => writeFile(join(folder.path, name), text)
  return { scan, cacheFiles, readCache, cacheFolder, edit }
}

/** Stores another URL for a file, with a correct digest, to see whether it is read. */
async function replaceStored(folder: string, change: (text: string) => string): Promise<void> {
  const [name = ''] = (await readdir(folder)).filter((one) => one.startsWith('scan-'))
  const path = join(folder, name)
  await writeFile(path, change(await readFile(path, 'utf8')))
}

describe('a cache of scanned files', () => {
  it('leads to the same findings, also across files', async () => {
    const { scan } = await makeProject()
    const first = await scan()
    expect(first.findings.map(({ url }) => url)).toContain('https://api.acme.io/v1/charges')
    expect(await scan()).toEqual(first)
    expect(await scan({ cacheFolder: undefined })).toEqual(first)
  })

  onOneRuntime('scans changed, moved and new files', async () => {
    const { scan, edit } = await makeProject()
    await scan()
    await edit('src/client.ts', "export const BASE = 'https://api.other.io/v9'\n")
    await edit('copy.sh', FILES['run.sh'])
    const { findings } = await scan()
    expect(findings.map(({ file, url }) => `${file} ${url}`)).toEqual(
      expect.arrayContaining([
        'src/pay.ts https://api.other.io/v9/charges',
        'copy.sh https://api.hopper.io/v2/mails',
      ]),
    )
    expect(findings).toEqual((await scan({ cacheFolder: undefined })).findings)
  })

  onOneRuntime('replaces a damaged cache', async () => {
    const { scan, cacheFolder, readCache } = await makeProject()
    const first = await scan()
    const stored = await readCache()
    const damages = [
      () => '',
      () => '\0'.repeat(100),
      (text: string) => text.slice(0, -20),
      (text: string) => text.replace('api.hopper.io', 'api.forged.io'),
    ]
    for (const damage of damages) {
      await replaceStored(cacheFolder, damage)
      expect(await scan()).toEqual(first)
      expect((await readCache()).split('\n').toSorted()).toEqual(stored.split('\n').toSorted())
    }
  })

  onOneRuntime('has one cache for each set of options, and removes old ones', async () => {
    const { scan, cacheFiles, cacheFolder } = await makeProject()
    const packagesOf = (index: number) => [
      { vendor: 'Acme', url: `https://api${index}.acme.io`, packages: [`pkg:npm/acme${index}`] },
    ]
    await scan()
    await scan({ packages: packagesOf(0) })
    expect(await cacheFiles()).toHaveLength(2)
    for (let index = 1; index < 9; index += 1) {
      const cache = await openScanCache(cacheFolder, { options: { packages: packagesOf(index) } })
      cache.add(toCacheKey('a', ''), undefined)
      await cache.save()
    }
    expect(await cacheFiles()).toHaveLength(8)
  })

  it('removes results that were not used, if it becomes too large', async () => {
    const { cacheFolder } = await makeProject()
    const open = () => openScanCache(cacheFolder, { options: {}, maxLength: 120 })
    const [a = '', b = '', c = '', d = ''] = ['a', 'b', 'c', 'd'].map((path) =>
      toCacheKey(path, ''),
    )
    const first = await open()
    for (const key of [a, b, c]) first.add(key, undefined)
    await first.save()
    const second = await open()
    expect(second.keys).toEqual([a, b, c])
    second.find(c)
    second.add(d, undefined)
    await second.save()
    expect((await open()).keys).toEqual([c, d, a])
  })

  onOneRuntime('stores no file with a secret, and scans it each time', async () => {
    const { scan, readCache } = await makeProject({
      'a.ts': "export const base = 'https://ann:hunter2@api.acme.io/v1'\nfetch(base + '/a')\n",
      'b.ts': "fetch('https://api.acme.io/v1/b?api_key=hunter2')\n",
      'c.ts':
        "import { connect } from 'acme'\nexport const c = connect({ apiToken: 'hunter2', url: 'https://api.acme.io/c' })\n",
      'd.ts': "fetch('https://api.acme.io/v1/d')\n",
    })
    const first = await scan()
    const text = await readCache()
    expect(text).toContain('/v1/d')
    expect(text).not.toContain('hunter2')
    expect(await scan()).toEqual(first)
  })

  it.skipIf(process.platform === 'win32')('leaves no other file', async () => {
    const { scan, cacheFolder } = await makeProject()
    await scan()
    expect((await readdir(cacheFolder)).sort()).toEqual([
      '.gitignore',
      'CACHEDIR.TAG',
      expect.stringMatching(/^scan-[\da-f]{32}\.jsonl$/),
    ])
  })

  it.skipIf(process.platform === 'win32')('does not write through a symbolic link', async () => {
    const { scan, edit, cacheFolder } = await makeProject()
    const first = await scan()
    const [name = ''] = (await readdir(cacheFolder)).filter((one) => one.startsWith('scan-'))
    const target = join(cacheFolder, 'elsewhere')
    await rename(join(cacheFolder, name), target)
    const text = await readFile(target, 'utf8')
    await symlink('elsewhere', join(cacheFolder, name))
    await edit('new.sh', 'curl https://api.new.io/v1/mails\n')
    expect((await scan()).findings).toHaveLength(first.findings.length + 1)
    expect(await readFile(target, 'utf8')).toBe(text)
    expect((await lstat(join(cacheFolder, name))).isFile()).toBe(true)
  })

  onOneRuntime('does not use results of another project file', async () => {
    const { scan, edit } = await makeProject({
      'a.ts': "import { send } from './own'\nsend('https://api.acme.io/v1/a')\n",
    })
    for (const method of ['POST', 'PUT']) {
      await edit('.api-discovery.yaml', `clients:\n  - ${method} send(url)\n`)
      const result = await scan()
      expect(result).toEqual(await scan({ cacheFolder: undefined }))
      expect(result.findings.map((one) => one.method)).toEqual([method.toLowerCase()])
    }
  })

  it('refuses a folder that cannot be created', async () => {
    const { scan, edit, cacheFolder } = await makeProject()
    await edit('cache', '')
    await expect(scan()).rejects.toThrow(
      `Cannot use the cache folder "${cacheFolder}": it cannot be created or written (EEXIST)`,
    )
  })

  it.skipIf(process.platform !== 'linux')(
    'refuses a folder where none can be created',
    async () => {
      const { scan } = await makeProject()
      const cacheFolder = '/proc/api-discovery/cache'
      await expect(scan({ cacheFolder })).rejects.toThrow(
        `Cannot use the cache folder "${cacheFolder}": it cannot be created or written (ENOENT)`,
      )
    },
  )
})
