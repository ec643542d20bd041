import { ListMap } from '../model/collections.ts'
import type { ArgumentValue, ExternalCall, ForwardedCall } from '../model/file-scan.ts'
import { defaultOf, fillSlots, hasScheme, hasSlots, lengthOf, toText } from '../model/pattern.ts'
import type { Call } from '../model/program.ts'
import type { Evaluator } from './evaluate.ts'
import { placeOfText } from './expressions.ts'
import { findTarget } from './external-calls.ts'

/** Calls that forward parameters of functions to other files. */
export interface ForwardedCalls {
  /** By the scope of the function. */
  readonly byFunction: Pick<ListMap<number, ForwardedCall>, 'get'>
  /** Calls of such functions in the file itself that pass a URL. */
  readonly externalCalls: readonly ExternalCall[]
}

/**
 * Finds the calls that forward parameters to functions of other files:
 * `(path) => fetchJson(BASE + path)`, where another file defines `fetchJson`.
 */
export function findForwardedCalls(
  evaluator: Evaluator,
  settled: ReadonlySet<Call>,
): ForwardedCalls {
  const byFunction = new ListMap<number, ForwardedCall>(MAX_OF_FUNCTION)
  const externalCalls: ExternalCall[] = []
  const own: { readonly call: Call; readonly caller: number; readonly target: number }[] = []
  for (const call of evaluator.program.calls) {
    if (settled.has(call)) continue
    const caller = evaluator.names.functionOf(call.scope)
    const target = evaluator.functionOf(call)
    if (target !== undefined) {
      if (caller !== target) own.push({ call, caller, target })
      continue
    }
    if (caller < 0 || !FORWARDS.test(call.callee)) continue
    const args = evaluator.selectArguments(call, (value) => lengthOf(value) < MAX_LENGTH)
    const external = args.some(hasSlotIn) ? findTarget(call, evaluator) : undefined
    if (external) byFunction.add(caller, { ...external, args })
  }
  // Other functions of the file may call such functions.
  for (const { call, caller, target } of own) {
    for (const forwarded of byFunction.get(target)) {
      const args = forwarded.args.map((argument) => ({
        ...argument,
        value: evaluator.fill(argument.value, { call, scope: target }),
      }))
      if (caller >= 0 && args.some(hasSlotIn)) byFunction.add(caller, { ...forwarded, args })
      // A call without a URL of its own adds nothing to its function's finding.
      const addsUrl = ({ value }: ArgumentValue, at: number) =>
        hasScheme(value) && toText(value) !== toText(forwarded.args[at]?.value ?? '')
      if (externalCalls.length >= MAX_CALLS || !args.some(addsUrl)) continue
      const known = args.map((each) => ({ ...each, value: fillSlots(each.value, defaultOf) }))
      const { line, column } = placeOfText(call, call.args)
      externalCalls.push({ ...forwarded, args: known, rules: [], line, column })
    }
  }
  return { byFunction, externalCalls }
}

function hasSlotIn({ value }: ArgumentValue): boolean {
  return hasSlots(value)
}

/** Functions that may send something, by their names. */
const FORWARDS = /ur[il]|fetch|request|http|api|json|curl|send|call|query|load|get|post/i

const MAX_CALLS = 300
const MAX_OF_FUNCTION = 3
const MAX_LENGTH = 300
