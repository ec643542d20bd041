import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import config from '../../tsup.config.ts'
import { createHost, ENTRY_POINTS, readCompilerOptions } from '../docs/type-check.ts'
import { ROOT } from '../helpers/build.ts'
import { readManifest } from '../helpers/installed.ts'

/** Built files that the package loads itself. */
const INTERNAL = ['cli', 'import-worker', 'scan-worker', 'sqlite-writer']
/** Entry points that Deno lacks: those of Bun, and the suites, which are not published. */
const NOT_DENO = ['bun', 'bun-sqlite', 'testing']

/** Sources of the built files by name; knip reads them too. */
const entries = Object.entries<string>(config.entry)
const toSubpath = (name: string) => (name === 'index' ? '.' : `./${name}`)
const deno = JSON.parse(await readFile(join(ROOT, 'deno.json'), 'utf8'))

describe('the entry points', () => {
  it('are those of the build in package.json', async () => {
    const built = entries.filter(([name]) => !INTERNAL.includes(name))
    expect((await readManifest()).exports).toEqual({
      ...Object.fromEntries(
        built.map(([name]) => [
          toSubpath(name),
          { types: `./dist/${name}.d.ts`, import: `./dist/${name}.js` },
        ]),
      ),
      './package.json': './package.json',
    })
  })

  it('are those of the build in deno.json, with the command line', () => {
    const built = entries.filter(([name]) => {
      return name === 'cli' || !(INTERNAL.includes(name) || NOT_DENO.includes(name))
    })
    expect(deno.exports).toEqual(
      Object.fromEntries(built.map(([name, source]) => [toSubpath(name), `./${source}`])),
    )
  })

  it('can be imported by the name of the package in a clone, on Deno', () => {
    const { './cli': _, ...exported } = deno.exports as Record<string, string>
    expect(deno.imports).toEqual({
      kysely: expect.any(String),
      ...Object.fromEntries(
        Object.entries(exported).map(([subpath, source]) => [
          `api-discovery${subpath.slice(1)}`,
          source,
        ]),
      ),
    })
  })
})

describe('exported names', () => {
  const names = readExports()

  it('are at most 120 in the main entry point', () => {
    const main = names.filter(({ entry }) => entry === 'api-discovery')
    expect(main.length).toBeGreaterThan(40)
    expect(main.length).toBeLessThanOrEqual(120)
  })

  it('have one entry point each', () => {
    const repeated = names.filter(({ symbol }) => {
      return names.filter((other) => other.symbol === symbol).length > 1
    })
    expect(repeated.map(({ entry, symbol }) => `${entry}: ${symbol.name}`)).toEqual([])
  })
})

/** Reads the exports of all entry points, with the symbols that they refer to. */
function readExports(): readonly { readonly entry: string; readonly symbol: ts.Symbol }[] {
  const options = readCompilerOptions()
  const program = ts.createProgram(Object.values(ENTRY_POINTS), options, createHost(options))
  const checker = program.getTypeChecker()
  return Object.entries(ENTRY_POINTS).flatMap(([entry, path]) => {
    const source = program.getSourceFile(path)
    const module = source && checker.getSymbolAtLocation(source)
    return (module ? checker.getExportsOfModule(module) : []).map((symbol) => ({
      entry,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
  })
}
