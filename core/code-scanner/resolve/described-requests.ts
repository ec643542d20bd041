import { ListMap, ownEntry } from '../model/collections.ts'
import type { ExternalCall, FileScan, UnresolvedReference } from '../model/file-scan.ts'
import { lastName } from '../model/name-patterns.ts'
import { hasReferences, hasScheme, joinSegments, type Pattern, toText } from '../model/pattern.ts'
import type { Call, Expression, Program } from '../model/program.ts'
import { isBaseName, isHostName } from '../noise/noise.ts'
import type { Evaluator } from './evaluate.ts'
import { findConstructedClass } from './expressions.ts'
import type { Found } from './find-exported.ts'

/**
 * Finds constructions of objects that describe requests: `new ApiConfig("/v1/users")`. The class, or
 * a setter in the same chain (`.hostName(HOST)`), defines the host.
 */
export function findDescribedRequests(
  evaluator: Evaluator,
  settled: ReadonlySet<Call>,
): readonly ExternalCall[] {
  const found: ExternalCall[] = []
  const setters = findSetters(evaluator.program)
  for (const call of evaluator.program.calls) {
    const name = findConstructedClass(call.callee)
    if (name === undefined || settled.has(call) || found.length >= MAX_FOUND) continue
    const args = [...call.args.slice(0, MAX_ARGUMENTS), ...Object.values(call.named)]
    const path = args.find((value) => value.kind === 'text' && PATH.test(value.text))
    if (path?.kind !== 'text') continue
    const { line, column } = path.place
    const [base] = setters.get(call).flatMap((setter) => readBase(setter, evaluator))
    found.push({
      target: evaluator.names.externalName(name),
      ...{ member: '', rules: [], args: [{ at: 0, name: '', key: '', value: path.text }] },
      ...{ line, column, describesRequest: true, ...(base !== undefined && { base }) },
    })
  }
  return found
}

/** Calls of a chain that set a host or base, by the call that the chain begins with. */
function findSetters({ calls }: Program): ListMap<Call, Call> {
  const found = new ListMap<Call, Call>()
  for (const call of calls) {
    if (!isHostName(call.callee) && !isBaseName(call.callee)) continue
    let at: Expression | undefined = call.receiver
    for (let step = 0; at?.kind === 'call' && step < MAX_CHAIN; step += 1) {
      if (!at.call.receiver) found.add(at.call, call)
      at = at.call.receiver
    }
  }
  return found
}

function readBase(setter: Call, evaluator: Evaluator): readonly Pattern[] {
  const base = evaluator.argument(setter, { at: 0 })
  return base !== undefined && (hasScheme(base) || hasReferences(base)) ? [base] : []
}

/** The path of a request that is described by a class with a host, below that host. */
export function toDescribedUrls(
  { target, args, base }: ExternalCall,
  project: {
    readonly file: FileScan
    readonly find: (reference: UnresolvedReference, from: FileScan) => Found | undefined
    readonly fill: (pattern: Pattern, file: FileScan) => Pattern
  },
): readonly Pattern[] {
  const { file, find, fill } = project
  const name = lastName(target.name)
  const own = ownEntry(file.exports, `${name}^`)
  const place = own ? file : find({ ...target, name: `${target.name}^` }, file)?.file
  const hosts = Object.entries(place?.exports ?? {}).flatMap(([key, { value: text }]) => {
    const member = key.startsWith(`${name}.`) ? key.slice(name.length + 1) : ''
    return member !== '' && isHostOfRequests(member, text) ? [text] : []
  })
  const [host] = hosts
  if (!place || host === undefined) return []
  const filled = base === undefined ? '' : fill(base, file)
  const whole = hasScheme(filled) ? filled : fill(host, place)
  return args.map(({ value }) => joinSegments([whole, fill(value, file)]))
}

/** Whether a member of a class is the host or base of the requests that the class describes. */
function isHostOfRequests(member: string, value: Pattern | undefined): value is Pattern {
  if (value === undefined || !(isHostName(member) || isBaseName(member))) return false
  return hasScheme(value) || /^[\w-]+(?:\.[\w-]+)+$/.test(toText(value))
}

const PATH = /^\/[\w{}.:$<>%-]+(?:\/[\w{}.:$<>%-]+)*\/?(?:\?\S*)?$/
const MAX_FOUND = 500
const MAX_ARGUMENTS = 4
const MAX_CHAIN = 12
