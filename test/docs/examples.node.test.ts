import { relative } from 'node:path'
import { runInThisContext } from 'node:vm'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../helpers/build.ts'
import {
  checkTypeScript,
  createHost,
  ENTRY_POINTS,
  readCompilerOptions,
  type Snippet,
} from './type-check.ts'

const MAX_LINES = 8

/** An exported function or class of an entry point. */
interface Exported {
  readonly place: string
  /** The code of its `@example` tags. */
  readonly examples: readonly string[]
}

/** Finds all exported functions and classes once, including re-exported ones. */
function readExported(entryPoints: readonly string[]): readonly Exported[] {
  const options = readCompilerOptions()
  const program = ts.createProgram(entryPoints, options, createHost(options))
  const checker = program.getTypeChecker()
  const symbols = entryPoints.flatMap((path) => {
    const source = program.getSourceFile(path)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`Cannot read ${path}: it exports nothing`)
    return checker.getExportsOfModule(module).map((symbol) => {
      return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    })
  })
  return [...new Set(symbols)].filter(isCallable).map((symbol) => {
    const path = symbol.declarations?.[0]?.getSourceFile().fileName ?? ''
    const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example')
    return {
      place: `${relative(ROOT, path)} ${symbol.name}`,
      examples: tags.map(({ text }) => readFencedCode(ts.displayPartsToString(text))),
    }
  })

  function isCallable(symbol: ts.Symbol): boolean {
    if (!(symbol.flags & ts.SymbolFlags.Value)) return false
    const type = checker.getTypeOfSymbol(symbol)
    return type.getCallSignatures().length + type.getConstructSignatures().length > 0
  }
}

/** The content of a `ts` block; empty if the text is anything else. */
function readFencedCode(text: string): string {
  return /^```ts\n(.*)\n```$/s.exec(text.trim())?.[1] ?? ''
}

function countLines(code: string): number {
  return code.split('\n').filter((line) => line.trim() !== '').length
}

/** A line such as `parseDuration('2h') // 7200000`: an expression, and its value. */
const VALUE = /^( *)(\S.*) \/\/ (.+)$/gm

/** Runs an example that needs only the package, and compares its values with those in comments. */
async function runExample(code: string): Promise<void> {
  const modules: Record<string, unknown> = {}
  for (const [name, path] of Object.entries(ENTRY_POINTS)) {
    if (code.includes(`'${name}'`)) modules[name] = await import(path)
  }
  const script = ts.transpile(code.replace(VALUE, '$1expectValue($2, $3)'), {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ESNext,
  })
  const run = runInThisContext(`(async (exports, require, expectValue) => {${script}})`)
  const expectValue = (value: unknown, shown: unknown) => expect(value).toEqual(shown)
  await run({}, (name: string) => modules[name], expectValue)
}

const exported = readExported(Object.values(ENTRY_POINTS))

describe('doc comments of exported functions and classes', () => {
  it('have an example of at most eight lines', () => {
    expect(exported.length).toBeGreaterThan(90)
    const without = exported.filter(({ examples }) => {
      return examples.length === 0 || examples.some((code) => code === '')
    })
    const long = exported.filter(({ examples }) => {
      return examples.some((code) => countLines(code) > MAX_LINES)
    })
    expect(without.map(({ place }) => place)).toEqual([])
    expect(long.map(({ place }) => place)).toEqual([])
  })

  it('have examples without type errors, apart from a wrong one', () => {
    const examples = exported.flatMap(({ place, examples }) =>
      examples.map((code): Snippet => ({ place, code })),
    )
    const code = "import { parseDuration } from 'api-discovery/accounts'\nparseDuration(90)\n"
    expect(checkTypeScript([...examples, { place: 'core/a.ts a', code }])).toEqual([
      expect.stringMatching(/^core\/a\.ts a: .*number.*string/),
    ])
  })

  it('have examples that show actual values, apart from a wrong one', async () => {
    const examples = exported.flatMap(({ place, examples }) =>
      examples.filter((code) => code.match(VALUE)).map((code) => ({ place, code })),
    )
    expect(examples.length).toBeGreaterThan(20)
    const code =
      "import { parseDuration } from 'api-discovery/accounts'\nparseDuration('2h') // 2\n"
    const faults: string[] = []
    for (const { place, code: each } of [...examples, { place: 'core/a.ts a', code }]) {
      await runExample(each).catch((error) => faults.push(`${place}: ${error.message}`))
    }
    expect(faults).toEqual([expect.stringMatching(/^core\/a\.ts a: .*7200000.* 2/)])
  })
})
