import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { load, loadAll } from 'js-yaml'
import { beforeAll, describe, expect, it } from 'vitest'
import { createProgram } from '../../adapters/cli/program.ts'
import { buildOpenApiDocument } from '../../core/openapi.ts'
import { ROOT } from '../helpers/build.ts'
import { QUIET } from '../helpers/command-line.ts'
import { parseCurl } from '../helpers/curl.ts'
import { readManifest } from '../helpers/installed.ts'
import { type Block, findInlineCode, type Page, readPages } from '../helpers/markdown.ts'
import { splitCommands } from '../helpers/shell-words.ts'
import { checkTypeScript } from './type-check.ts'

/** A generated list, and the changelog, which mentions removed options. */
const UNCHECKED = /^(docs\/reference\/|CHANGELOG\.md$|fixtures\/)/

let pages: readonly Page[] = []

beforeAll(async () => {
  pages = (await readPages()).filter(({ path }) => !UNCHECKED.test(path))
})

/** Finds the blocks in these languages, each with its location. */
function findBlocks(
  ...languages: readonly string[]
): readonly (Block & { readonly place: string })[] {
  return pages.flatMap((page) =>
    page.blocks
      .filter(({ language }) => languages.includes(language))
      .map((block) => ({ ...block, place: `${page.path}:${block.line}` })),
  )
}

