import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import { ENVIRONMENT_VARIABLES } from '../../adapters/cli/environment.ts'
import { markdownTable, pageHead } from './write-markdown.ts'

const ROOT = new URL('../../', import.meta.url)

/** Documented interfaces: the function that accepts them, and the file that declares them. */
const INTERFACES = [
  ['createApiDiscovery(options)', 'core/app-options.ts', 'ApiDiscoveryOptions'],
  ['gatewayLimits', 'core/app-options.ts', 'GatewayLimits'],
  ['gatewayLimits, per origin and account', 'core/gateway/guard/target-guard.ts', 'GuardLimits'],
  ['scanLimits', 'core/scans/uploads.ts', 'ScanLimits'],
  ['rateLimitTests', 'core/rate-limits/prepare.ts', 'RateLimitTestOptions'],
  ['vulnerabilitySync', 'core/vulnerabilities/schedule/options.ts', 'VulnerabilitySyncOptions'],
  ['requestLimits', 'core/accounts/request-limiter.ts', 'RequestLimits'],
  ['authenticationLimits', 'core/accounts/authenticator.ts', 'AuthenticationLimits'],
  ['bodyLimits', 'core/http/body.ts', 'BodyLimits'],
  ['serve(app, options)', 'adapters/runtime/server.ts', 'ServerOptions'],
  ['serve(app, options) on Node', 'adapters/runtime/node.ts', 'NodeServerOptions'],
  ['serve(app, options) on Bun', 'adapters/runtime/bun.ts', 'BunServerOptions'],
  ['createConsole(options)', 'adapters/web/console.ts', 'ConsoleOptions'],
  ['createPinnedEgress(options)', 'adapters/egress/pinned-egress.ts', 'PinnedEgressOptions'],
  ['createFetchEgress(options)', 'adapters/egress/fetch-egress.ts', 'FetchEgressOptions'],
  ['createWorkerIsolate(options)', 'adapters/isolate/worker-isolate.ts', 'WorkerIsolateOptions'],
  ['createScryptHasher(options)', 'adapters/secret/scrypt.ts', 'ScryptOptions'],
] as const

const INTRO = `Environment variables of the command line, and the options of the library's functions.
The options of each command are on the page [Command line](cli.md).
`

/** `docs/reference/configuration.md`: the table of variables and the documented option types. */
export async function renderConfigurationPage(): Promise<string> {
  const variables = ENVIRONMENT_VARIABLES.map(({ name, description, fallback }) => [
    `\`${name}\``,
    description,
    fallback,
  ])
  const sections: string[] = []
  for (const [title, file, name] of INTERFACES) {
    sections.push(`## \`${title}\`\n\n${await renderInterface(file, name)}`)
  }
  return [
    `${pageHead('Configuration', INTRO)}\n## Environment variables\n\n`,
    markdownTable(['Variable', 'Meaning', 'Default'], variables),
    ...sections,
  ].join('')
}

async function renderInterface(file: string, name: string): Promise<string> {
  const text = await readFile(new URL(file, ROOT), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const declaration = source.statements
    .filter(ts.isInterfaceDeclaration)
    .find((each) => each.name.text === name)
  if (!declaration) throw new Error(`${file} does not declare the interface ${name}`)
  const rows = declaration.members.map((member) => [
    `\`${member.name?.getText(source) ?? ''}\``,
    `\`${readType(member, source)}\`${ts.isPropertySignature(member) && !member.questionToken ? ' (required)' : ''}`,
    readDescription(member),
  ])
  return `${readDescription(declaration)}\n\n${markdownTable(['Option', 'Type', 'Meaning'], rows)}`
}

function readType(member: ts.TypeElement, source: ts.SourceFile): string {
  if (ts.isPropertySignature(member)) return member.type?.getText(source) ?? ''
  return member.getText(source).replace(/^\w+/, '')
}

function readDescription(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replace(/\s*\n\s*/g, ' ')
}
