import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../helpers/build.ts'

/** A TypeScript snippet, and the place that its errors name. */
export interface Snippet {
  readonly code: string
  readonly place: string
}

/** The sources behind the package's entry points: no build is needed. */
const ENTRY_POINTS: Readonly<Record<string, string>> = {
  'api-discovery': 'core/index.ts',
  'api-discovery/client': 'core/client.ts',
  'api-discovery/openapi': 'core/openapi.ts',
  'api-discovery/console': 'adapters/web/console.ts',
  'api-discovery/serve': 'adapters/runtime/serve.ts',
  'api-discovery/node': 'adapters/runtime/node.ts',
  'api-discovery/bun': 'adapters/runtime/bun.ts',
  'api-discovery/deno': 'adapters/runtime/deno.ts',
  'api-discovery/sqlite': 'adapters/storage/sqlite.ts',
  'api-discovery/postgres': 'adapters/storage/postgres.ts',
  'api-discovery/isolate': 'adapters/isolate/worker-isolate.ts',
  'api-discovery/egress': 'adapters/egress/index.ts',
  'api-discovery/feeds': 'adapters/feeds/feed-files.ts',
  'api-discovery/secret': 'adapters/secret/secret-file.ts',
  'api-discovery/assessments': 'core/assessments/index.ts',
  'api-discovery/scans': 'core/scans/index.ts',
  'api-discovery/scanner': 'adapters/scanner/index.ts',
  'api-discovery/geoip': 'adapters/geoip/open-geoip.ts',
  'api-discovery/testing': 'test/conformance/index.ts',
}

/** Names that snippets use without saying where they come from, by what declares them. */
const AMBIENT: Readonly<Record<string, string>> = {
  app: "declare const app: import('api-discovery').ApiDiscovery",
  storage: "declare const storage: import('api-discovery').Storage",
  account: "declare const account: import('api-discovery').Account",
  caller: "declare const caller: import('api-discovery').Caller",
  authenticate: "declare const authenticate: import('api-discovery').Authenticate",
}

/** Checks the types of snippets against the sources. Returns an error per line, with its place. */
export function checkTypeScript(snippets: readonly Snippet[]): readonly string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT)
  const files = new Map(
    snippets.map((snippet, index) => [join(ROOT, 'test', 'docs', `snippet-${index}.ts`), snippet]),
  )
  const checked: ts.CompilerOptions = {
    ...options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    paths: Object.fromEntries(
      Object.entries(ENTRY_POINTS).map(([name, path]) => [name, [join(ROOT, path)]]),
    ),
  }
  const host = ts.createCompilerHost(checked)
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

/** The snippet as a module of its own, with the declarations that it leaves out. */
function toSource(snippet: Snippet | undefined): string | undefined {
  if (!snippet) return undefined
  const { code } = snippet
  const missing = Object.entries(AMBIENT).filter(
    ([name]) =>
      new RegExp(`(?<![\\w.'/])${name}\\b(?!['/:])`).test(code) &&
      !new RegExp(`(?:const|function|import) +(?:\\{[^}]*)?\\b${name}\\b`).test(code),
  )
  return [code, ...missing.map(([, declaration]) => declaration), 'export {}\n'].join('\n')
}
