import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import type { Call, Expression, Program } from '../../../core/code-scanner/model/program.ts'
import type { SyntaxNode, TreeLanguage } from '../../../core/code-scanner/model/syntax.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'

/** Formats a program as lines: scopes, imports, bindings, calls and unused strings. */
export async function showLowered(given: {
  readonly language: TreeLanguage
  readonly lower: (root: SyntaxNode) => Program
  readonly text: string
}): Promise<readonly string[]> {
  const grammars = await openGrammars([given.language])
  const tree = grammars?.parse(given.language, given.text)
  if (!tree) throw new Error(`Cannot parse the text: no grammar of ${given.language}`)
  const program = given.lower(tree.root)
  tree.free()
  return [
    ...program.scopes
      .slice(1)
      .map(({ kind, name, parent, parameters, extends: bases }) =>
        [kind, name, `in ${parent}`, parameters?.join(' '), bases?.join(' ')]
          .filter((part) => part !== undefined && part !== '')
          .join(' '),
      ),
    ...program.imports.map(
      ({ module, local, imported }) => `import ${module} ${imported} ${local}`,
    ),
    ...program.bindings.map(
      ({ name, kind, value, scope, isExported, place }) =>
        `${place.line}: ${kind}${isExported ? ' out' : ''} ${name}@${scope} = ${show(value)}`,
    ),
    ...program.calls.map((call) => `${call.place.line}: call@${call.scope} ${showCall(call)}`),
    ...program.loose.map(({ value, role }) => `${value.place.line}: ${role} ${show(value)}`),
  ]
}

/** Scans files. Returns findings as lines. */
export async function showFound(
  language: TreeLanguage,
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const grammars = await openGrammars([language])
  const catalogue = { match: () => undefined }
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }))
  const { findings } = await scanProject({ files: sources, grammars, catalogue })
  return findings.map(({ file, line, via, method, url }) =>
    [`${file}:${line}`, via, method ?? '-', url].join(' '),
  )
}

/** Scans a text. Returns calls as method and URL. */
export async function showCalls(path: string, text: string): Promise<readonly string[]> {
  const languages = { py: 'python', rb: 'ruby', php: 'php' } as const
  const extension = path.slice(path.lastIndexOf('.') + 1) as keyof typeof languages
  const found = await showFound(languages[extension], { [path]: text })
  return found.flatMap((line) => {
    const [, via, method, url] = line.split(' ')
    return via === 'call' ? [`${method} ${url}`] : []
  })
}

function show(value: Expression): string {
  switch (value.kind) {
    case 'text':
      return JSON.stringify(value.text)
    case 'join':
      return `(${value.parts.map(show).join(' + ')})`
    case 'path':
      return `path(${value.parts.map(show).join(', ')})`
    case 'format':
      return `format(${[show(value.format), ...value.values.map(show), ...showNamed(value.named)].join(', ')})`
    case 'name':
      return value.name
    case 'either':
      return `(${value.options.map(show).join(' | ')})`
    case 'record':
      return `{${showNamed(value.entries).join(', ')}}`
    case 'list':
      return `[${value.items.map(show).join(', ')}]`
    case 'call':
      return showCall(value.call)
    case 'unknown':
      return '?'
  }
}

function showCall({ callee, receiver, args, named }: Call): string {
  const on = receiver && receiver.kind !== 'name' ? show(receiver) : ''
  return `${on}${callee}(${[...args.map(show), ...showNamed(named)].join(', ')})`
}

function showNamed(named: Readonly<Record<string, Expression>>): readonly string[] {
  return Object.entries(named).map(([name, value]) => `${name}=${show(value)}`)
}
