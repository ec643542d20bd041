import { toProgram } from '../commands/read-commands.ts'
import type { Draft } from '../lowering/draft.ts'
import { placeOf } from '../lowering/lowered.ts'
import { matchNames } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** Programs that install or run the file that a command prints, or select values from it. */
const isInstaller = matchNames('sudo bash sh zsh tar gpg apt-key gunzip dpkg iex Invoke-Expression')
const isSelector = matchNames('grep egrep jq yq cut xargs')
const isInterpreter = matchNames('python python3 node php ruby perl')

/** Whether the output of a command is installed or run: `curl … | sudo bash`, `bash <(curl …)`. */
export function isInstalled(node: SyntaxNode): boolean {
  let at = node
  for (let depth = 0; depth < 4; depth += 1) {
    const { parent } = at
    if (parent?.type === 'pipeline') {
      const { endIndex } = at
      const ends = (stage: SyntaxNode) =>
        stage.startIndex >= endIndex && (runsInput(stage) || isSelector(programOf(stage)))
      return runsInput(parent.namedChildren.find(ends) ?? null)
    }
    if (parent?.type === 'process_substitution') return runsScript(parent.parent)
    if (parent?.type === 'command_substitution') {
      const { parent: around } = parent
      return runsScript(around?.type === 'string' ? around.parent : around)
    }
    if (parent?.type !== 'redirected_statement' && parent?.type !== 'list') return false
    at = parent
  }
  return false
}

/** An interpreter with a script of its own reads the output as data: `python3 -c '…'`. */
function runsInput(node: SyntaxNode | null): boolean {
  const program = programOf(node)
  const first = node?.childForFieldName('argument')?.text ?? '-'
  return isInstaller(program) || (isInterpreter(program) && /^-s?$/.test(first))
}

function runsScript(node: SyntaxNode | null): boolean {
  const program = programOf(node)
  return isInstaller(program) || isInterpreter(program) || /^(?:source|\.|eval)$/.test(program)
}

/** The program of a command, without its folder; empty for other nodes. */
export function programOf(node: SyntaxNode | null): string {
  if (node?.type === 'redirected_statement') return programOf(node.namedChild(0))
  const name = node?.type === 'command' ? node.childForFieldName('name')?.text : undefined
  return toProgram(name ?? '')
}

/** Whether a program prints its arguments. */
export const isPrinter = matchNames('echo printf')

/** The text that `echo` or `printf` prints. */
export function printed(command: SyntaxNode, [first, ...values]: readonly Expression[]) {
  if (!first || programOf(command) === 'echo') return values.length > 0 ? undefined : first
  const format =
    first.kind === 'text' ? { ...first, text: first.text.replaceAll('\\n', '') } : first
  return { kind: 'format', format, values, named: {}, place: placeOf(command) } as const
}

/** Whether a function gives back what a command of it prints: an address, no message or page. */
export function givesOutput(
  command: SyntaxNode,
  { args: [first], draft }: { readonly args: readonly Expression[]; readonly draft: Draft },
): boolean {
  const { kind, name } = draft.here
  if (kind !== 'function' || !first || !isPrinter(programOf(command))) return false
  const isAddress = first.kind === 'text' && /^(?:https?:\/\/|%s)[^\s'"<>]*$/.test(first.text)
  if (!ADDRESSES.test(name) || (first.kind !== 'name' && !isAddress)) return false
  let at = command.parent
  while (at && !OUTSIDE.test(at.type)) at = at.parent
  return at?.type === 'function_definition'
}

/** Names of functions that print an address. */
const ADDRESSES = /ur[il]|api|base|host|endpoint|server/i
const OUTSIDE = /^(?:function_definition|pipeline|\w+_substitution|redirected_statement)$/
