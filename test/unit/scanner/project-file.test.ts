import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openGrammars, scanFolder } from '../../../adapters/scanner/index.ts'
import { parseProjectFile } from '../../../core/code-scanner/clients/project-file.ts'
import { makeFolder } from '../../helpers/source-folder.ts'

const hasNoGrammars = (await openGrammars(['typescript'])) === undefined

async function scanFiles(files: Readonly<Record<string, string>>) {
  const folder = await makeFolder(files)
  try {
    return await scanFolder({ root: folder.path, workers: 1 })
  } finally {
    await folder.remove()
  }
}

const toRow = (found: { file: string; method: string | undefined; url: string }) =>
  `${found.file} ${found.method} ${found.url}`

describe.skipIf(hasNoGrammars)('a project file', () => {
  it('adds client libraries with a base of their own', async () => {
    const { findings } = await scanFiles({
      '.api-discovery.yaml': `
clients:
  - rows: ['.{verb}(url)', 'POST .upload(file, target: url)']
    receiver: 'new AcmeClient({ origin: base })'
    from: acme-http
  - rows: GET beacon.load(path)
    base: https://beacon.acme.io/v2
`,
      'src/a.ts': `import { AcmeClient } from 'acme-http'
const acme = new AcmeClient({ origin: 'https://api.acme.io' })
acme.get('/users')
acme.upload(file, '/files')
`,
      'src/b.ts': `beacon.load('pages')\n`,
      'src/c.py': `beacon.load(path="sites")\n`,
    })
    expect(findings.map(toRow)).toEqual([
      'src/a.ts get https://api.acme.io/users',
      'src/a.ts post https://api.acme.io/files',
      'src/b.ts get https://beacon.acme.io/v2/pages',
      'src/c.py get https://beacon.acme.io/v2/sites',
    ])
  })

  it('names wrappers, and the scan reports those that it cannot follow', async () => {
    const { findings, unresolvedWrappers } = await scanFiles({
      '.api-discovery.yaml': `
wrappers:
  - call: api.call(method, path)
    base: https://api.acme.io/v1
  - gateway.send(url)
  - legacy.post(url)
`,
      'src/a.ts': `import { api } from '#api'
api.call('DELETE', \`/users/\${id}\`)
gateway.send(config.url)
gateway.send('https://hooks.acme.io/a')
`,
    })
    expect(findings.map(toRow)).toEqual([
      'src/a.ts delete https://api.acme.io/v1/users/{}',
      'src/a.ts undefined https://hooks.acme.io/a',
    ])
    expect(unresolvedWrappers).toEqual([
      { row: 'gateway.send(url)', calls: 2, unresolved: 1 },
      { row: 'legacy.post(url)', calls: 0, unresolved: 0 },
    ])
  })

  it('adds libraries of vendors, and is not itself scanned', async () => {
    const { findings } = await scanFiles({
      '.api-discovery.yaml': `
packages:
  - vendor: Acme
    url: https://api.acme.io
    packages: [pkg:npm/acme-node]
`,
      'src/a.ts': `import acme from 'acme-node'\n`,
    })
    expect(findings.map(({ file, url, vendorName }) => [file, url, vendorName])).toEqual([
      ['src/a.ts', 'https://api.acme.io', 'Acme'],
    ])
  })

  it('names hosts of the project itself, with those below them', async () => {
    const hosts = ['acme.vercel.app', 'api.acme.vercel.app', 'api.acme.io', 'badacme.io']
    const text = hosts.map((host) => `await fetch('https://${host}/v1/users')\n`).join('')
    const { findings } = await scanFiles({
      '.api-discovery.yaml': 'own_hosts: [acme.vercel.app, Acme.io]\n',
      'src/a.ts': text,
    })
    const own = findings.filter(({ isOwnHost }) => isOwnHost)
    expect(own.map(({ host }) => host)).toEqual(hosts.slice(0, 3))
    expect(findings).toHaveLength(4)
  })

  it('is not read through a link', async () => {
    const folder = await makeFolder({
      'other.yaml': 'unknown: 1\n',
      'a.sh': 'curl https://api.b.io\n',
    })
    try {
      await symlink(join(folder.path, 'other.yaml'), join(folder.path, '.api-discovery.yaml'))
      const { findings } = await scanFolder({ root: folder.path, workers: 1 })
      expect(findings.map(({ url }) => url)).toEqual(['https://api.b.io'])
    } finally {
      await folder.remove()
    }
  })

  it('is refused if it is too large', async () => {
    const files = { '.api-discovery.yaml': `# ${'x'.repeat(300 * 1024)}` }
    await expect(scanFiles(files)).rejects.toThrow('must not be larger than 256 KiB')
  })
})

describe('reading a project file', () => {
  it.each([
    [
      'client: []',
      'client is unknown: the file must have the keys clients, wrappers, packages and own_hosts only',
    ],
    ['own_hosts: [co.uk]', 'item 1 of own_hosts must be a host of the project'],
    ['own_hosts: [vercel.app]', 'below a shared domain such as'],
    ['own_hosts: [acme.io, slack.com]', 'item 2 of own_hosts must be a host of the project'],
    ['own_hosts: [https://acme.io]', 'must be a host without scheme and path, such as acme.io'],
    [
      'clients:\n  - rows: f(url)\n    recever: g',
      'recever of item 1 of clients is unknown: item 1 of clients must be a row',
    ],
    ['clients:\n  - [a', 'line 2, column'],
    ['clients: [f(path, url]', 'Invalid row'],
    ["clients: [{ rows: '.get(url)', with: 'Host = address' }]", 'Invalid field "Host = address"'],
    ["clients: ['f(address)']", 'Invalid row "f(address)": no parameter is named url'],
    ["clients: ['{a|*}(url)']", '"*" must end in a name'],
    [
      'wrappers:\n  - call: f(url)\n    base: ftp://a.io',
      'base of item 1 of wrappers must be an HTTP URL',
    ],
    ['packages:\n  - vendor: A', 'url of item 1 of packages is required'],
    ['a: &a [b]\nclients: *a', 'aliases'],
    ['__proto__: { clients: [] }', '__proto__ is unknown'],
    ['- a', 'must have the keys'],
    ['a', 'the file must have the keys'],
    ['clients: [1]', 'item 1 of clients must be a row'],
    [`clients: ['${'{verb}'.repeat(9)}(url)']`, 'too many alternatives'],
    [`clients:\n${"  - '.{a|b|c|d|e|f|g|h}{verb}(url)'\n".repeat(10)}`, 'at most 500 are allowed'],
    [`clients: ['${'f('.repeat(400)}']`, 'Invalid row'],
  ])('refuses %j', (source, reason) => {
    expect(() => parseProjectFile(source)).toThrow(`Cannot read .api-discovery.yaml: `)
    expect(() => parseProjectFile(source)).toThrow(reason)
  })

  it('accepts an empty file', () => {
    expect(parseProjectFile('# nothing yet\n')).toEqual({
      clients: [],
      packages: [],
      ownHosts: [],
    })
  })

  it('reads long rows in time that grows with their length', () => {
    const row = `${'a.'.repeat(400)}f(${'{'.repeat(150)}`
    expect(() => parseProjectFile(`clients: ['${row}']`)).toThrow('Invalid row')
  })
})
