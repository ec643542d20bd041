import type { ExternalCall } from '../model/file-scan.ts'
import { hasReferences, hasScheme, type Pattern, toText } from '../model/pattern.ts'
import type { Call, Expression, Program } from '../model/program.ts'
import { isBaseName, isHostName } from '../noise/noise.ts'
import type { Evaluator } from './evaluate.ts'
import { classReference } from './expressions.ts'

/**
 * Finds constructions of objects that describe requests: `new ApiConfig("/v1/users")`. The class, or
 * a setter in the same chain (`.hostName(HOST)`), has the host.
 */
export function findDescribedRequests(from: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly settled: ReadonlySet<Call>
}): readonly ExternalCall[] {
  const { program, evaluator, settled } = from
  const found: ExternalCall[] = []
  const setters = findSetters(program)
  for (const call of program.calls) {
    const name = CONSTRUCTION.exec(call.callee)?.[1]
    if (name === undefined || settled.has(call) || found.length >= MAX_FOUND) continue
    const args = [...call.args.slice(0, MAX_ARGUMENTS), ...Object.values(call.named)]
    const path = args.find((value) => value.kind === 'text' && PATH.test(value.text))
    const value = path && evaluator.evaluate({ value: path, scope: call.scope })
    if (!path || value === undefined) continue
    const { line, column } = path.place
    const bases = (setters.get(call) ?? []).flatMap((setter) => baseOf(setter, evaluator))
    found.push({
      target: classReference(name, evaluator.names),
      ...{ member: '', rules: [], args: [{ at: 0, name: '', key: '', value }], line, column },
      ...(bases[0] !== undefined && { base: bases[0] }),
      describesRequest: true,
    })
  }
  return found
}

/** Calls of a chain that name a host or base, by the construction that the chain begins with. */
function findSetters(program: Program): ReadonlyMap<Call, readonly Call[]> {
  const found = new Map<Call, Call[]>()
  for (const call of program.calls) {
    if (!isHostName(call.callee) && !isBaseName(call.callee)) continue
    let at: Expression | undefined = call.receiver
    for (let step = 0; at?.kind === 'call' && step < MAX_CHAIN; step += 1) {
      const { call: inner }: { readonly call: Call } = at
      if (!inner.receiver) found.set(inner, [...(found.get(inner) ?? []), call])
      at = inner.receiver
    }
  }
  return found
}

function baseOf({ args, scope }: Call, evaluator: Evaluator): readonly Pattern[] {
  const [value] = args
  const text = value && evaluator.evaluate({ value, scope })
  return text !== undefined && (hasScheme(text) || hasReferences(text)) ? [text] : []
}

/** Whether a member of a class is the host or base of the requests that the class describes. */
export function isHostOfRequests(member: string, text: Pattern | undefined): text is Pattern {
  if (text === undefined || !(isHostName(member) || isBaseName(member))) return false
  return hasScheme(text) || /^[\w-]+(?:\.[\w-]+)+$/.test(toText(text))
}

const CONSTRUCTION = /^(?:new )?((?:\w+\.)*[A-Z]\w*)(?:\.new)?$/
const PATH = /^\/[\w{}.:$<>%-]+(?:\/[\w{}.:$<>%-]+)*\/?(?:\?\S*)?$/
const MAX_FOUND = 500
const MAX_ARGUMENTS = 4
const MAX_CHAIN = 12
