import { join } from 'node:path'
import ts from 'typescript'
import config from '../../tsup.config.ts'
import { ROOT } from '../helpers/build.ts'
import { readManifest } from '../helpers/installed.ts'

/** A TypeScript snippet, and the location that its errors mention. */
export interface Snippet {
  readonly code: string
  readonly place: string
}

const { exports } = await readManifest()

/** Sources of the entry points by import name, so that no build is needed. */
export const ENTRY_POINTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(config.entry).flatMap(([name, path]) => {
    const subpath = name === 'index' ? '' : `/${name}`
    return `.${subpath}` in exports ? [[`api-discovery${subpath}`, join(ROOT, path)]] : []
  }),
)

/** Declarations of the variables that snippets use without declaring them. */
const AMBIENT: Readonly<Record<string, string>> = {
  app: "declare const app: import('api-discovery').ApiDiscovery",
  storage: "declare const storage: import('api-discovery/storage').FullStorage",
  account: "declare const account: import('api-discovery').Account",
  caller: "declare const caller: import('api-discovery').Caller",
  authenticate: "declare const authenticate: import('api-discovery').Authenticate",
  bom: "declare const bom: import('api-discovery/boms').Bom",
  catalogue: "declare const catalogue: import('api-discovery/scans').ScanCatalogue",
  deps: "declare const deps: import('api-discovery/vulnerabilities').SyncOptions",
  found: "declare const found: import('api-discovery/scans').ProjectFindings",
  policy: "declare const policy: import('api-discovery/assessments').Policy",
  report: "declare const report: import('api-discovery/scans').ProjectReport",
  verdict: "declare const verdict: import('api-discovery/assessments').PolicyEvaluation",
}

/** The project's own compiler options. */
export function readCompilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options
}

const parsed = new Map<string, ts.SourceFile | undefined>()

/** A host whose programs share the parsed sources. */
export function createHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, ...rest) => {
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest))
    return parsed.get(name)
  }
  return host
}

/**
 * Checks the types of snippets against the sources. Returns one line per error, with its location.
 */
export function checkTypeScript(snippets: readonly Snippet[]): readonly string[] {
  const files = new Map(
    snippets.map((snippet, index) => [join(ROOT, 'test', 'docs', `snippet-${index}.ts`), snippet]),
  )
  const checked: ts.CompilerOptions = {
    ...readCompilerOptions(),
    noUnusedLocals: false,
    noUnusedParameters: false,
    paths: Object.fromEntries(Object.entries(ENTRY_POINTS).map(([name, path]) => [name, [path]])),
  }
  const host = createHost(checked)
  const { readFile, fileExists, getSourceFile } = host
  host.readFile = (name) => toSource(files.get(name)) ?? readFile(name)
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.getSourceFile = (name, ...rest) => {
    const source = toSource(files.get(name))
    if (source === undefined) return getSourceFile(name, ...rest)
    return ts.createSourceFile(name, source, ts.ScriptTarget.Latest)
  }
  const program = ts.createProgram({ rootNames: [...files.keys()], options: checked, host })
  return [...files].flatMap(([name, { place }]) => {
    const source = program.getSourceFile(name)
    const errors = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]
    return errors.map(({ messageText }) => {
      return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
  })
}

/** Converts a snippet to a module, with the declarations that it omits. */
function toSource(snippet: Snippet | undefined): string | undefined {
  if (!snippet) return undefined
  const { code } = snippet
  const missing = Object.entries(AMBIENT).filter(
    ([name]) =>
      new RegExp(`(?<![\\w'/]|(?<!\\.\\.)\\.)${name}\\b(?!['/:])`).test(code) &&
      !new RegExp(`(?:const|function|import) +(?:\\{[^}]*)?\\b${name}\\b`).test(code),
  )
  return [code, ...missing.map(([, declaration]) => declaration), 'export {}\n'].join('\n')
}
