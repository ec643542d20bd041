import type { Call, Expression, Program } from '../model/program.ts'
import { opensLinks } from '../noise/noise-calls.ts'

/** Names whose values a browser opens: `const url = …`, then `openUrl(url)`. */
export interface OpenedNames {
  has(name: string, scope: number): boolean
}

/** Finds the names that a program gives to what opens links, in the functions that do so. */
export function findOpenedNames(program: Program): OpenedNames {
  const opened = new Set<string>()
  const add = (name: string, scope: number): void => {
    for (let at = scope, step = 0; at > 0 && step < MAX_CHAIN; step += 1) {
      if (program.scopes[at]?.kind !== 'function') break
      opened.add(`${at}|${name}`)
      at = program.scopes[at]?.parent ?? -1
    }
  }
  const has = (name: string, scope: number) => opened.has(`${scope}|${name}`)
  for (const call of program.calls) {
    const names = call.args.flatMap(namesIn)
    if (names.length === 0 || !isOpener(call)) continue
    for (const name of names) add(name, call.scope)
  }
  for (const { value, role, scope } of program.loose) {
    if (role === 'link') for (const name of namesIn(value)) add(name, scope)
  }
  for (let round = 0, size = 0; size < opened.size && round < MAX_CHAIN; round += 1) {
    size = opened.size
    for (const { name, value, scope } of program.bindings) {
      if (has(name, scope)) for (const part of namesIn(value)) add(part, scope)
    }
  }
  return { has }
}

/** Whether a call has a browser open its arguments: `openUrl(url)`, `exec.Command("xdg-open", url)`. */
function isOpener({ callee, args: [first] }: Call): boolean {
  return opensLinks(callee) || (first?.kind === 'text' && OPENERS.test(first.text))
}

/** The names that a value consists of: of `base + id` both. */
function namesIn(value: Expression): readonly string[] {
  if (value.kind === 'name') return [value.name]
  if (value.kind === 'join' || value.kind === 'path') return value.parts.flatMap(namesIn)
  return value.kind === 'format' ? value.values.flatMap(namesIn) : []
}

/** Programs that open a page in a browser. */
const OPENERS = /^(?:xdg-open|open|rundll32|explorer|start)(?:\.exe)?$/

/** Deepest functions within each other that are followed. */
const MAX_CHAIN = 16
