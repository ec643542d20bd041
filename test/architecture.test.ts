import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgeImport } from './architecture/import-rules.ts'
import { findImports, findReach, readSources, toSource } from './architecture/sources.ts'
import { judgeStyle } from './architecture/style-rules.ts'
import {
  findComments,
  findLongSentences,
  findOverusedWords,
  findParagraphs,
  findTexts,
} from './architecture/words.ts'
import { ROOT } from './helpers/build.ts'
import { readPages } from './helpers/markdown.ts'

const sources = readSources(['core', 'adapters', 'examples'])
const imports = sources.flatMap(findImports)

function faultsOf(path: string, text: string): readonly string[] {
  const source = toSource(path, text)
  const wrong = findImports(source).map(judgeImport)
  return [...wrong.filter((fault) => fault !== undefined), ...judgeStyle(source)]
}

describe('architecture', () => {
  it('has only the imports that the import table allows', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(imports.length).toBeGreaterThan(500)
    expect(imports.map(judgeImport).filter((fault) => fault !== undefined)).toEqual([])
  })

  it('follows the style rules in all files', () => {
    expect(sources.flatMap(judgeStyle)).toEqual([])
  })

  it('imports no missing file', () => {
    const paths = new Set(sources.map(({ path }) => path))
    const own = imports.filter(({ to }) => /^(core|adapters|examples)\//.test(to))
    const isData = (path: string) => path.endsWith('.json') && existsSync(join(ROOT, path))
    expect(own.filter(({ to }) => !paths.has(to) && !isData(to))).toEqual([])
  })

  it.each(['core/client.ts', 'core/openapi.ts'])(
    'has no handler and no router among the modules that %s loads',
    (entry) => {
      const reach = [...findReach(entry, imports)]
      const ofServer = /^core\/(app|index)\.ts$|\/(handlers|service|router|dispatcher)\.ts$|itty/
      expect(reach.filter((path) => ofServer.test(path))).toEqual([])
    },
  )

  it('has no runtime and no database among the modules that entry points of the core load', () => {
    const paths = sources.map(({ path }) => path)
    const entries = paths.filter((path) => /^core\/([\w-]+|[\w-]+\/index)\.ts$/.test(path))
    const reached = new Set(entries.flatMap((entry) => [...findReach(entry, imports)]))
    expect(entries).toContain('core/boms/index.ts')
    expect([...reached].filter((to) => !to.startsWith('core/')).sort()).toEqual([
      '@cyclonedx/cyclonedx-library',
      '@remix-run/multipart-parser',
      '@renovatebot/pep440',
      '@renovatebot/ruby-semver',
      '@valibot/to-json-schema',
      'ipaddr.js',
      'itty-router',
      'js-yaml',
      'openapi-sampler',
      'packageurl-js',
      'semver/classes/semver.js',
      'stemmer',
      'tldts',
      'valibot',
    ])
  })

  it('imports each wrapped package in one file only', () => {
    const importers = (name: string) =>
      [...new Set(imports.filter(({ to }) => to === name).map(({ from }) => from))].filter(
        (from) => !from.startsWith('examples/'),
      )
    expect({
      router: importers('itty-router'),
      schemas: importers('@valibot/to-json-schema'),
      pg: importers('pg'),
      bun: importers('bun:sqlite'),
      yaml: importers('js-yaml'),
    }).toEqual({
      router: ['core/http/router.ts', 'adapters/web/router.ts'],
      schemas: ['core/openapi.ts', 'adapters/mcp/create-server.ts'],
      pg: ['adapters/storage/postgres.ts'],
      bun: ['adapters/storage/bun-sqlite.ts'],
      yaml: ['core/discovery/backstage.ts', 'core/imports/parse-yaml.ts'],
    })
  })
})

