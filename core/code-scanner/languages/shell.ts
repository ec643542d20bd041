import { INSTALLED, shellClients } from '../clients/shell.ts'
import {
  dockerCommands,
  jenkinsCommands,
  jsonCommands,
  justCommands,
  makeCommands,
  processCommands,
  stringCommands,
  tomlCommands,
} from '../commands/embedded.ts'
import { PARAMETERS, readCommands, SENDER_SCRIPT, toProgram } from '../commands/read-commands.ts'
import { terraformCommands } from '../commands/terraform-commands.ts'
import { findWrittenAddresses } from '../commands/tools.ts'
import { batchCommands, powershellCommands } from '../commands/windows-commands.ts'
import { workflowCommands, yamlCommands } from '../commands/yaml-commands.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage } from '../lowering/define-language.ts'
import { lowerFunction } from '../lowering/definitions.ts'
import type { Draft, Lowering } from '../lowering/draft.ts'
import { joinOf, placeOf, unknownAt } from '../lowering/lowered.ts'
import type { Language } from '../model/language.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { type Expression, MAIN } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { givesOutput, isInstalled, isPrinter, printed, programOf } from './shell-output.ts'

/** `name` of `${name:-default}`, `${name%/}` and `${name[0]}`; `name.*` of `${name[@]}`. */
const EXPANSION = /^\$\{!?(\w+|[@*#?])(?:\[([^\]]*)\])?(.*)\}$/s

function expansionName({ text }: SyntaxNode): string | undefined {
  const [, name, key] = EXPANSION.exec(text) ?? []
  return name === undefined || key === undefined ? name : /^[@*]$/.test(key) ? `${name}.*` : name
}

/** Removed endings, words and schemes are ignored; without a beginning of any text, a value is unknown. */
const lowerExpansion: Lowering = (node, draft) => {
  const name = draft.nameOf(node)
  if (name === undefined) return undefined
  const value = draft.name(name, node)
  const change = EXPANSION.exec(node.text)?.[3] ?? ''
  if (/^#(?!#?\*:\/\/$).{0,99}[*?[]/.test(change) && !PARAMETERS.includes(name)) return undefined
  if (!/^:?[-=]/.test(change)) return value
  const parts = node.children.slice(3).filter(({ type }) => type !== '}')
  const preset = joinOf(parts.map((part) => draft.lower(part)))
  return preset ? { kind: 'either', options: [value, preset], place: value.place } : value
}

/** `$(echo "$BASE/v1")` and `$(printf '%s/v1' "$BASE")` build strings, as functions do. */
const lowerSubstitution: Lowering = (node, draft) => {
  const command = node.namedChildCount === 1 ? node.namedChild(0) : null
  if (command?.type !== 'command') return draft.children(node)
  if (!isPrinter(programOf(command))) return draft.lower(command)
  const parts = command.childrenForFieldName('argument')
  return printed(
    command,
    parts.map((part) => draft.lower(part)),
  )
}

/** Variables are of the whole file unless they are local or depend on parameters. */
const lowerAssignment: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')
  const right = node.childForFieldName('value')
  if (!name || !right) return undefined
  const added = draft.lower(right)
  const isAdded = node.children.some(({ type }) => type === '+=') && added.kind !== 'list'
  const value = (isAdded && joinOf([draft.name(name.text, name), added])) || added
  const isLocal = isLocalDeclaration(node.parent)
  const binding = { name: name.text, value, isExported: !isLocal, place: placeOf(node) }
  // The function itself reads this value, others any of the file.
  draft.bind({ ...binding, scope: draft.scope })
  if (draft.scope === 0 || isLocal || dependsOnParameter(value, draft)) return undefined
  return draft.bind({ ...binding, scope: 0 })
}

function isLocalDeclaration(node: SyntaxNode | null): boolean {
  if (node?.type !== 'declaration_command') return false
  return /^(?:local|declare|typeset)$/.test(node.child(0)?.text ?? '')
}

/** Whether a value depends on a parameter of the function around it, or on a variable that does. */
function dependsOnParameter(value: Expression, draft: Draft): boolean {
  const depends = (part: Expression) => dependsOnParameter(part, draft)
  if (value.kind === 'name') {
    return PARAMETERS.includes(value.name) || draft.localValue(value.name) !== undefined
  }
  if (value.kind === 'join') return value.parts.some(depends)
  return value.kind === 'either' && value.options.some(depends)
}

const lowerLoop: Lowering = (node, draft) => {
  const values = node.childrenForFieldName('value')
  const options = values.map((value) => draft.lower(value))
  const name = node.childForFieldName('variable')?.text
  const place = placeOf(node)
  if (name !== undefined && options.length > 0) {
    draft.bind({ name, value: { kind: 'either', options, place } })
  }
  return draft.statement(node.childForFieldName('body'))
}

const FUNCTION = {
  name: 'name',
  parameters: 'none',
  shapes: {},
  body: 'body',
  blocks: 'compound_statement subshell if_statement while_statement for_statement case_statement',
  isDeclared: true,
} as const

const lowerFunctionDefinition: Lowering = (node, draft) => {
  const parameters = PARAMETERS.map((name) => ({ name, node }))
  return void lowerFunction(node, { shape: FUNCTION, draft, parameters })
}

/** A command, recorded as a call of its program; what it sends is read when all are known. */
const lowerCommand: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')
  const words = node.childrenForFieldName('argument')
  const ids = new Set([name, ...words].map((child) => child?.id))
  for (const child of node.namedChildren) if (!ids.has(child.id)) draft.statement(child)
  draft.lower(name)
  const args = words.map((word) => draft.lower(word))
  if (!name) return undefined
  const callee = toProgram(name.text)
  const module = SCRIPT_PATH.exec(name.text.replaceAll(/["']/g, ''))?.[1]
  const place = placeOf(name)
  if (module) draft.import({ module: `./${module}`, local: callee, imported: MAIN, place })
  const named = isInstalled(node) ? { [INSTALLED]: { kind: 'unknown' as const, place } } : {}
  if (givesOutput(node, { args, draft })) draft.giveBack(printed(node, args) ?? unknownAt(node))
  return draft.call({ callee, args, named, place })
}

/** The path of a script, below the folder that it begins with: `$dir/../bin/api.sh`. */
const SCRIPT_PATH = /^(?:\$[^/]*\/|.*[)}]\/|\.\/)?((?:[\w.-]+\/)*[\w.-]+)\.(?:sh|bash|zsh)$/

const shell = defineLanguage({
  grammar: 'bash',
  extensions: ['.sh', '.bash', '.zsh', '.ksh', '.bats', '.envrc', '.command'],
  interpreters: ['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash'],
  fits: matchPaths(`.bashrc .bash_* .zshrc .zshenv .zprofile .profile .aliases .functions .exports
    .envrc{,-*,.*} *.{sh,bash,zsh}.{tpl,tmpl,template,j2,erb,in,dist,example,sample}`),
  prepare: stringCommands,
  clients: shellClients,
  family: 'shell',
  prefilter: [/\b(?:curl|wget|https?|xhs?|websocat|grpcurl|irm|iwr|Invoke-\w+)\s/, SENDER_SCRIPT],
  names: {
    simple_expansion: ({ text }) => text.slice(1),
    expansion: expansionName,
  },
  nodes: {
    comment: is.skip,
    'word number': is.text(({ text }) =>
      text.replaceAll(/\\\r?\n/g, '').replaceAll(/\\(.)/g, '$1'),
    ),
    raw_string: is.text(({ text }) => text.slice(1, -1)),
    ansi_c_string: is.text(({ text }) => text.slice(2, -1)),
    string: is.template({
      content: 'string_content',
      values: 'others',
      read: ({ text }) => text.replaceAll(/\\\r?\n/g, '').replaceAll(/\\(["\\$`])/g, '$1'),
    }),
    concatenation: is.adjacent,
    simple_expansion: is.name(),
    expansion: lowerExpansion,
    array: is.list,
    command_substitution: lowerSubstitution,
    variable_assignment: lowerAssignment,
    for_statement: lowerLoop,
    function_definition: lowerFunctionDefinition,
    command: lowerCommand,
    heredoc_body: (node, draft) => {
      const found = findWrittenAddresses(node.text, placeOf(node))
      for (const binding of found) draft.bind({ ...binding, scope: 0 })
      return draft.children(node, 'error')
    },
    // Their words are compared, or name files.
    'test_command case_statement case_item file_redirect herestring_redirect': is.texts('error'),
  },
  roles: {},
  effects: {},
  quirks: { complete: readCommands },
})

/** Files with commands of the shell, by the function that finds the commands. */
const FILES: Readonly<Record<string, (text: string) => string>> = {
  '{Docker,Container}file{,.*} *.{Docker,Container}file{,.*}': dockerCommands,
  '{,GNU}Makefile{,.*} *.mk': makeCommands,
  '{,.}justfile *.just': justCommands,
  'Jenkinsfile* *.jenkinsfile': jenkinsCommands,
  'Procfile{,.*}': processCommands,
  [`.{github,forgejo,gitea}/{workflows,actions}/**.{yml,yaml} action.{yml,yaml}
    .gitlab-ci*.{yml,yaml} .gitlab/**.{yml,yaml} .circleci/**.{yml,yaml} .travis.{yml,yaml}
    *azure-pipelines*.{yml,yaml} .azure*/**.{yml,yaml} bitbucket-pipelines.yml {,.}appveyor.yml
    .drone.{yml,yaml} .woodpecker{,/**}.{yml,yaml} .buildkite/**.{yml,yaml} cloudbuild*.{yml,yaml}
    buildspec*.{yml,yaml} Taskfile*.{yml,yaml} .cirrus.yml`]: workflowCommands,
  '*.{yml,yaml}': yamlCommands,
  '{package,composer,deno,vercel,now,project,app,devcontainer,.devcontainer}.{json,jsonc}':
    jsonCommands,
  '*.toml': tomlCommands,
  '*.{tf,hcl,tofu}': terraformCommands,
  '*.{ps1,psm1}': powershellCommands,
  '*.{bat,cmd}': batchCommands,
}

/** Shell scripts, and files with commands of the shell. */
export const SHELL_LANGUAGES: readonly Language[] = [
  shell,
  ...Object.entries(FILES).map(([paths, findCommands]) => ({
    ...shell,
    fits: matchPaths(paths),
    prepare: (text: string) => stringCommands(findCommands(text)),
  })),
]
