import type { Evaluator } from './evaluate.ts'
import type { PassedCall, PendingArgument } from './file-scan.ts'
import { hasSlots } from './pattern.ts'
import { targetOf } from './pending-calls.ts'
import type { Call, Expression, Program } from './program.ts'

/**
 * Finds what functions hand their parameters on to in other files, by the functions' scopes:
 * `(path) => fetchJson(BASE + path)`, where another file tells what `fetchJson` does.
 */
export function findPassed(given: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly settled: ReadonlySet<Call>
}): ReadonlyMap<number, readonly PassedCall[]> {
  const { program, evaluator, settled } = given
  const found = new Map<number, PassedCall[]>()
  let count = 0
  const keep = (owner: number, passed: PassedCall): void => {
    const known = found.get(owner) ?? []
    found.set(owner, known)
    if (known.length >= MAX_OF_ONE || count >= MAX_CALLS) return
    known.push(passed)
    count += 1
  }
  const own: { readonly call: Call; readonly owner: number; readonly target: number }[] = []
  for (const call of program.calls) {
    const owner = evaluator.names.functionOf(call.scope)
    if (owner < 0 || settled.has(call) || !PASSERS.test(call.callee)) continue
    const target = evaluator.functionOf(call)
    if (target !== undefined) {
      own.push({ call, owner, target })
      continue
    }
    const args = argumentsOf(call, evaluator)
    const elsewhere = args.some(({ value }) => hasSlots(value))
      ? targetOf(call, { program, evaluator })
      : undefined
    if (elsewhere) keep(owner, { ...elsewhere, args })
  }
  // By way of another function of the file.
  for (const { call, owner, target } of own) {
    if (owner === target) continue
    for (const passed of found.get(target) ?? []) {
      const args = passed.args.map((arg) => ({
        ...arg,
        value: evaluator.fill(arg.value, { call, scope: target }),
      }))
      if (args.some(({ value }) => hasSlots(value))) keep(owner, { ...passed, args })
    }
  }
  return found
}

function argumentsOf(call: Call, evaluator: Evaluator): readonly PendingArgument[] {
  const found: PendingArgument[] = []
  const take = (value: Expression, where: { readonly at: number; readonly name: string }) => {
    const text = evaluator.text({ value, scope: call.scope })
    if (text !== undefined && text.length < MAX_TEXT) found.push({ ...where, key: '', value: text })
  }
  call.args.slice(0, MAX_ARGUMENTS).forEach((value, at) => {
    take(value, { at, name: '' })
  })
  for (const [name, value] of Object.entries(call.named).slice(0, MAX_ARGUMENTS)) {
    take(value, { at: -1, name })
  }
  return found
}

/** Names of what may send something. */
const PASSERS = /ur[il]|fetch|request|http|api|json|curl|send|call|query|load|get|post/i

const MAX_CALLS = 300
const MAX_OF_ONE = 3
const MAX_ARGUMENTS = 8
const MAX_TEXT = 300