describe('checks of imports', () => {
  it.each([
    ['core/shared/x.ts', "import { x } from '../catalogue/x.ts'"],
    ['core/shared/x.ts', "import type { Storage } from '../ports/storage.ts'"],
    ['core/errors.ts', "import { quote } from './shared/text.ts'"],
    ['core/http/problems.ts', "import { ServiceError } from '../errors.ts'"],
    ['core/http/input.ts', "import { x } from '../catalogue/handlers.ts'"],
    ['core/http/input.ts', "import { IttyRouter } from 'itty-router'"],
    ['core/catalogue/records.ts', "import { x } from './handlers.ts'"],
    ['core/catalogue/operations.ts', "import { x } from './handlers.ts'"],
    ['core/catalogue/operations.ts', "import type { x } from './store.ts'"],
    ['core/catalogue/store.ts', "import { toWire } from './records.ts'"],
    ['core/catalogue/handlers.ts', "import { createImports } from '../imports/service.ts'"],
    ['core/catalogue/handlers.ts', "import type { Imports } from '../imports/service.ts'"],
    ['core/catalogue/handlers.ts', "import { x } from '../imports/store.ts'"],
    ['core/catalogue/handlers.ts', "import { createApiDiscovery } from '../app.ts'"],
    ['core/catalogue/handlers.ts', "import { readFile } from 'node:fs/promises'"],
    ['core/catalogue/handlers.ts', "import type { Server } from 'node:http'"],
    ['core/catalogue/handlers.ts', "import { Kysely } from 'kysely'"],
    ['core/catalogue/handlers.ts', "import { Database } from 'bun:sqlite'"],
    ['core/catalogue/handlers.ts', "const pg = await import('pg')"],
    ['core/catalogue/handlers.ts', "import { toJsonSchema } from '@valibot/to-json-schema'"],
    ['core/catalogue/handlers.ts', "import { openSqlite } from '../../adapters/storage/sqlite.ts'"],
    ['core/catalogue/handlers.ts', "import data from '../../fixtures/seed/a.json'"],
    ['core/catalogue/handlers.ts', "const url = new URL('../../fixtures/a.json', import.meta.url)"],
    ['core/catalogue/handlers.ts', "export { x } from '../gateway/policy.ts'"],
    ['core/catalogue/handlers.ts', "type X = import('../gateway/policy.ts').X"],
    ['core/matching/match.ts', "import { CATEGORIES } from '../catalogue/categories.ts'"],
    ['core/contract.ts', "import { x } from './catalogue/handlers.ts'"],
    ['core/client.ts', "import { createApiDiscovery } from './app.ts'"],
    ['core/openapi.ts', "import { x } from './catalogue/handlers.ts'"],
    ['core/ports/storage.ts', "import { x } from '../catalogue/store.ts'"],
    ['core/version.ts', "import { x } from './ports/storage.ts'"],
    ['core/stray.ts', "import { x } from './ports/storage.ts'"],
    ['adapters/runtime/node.ts', "import { openSqlite } from '../storage/sqlite.ts'"],
    ['adapters/runtime/node.ts', "import { x } from '../../core/catalogue/handlers.ts'"],
    ['adapters/storage/sqlite.ts', "import { serve } from '../runtime/serve.ts'"],
    ['adapters/storage/sqlite.ts', "import pg from 'pg'"],
    ['adapters/storage/kysely/apis.ts', "import { DatabaseSync } from 'node:sqlite'"],
    ['adapters/storage/kysely/migrations/0001-a.ts', "import type { Tables } from '../tables.ts'"],
    ['adapters/cli/main.ts', "import { x } from '../../core/catalogue/handlers.ts'"],
    ['adapters/cli/main.ts', "import { x } from '../storage/kysely/tables.ts'"],
    ['adapters/unknown/x.ts', "import { x } from './y.ts'"],
    ['examples/a.ts', "import { createApiDiscovery } from '../core/index.ts'"],
    ['examples/a.ts', "import { serve } from '../adapters/runtime/serve.ts'"],
  ])('rejects %s: %s', (path, text) => {
    expect(faultsOf(path, `${text}\n`)).toHaveLength(1)
  })

  it.each([
    ['core/catalogue/handlers.ts', "import type { ImportStore } from '../imports/store.ts'"],
    ['core/catalogue/handlers.ts', "import { type Handlers } from '../http/operation.ts'"],
    ['core/catalogue/search/x.ts', "import { x } from '../records.ts'"],
    ['core/system/handlers.ts', "import { ServiceError } from '../errors.ts'"],
    ['adapters/storage/sqlite.ts', "import { x } from './kysely/storage.ts'"],
    ['examples/a.ts', "import { openSqlite } from 'api-discovery/sqlite'"],
  ])('accepts in %s: %s', (path, text) => {
    expect(faultsOf(path, `${text}\n`)).toEqual([])
  })

  it('follows imports of values, not of types', () => {
    const edges = [
      { from: 'a', to: 'b', isType: false },
      { from: 'b', to: 'c', isType: false },
      { from: 'b', to: 'd', isType: true },
      { from: 'c', to: 'a', isType: false },
    ]
    expect([...findReach('a', edges)]).toEqual(['a', 'b', 'c'])
  })
})