/** Returns the errors that `check` throws. */
async function collectFaults(
  blocks: readonly (Block & { readonly place: string })[],
  check: (block: Block) => void | Promise<void>,
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const block of blocks) {
    try {
      await check(block)
    } catch (error) {
      faults.push(`${block.place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return faults
}

function forEachCommand(command: Command, use: (command: Command) => void): void {
  use(command)
  for (const each of command.commands) forEachCommand(each, use)
}

/** Parses a command line without running it; throws if it is invalid. */
async function parseCommandLine(words: readonly string[]): Promise<void> {
  const notes: string[] = []
  const io = { ...QUIET, note: (line: string) => void notes.push(line) }
  const program = await createProgram({ io, words })
  forEachCommand(program, (command) => {
    if (command.commands.length === 0 || command.registeredArguments.length > 0) {
      command.action(() => {})
    }
  })
  try {
    await program.parseAsync([...words], { from: 'user' })
  } catch (error) {
    throw new Error(`${words.join(' ')}: ${notes[0] ?? error}`)
  }
}

const { paths } = buildOpenApiDocument() as {
  readonly paths: Record<
    string,
    Record<string, { readonly parameters?: readonly { readonly name: string }[] }>
  >
}
/** Served in addition to the operations. */
const SYSTEM_PATHS = ['/healthz', '/readyz', '/console/', '/mcp']

function checkCurl(words: readonly string[]): void {
  const { url, method, data } = parseCurl(words)
  if (data?.startsWith('{')) JSON.parse(data)
  const { pathname, searchParams } = new URL(url)
  if (SYSTEM_PATHS.includes(pathname)) return
  const path = pathname.replace(/^\/api(?=\/)/, '')
  const operation = paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`no operation has ${method} ${path}`)
  const names = (operation.parameters ?? []).map(({ name }) => name)
  const unknown = [...searchParams.keys()].filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`${method} ${path} does not take ${unknown.join(', ')}`)
}

async function checkCommand(words: readonly string[]): Promise<void> {
  const [program, ...rest] = words[0] === 'npx' || words[0] === 'sudo' ? words.slice(1) : words
  if (program === 'api-discovery') return parseCommandLine(rest)
  if (program === 'curl') return checkCurl(rest)
  if (program !== 'npm' && program !== 'bun' && program !== 'deno') return
  const [verb = '', ...after] = rest.filter((word) => !/^-[a-z]$/.test(word))
  const name = verb === 'run' || verb === 'task' ? (after[0] ?? '') : verb
  if (!['run', 'task', 'start', 'test'].includes(verb)) return
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  if (!(name in scripts)) throw new Error(`package.json has no script ${name}`)
  if (name.startsWith('cli')) await parseCommandLine(after.slice(after.indexOf('--') + 1))
}

/** Lists all words in the sources. */
async function readSourceWords(): Promise<ReadonlySet<string>> {
  const words = new Set<string>()
  for (const folder of ['core', 'adapters', 'examples', 'test/helpers', 'test/conformance']) {
    const entries = await readdir(join(ROOT, folder), { recursive: true })
    for (const name of entries.filter((entry) => entry.endsWith('.ts'))) {
      const text = await readFile(join(ROOT, folder, name), 'utf8')
      for (const [word] of text.matchAll(/[A-Za-z_]\w+/g)) words.add(word)
    }
  }
  return words
}

describe('snippets in Markdown', () => {
  it('have a language', () => {
    const languages = [
      'sh',
      'console',
      'ts',
      'json',
      'yaml',
      'text',
      'nginx',
      'caddy',
      'ini',
      'mermaid',
    ]
    const others = pages.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language }) => !languages.includes(language))
        .map(({ line, language }) => `${path}:${line}: ${language}`),
    )
    expect(others).toEqual([])
  })

  it('of JSON and YAML parse', async () => {
    const json = findBlocks('json')
    const yaml = findBlocks('yaml')
    expect(await collectFaults(json, ({ code }) => void JSON.parse(code))).toEqual([])
    expect(await collectFaults(yaml, ({ code }) => void loadAll(code))).toEqual([])
    expect(load('a: 1')).toEqual({ a: 1 })
  })

  it('of shells use commands, options, operations and scripts that exist', async () => {
    const blocks = findBlocks('sh')
    expect(blocks.length).toBeGreaterThan(20)
    const faults = await collectFaults(blocks, async ({ code }) => {
      for (const { words } of splitCommands(code)) await checkCommand(words)
    })
    expect(faults).toEqual([])
  })

  it('of TypeScript have no type errors, apart from a wrong one', () => {
    const blocks = findBlocks('ts')
    expect(blocks.length).toBeGreaterThan(10)
    const wrong = { place: 'a.md:1', code: "import { bogus } from 'api-discovery'\nbogus()\n" }
    expect(checkTypeScript([...blocks, wrong])).toEqual([
      expect.stringMatching(/^a\.md:1: .*bogus/),
    ])
  })

  it('of shells are not always right', async () => {
    await expect(checkCommand(['api-discovery', 'import', '--bogus', 'a'])).rejects.toThrow(
      '--bogus',
    )
    await expect(checkCommand(['npm', 'run', 'bogus'])).rejects.toThrow('no script bogus')
    expect(() => checkCurl(['http://127.0.0.1:8080/api/bogus'])).toThrow('GET /bogus')
    expect(() => checkCurl(['http://127.0.0.1:8080/api/endpoint_search?bogus=1'])).toThrow('bogus')
  })
})

describe('inline code in Markdown', () => {
  it('names options of the command line that exist', async () => {
    const program = await createProgram({ io: QUIET, words: 'all' })
    const options = new Set<string>(['--help', '--allow-net', '--ignore-scripts'])
    forEachCommand(program, (command) => {
      for (const { long } of command.options) if (long) options.add(long)
    })
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    const scriptText = Object.values(scripts).join(' ')
    const unknown = pages.flatMap((page) =>
      findInlineCode(page)
        .filter((code) => !/^(npm|npx|vitest|curl|ssh|pg_dump|setcap|node) /.test(code))
        .flatMap((code) => [...code.matchAll(/(?<![\w-])--[a-z][a-z\d-]+/g)].map(([name]) => name))
        .filter((name) => !options.has(name) && !scriptText.includes(name))
        .map((name) => `${page.path}: ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('names files that exist', async () => {
    const paths = pages.flatMap((page) =>
      findInlineCode(page)
        .filter((code) => /^(core|adapters|test|examples)\/[\w./-]+$/.test(code))
        .map((path) => ({ path, page: page.path })),
    )
    const dead = paths.filter(({ path }) => !existsSync(join(ROOT, path)))
    expect(paths.length).toBeGreaterThan(20)
    expect(dead).toEqual([])
  })

  it('names functions, types and variables that exist', async () => {
    const words = await readSourceWords()
    const { exports } = await readManifest()
    expect(Object.keys(exports).length).toBeGreaterThan(10)
    const isName = /^[A-Za-z_]\w*(?:\.\w+)*(?:\(.*\))?$/
    const unknown = pages.flatMap((page) =>
      findInlineCode(page)
        .filter((code) => isName.test(code) && /[a-z][A-Z]|^API_DISCOVERY_/.test(code))
        .flatMap((code) => code.replace(/\(.*/, '').split('.'))
        .filter((word) => !words.has(word))
        .map((word) => `${page.path}: ${word}`),
    )
    expect(unknown).toEqual([])
  })
})
