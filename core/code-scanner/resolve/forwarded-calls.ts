import type { ArgumentValue, ExternalCall, ForwardedCall } from '../model/file-scan.ts'
import { fillSlots, hasScheme, hasSlots, lengthOf, toText, UNKNOWN } from '../model/pattern.ts'
import type { Call, Expression, Program } from '../model/program.ts'
import type { Evaluator } from './evaluate.ts'
import { placeOfText } from './expressions.ts'
import { targetOf } from './external-calls.ts'

/** What functions hand on to what other files define. */
export interface PassedCalls {
  /** By the functions' scopes. */
  readonly of: ReadonlyMap<number, readonly ForwardedCall[]>
  /** Calls of such functions in the file itself that say a URL. */
  readonly pending: readonly ExternalCall[]
}

/**
 * Finds what functions hand their parameters on to in other files: `(path) => fetchJson(BASE + path)`,
 * where another file tells what `fetchJson` does.
 */
export function findForwardedCalls(given: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly settled: ReadonlySet<Call>
}): PassedCalls {
  const { program, evaluator, settled } = given
  const found = new Map<number, ForwardedCall[]>()
  const pending: ExternalCall[] = []
  let count = 0
  const keep = (owner: number, passed: ForwardedCall): void => {
    const known = found.get(owner) ?? []
    found.set(owner, known)
    if (known.length >= MAX_OF_ONE || count >= MAX_CALLS) return
    known.push(passed)
    count += 1
  }
  const own: { readonly call: Call; readonly owner: number; readonly target: number }[] = []
  for (const call of program.calls) {
    if (settled.has(call)) continue
    const owner = evaluator.names.functionOf(call.scope)
    const target = evaluator.functionOf(call)
    if (target !== undefined) {
      if (owner !== target) own.push({ call, owner, target })
      continue
    }
    if (owner < 0 || !PASSERS.test(call.callee)) continue
    const args = argumentsOf(call, evaluator)
    const elsewhere = args.some(({ value }) => hasSlots(value))
      ? targetOf(call, { program, evaluator })
      : undefined
    if (elsewhere) keep(owner, { ...elsewhere, args })
  }
  // By way of another function of the file.
  for (const { call, owner, target } of own) {
    for (const passed of found.get(target) ?? []) {
      const args = passed.args.map((arg) => ({
        ...arg,
        value: evaluator.fill(arg.value, { call, scope: target }),
      }))
      if (owner >= 0 && args.some(({ value }) => hasSlots(value))) keep(owner, { ...passed, args })
      // Of a call that adds nothing to what its function says, the function's is enough.
      const says = ({ value }: ArgumentValue, at: number) =>
        hasScheme(value) && toText(value) !== toText(passed.args[at]?.value ?? '')
      if (pending.length >= MAX_CALLS || !args.some(says)) continue
      const known = args.map((arg) => ({ ...arg, value: fillSlots(arg.value, () => UNKNOWN) }))
      const { line, column } = placeOfText(call, call.args)
      pending.push({ ...passed, args: known, rules: [], line, column })
    }
  }
  return { of: found, pending }
}

function argumentsOf(call: Call, evaluator: Evaluator): readonly ArgumentValue[] {
  const found: ArgumentValue[] = []
  const take = (value: Expression, where: { readonly at: number; readonly name: string }) => {
    const text = evaluator.evaluate({ value, scope: call.scope })
    if (text !== undefined && lengthOf(text) < MAX_TEXT)
      found.push({ ...where, key: '', value: text })
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