describe('checks of style', () => {
  it.each([
    ['core/shared/x.ts', 'export default 1'],
    ['core/shared/x.ts', 'export default function x() {}'],
    ['core/shared/x.ts', 'const x = 1\nexport { x as default }'],
    ['core/shared/x.ts', 'const x: any = 1'],
    ['core/shared/x.ts', 'const x = y as any'],
    ['core/shared/x.ts', 'const x = y!.z'],
    ['core/shared/x.ts', 'let x!: number'],
    ['core/shared/x.ts', '// @ts-ignore\nconst x = 1'],
    ['core/shared/x.ts', 'enum X { A }'],
    ['core/shared/x.ts', 'class X { constructor(readonly a: string) {} }'],
    ['core/shared/x.ts', 'const x = process.env'],
    ['core/shared/x.ts', "const x = Buffer.from('')"],
    ['core/shared/x.ts', "const x = typeof Bun === 'object'"],
    ['core/shared/x.ts', 'const x = globalThis.Deno'],
    ['core/code-scanner/languages/x.ts', '//\n'.repeat(261)],
    ['core/code-scanner/find/x.ts', `const x = /${'a'.repeat(149)}/`],
    ['core/code-scanner/find/x.ts', `function x() { ${'if (a) b()\n'.repeat(25)} }`],
    ['core/code-scanner/find/x.ts', `const x = () => ${'a?.b || '.repeat(13)}c`],
    ['core/shared/CamelCase.ts', 'const x = 1'],
    ['core/shared/snake_case.ts', 'const x = 1'],
  ])('rejects in %s: %s', (path, text) => {
    expect(faultsOf(path, text)).toHaveLength(1)
  })

  it.each([
    ['core/shared/x.ts', 'const x = ipaddr.process(text)'],
    ['core/shared/x.ts', '// A Buffer and Bun in a comment, any! of them.\nconst x = 1'],
    ['core/code-scanner/find/x.ts', `const x = /${'a'.repeat(148)}/`],
    ['core/code-scanner/find/x.ts', `function x() { ${'if (a) b()\n'.repeat(24)} }`],
    ['adapters/cli/x.ts', 'const x = process.env'],
    ['examples/worker.ts', 'export default { fetch() {} }'],
  ])('accepts in %s: %s', (path, text) => {
    expect(faultsOf(path, text)).toEqual([])
  })
})

describe('wording', () => {
  const plain = sources.filter(({ path }) => !path.startsWith('examples/'))

  it('is plain in comments', () => {
    expect(findOverusedWords(plain.flatMap(findComments))).toEqual([])
  })

  it('is plain in messages, help texts and pages', () => {
    expect(findOverusedWords(plain.flatMap(findTexts))).toEqual([])
  })

  it('is plain in Markdown, with sentences of at most 40 words', async () => {
    const markdown = (await readPages()).flatMap(findParagraphs)
    expect(findOverusedWords(markdown)).toEqual([])
    expect(findLongSentences(markdown)).toEqual([])
  })

  it('is checked only in comments and texts', () => {
    const source = toSource(
      'core/a.ts',
      `// What it tells\nconst what = 'told what holds' // beside\n/** Of it. */\nf(\`a \${what} b c\`)`,
    )
    expect(findComments(source).map(({ at, text }) => [at, text.trim()])).toEqual([
      ['core/a.ts:1', 'What it tells'],
      ['core/a.ts:2', 'beside'],
      ['core/a.ts:3', 'Of it.'],
    ])
    expect(findTexts(source)).toEqual([
      { at: 'core/a.ts:2', text: 'told what holds' },
      { at: 'core/a.ts:4', text: 'a X b c' },
    ])
    expect(findOverusedWords(findComments(source))).toHaveLength(4)
    const long = { at: 'a.md:1', text: `${'word '.repeat(41)}. Short.` }
    expect(findLongSentences([long])).toHaveLength(1)
  })
})
