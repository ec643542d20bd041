import type { Candidate, WrappedCall } from '../model/file-scan.ts'
import {
  fillReferences,
  fillSlots,
  hasReferences,
  hasScheme,
  hasSlots,
  isSamePattern,
  joinSegments,
  type Pattern,
  startsOpen,
  startsWithReference,
  startsWithSlot,
  toText,
  UNKNOWN,
} from '../model/pattern.ts'
import type { Call, Place, Program } from '../model/program.ts'
import { isNoiseHost } from '../noise/noise.ts'
import { isMock } from '../noise/noise-calls.ts'
import { startsWithHost } from '../noise/url-hosts.ts'
import type { Constructions } from '../resolve/constructions.ts'
import type { Evaluator } from '../resolve/evaluate.ts'
import { isWritten, placeOfText } from '../resolve/expressions.ts'
import { belowOwnBase, type OwnBases } from '../resolve/own-base.ts'
import type { CallReader, ReadCall } from '../resolve/read-calls.ts'
import { guessCall } from './guess-calls.ts'
import { isPathOfClient, isUnresolved } from './unresolved-calls.ts'

/** What the calls of a program say. */
export interface CallFindings {
  readonly candidates: readonly Candidate[]
  /** Calls whose URLs the callers of a function say, by the function's scope. */
  readonly wrapped: ReadonlyMap<number, readonly WrappedCall[]>
  /** Calls of which nothing more is to be known. */
  readonly settled: ReadonlySet<Call>
  /** Calls of the wrappers that the project file names. */
  readonly wrapperCalls: ReadonlyMap<string, number>
}

/** Reads all calls of a program by the rules of its clients, and those of functions that wrap them. */
export function findCalls(given: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly reader: CallReader
  /** Calls that stand in for an API. */
  readonly doubles: ReadonlySet<Call>
  readonly ownBases: OwnBases
  readonly constructions: Constructions
}): CallFindings {
  const { program, evaluator, reader, doubles, ownBases, constructions } = given
  const candidates: Candidate[] = []
  const wrapped = new Map<number, WrappedCall[]>()
  const settled = new Set(doubles)
  const wrapperCalls = new Map<string, number>()
  const calls = program.calls.slice(0, MAX_CALLS)
  /** Whether it is a test with a server of its own. */
  const asksItself = program.imports.some(({ module }) => isMock('', module))

  function take(call: Call, use: Use): void {
    const filled = constructions.fill(use.url)
    if (hasSlots(filled) && !(use.isGuess && startsWithSlot(filled))) wrap(filled, use.method)
    const named = constructions.byOptions(constructions.name(filled))
    // Of a client, the path alone is below a base that is not known.
    const url = use.isOfClient && isPathOfClient(named) ? joinSegments([UNKNOWN, named]) : named
    wrapInherited(call, filled, use.method)
    const text = toText(url)
    const isKnown = hasScheme(url) || (use.isSure && startsWithHost(text))
    const isOpen = (!use.isGuess || use.isOfApi === true) && isUnresolved(text)
    if (isOpen && asksItself) return
    if (!isKnown && !isOpen && !startsWithReference(url)) return
    // What other files say of it may be more.
    if (!use.isGuess && (isKnown || hasReferences(url))) settled.add(call)
    const isNoHost = isKnown && !isOpen && !hasReferences(url) && isNoiseHost(text)
    if (isNoHost || !use.isTelling) return
    candidates.push({
      url,
      method: use.method,
      via: 'call',
      line: use.place.line,
      column: use.place.column,
      confidence: use.confidence,
      needsCatalogue: false,
      ...(use.isGuess && { isGuess: true }),
      ...(use.isOfApi && { isOfApi: true }),
      ...(use.of !== undefined && { of: use.of }),
      ...(use.wrapper !== undefined && { wrapper: use.wrapper }),
    })
  }

  /** Notes a call for classes that extend the one around it, where they say its URL. */
  function wrapInherited(call: Call, open: Pattern, method: Pattern | undefined): void {
    const owner = evaluator.names.functionOf(call.scope)
    if (owner < 0 || program.scopes[owner]?.name === '') return
    const url = constructions.name(open, owner)
    if (evaluator.isInherited(url)) note(owner, url, method)
  }

  /** Notes a call for the callers of each function whose parameters it has. */
  function wrap(open: Pattern, method: Pattern | undefined): void {
    const owners = new Set<number>()
    fillSlots(open, (slot) => {
      owners.add(slot.scope)
      return undefined
    })
    for (const owner of owners) {
      const url = constructions.name(open, owner)
      // What a setter gives a part of is found where the request is made.
      if (!constructions.setters.has(owner) || !evaluator.isInherited(url)) note(owner, url, method)
    }
  }

  function note(owner: number, url: Pattern, method: Pattern | undefined): void {
    const known = wrapped.get(owner) ?? []
    wrapped.set(owner, known)
    const isKnown = known.some(
      (one) => isSamePattern(one.url, url) && isSamePattern(one.method, method),
    )
    if (!isKnown && known.length < MAX_WRAPPED) known.push({ url, method })
  }

  /** The class around a call where it has the called method from another one. */
  function heirOf(call: Call, target: number): string | undefined {
    const owner = evaluator.names.classOf(call.scope)
    if (owner === undefined || program.scopes[target]?.parent === owner) return undefined
    const isOwn = /^(?:this|super)\.\w+$|^\w+$/.test(call.callee)
    return isOwn ? program.scopes[owner]?.name || undefined : undefined
  }

  /** The function that a call calls; of several of one name and size, one that sends something. */
  function wrapperOf(call: Call): number | undefined {
    const { names } = evaluator
    const target = evaluator.functionOf(call)
    const all = target === undefined ? [] : names.overloadsOf(target)
    if (target === undefined || all.length < 2) return target
    const caller = names.functionOf(call.scope)
    if (target !== caller && wrapped.has(target)) return target
    const isLike = (one: number) => names.arityOf(one) === names.arityOf(target)
    return all.find((one) => one !== caller && wrapped.has(one) && isLike(one)) ?? target
  }

  function guess(call: Call): void {
    const guessed = guessCall(call, { evaluator, ownBases })
    if (!guessed) return
    take(call, { ...guessed, confidence: 0.7, isSure: false, isTelling: true, isGuess: true })
  }

  /** A path that a method of a class above asks for is below the base of the class here. */
  function inherited(use: { url: Pattern; call: Call; target: number }): Pattern {
    if (hasScheme(use.url)) return use.url
    const owner = evaluator.names.classOf(use.call.scope)
    if (owner === undefined || program.scopes[use.target]?.parent === owner) return use.url
    const base = ownBases.of(use.call)
    return base === undefined ? use.url : belowOwnBase(base, use.url)
  }

  for (const call of calls) {
    const reads = doubles.has(call) ? [] : reader.read(call)
    const read = bestOf(reads)
    const row = reads.find(({ rule }) => rule.wrapper !== undefined)?.rule.wrapper
    if (row !== undefined) wrapperCalls.set(row, (wrapperCalls.get(row) ?? 0) + 1)
    if (read?.url === undefined) continue
    take(call, {
      url: read.url,
      method: read.method,
      place: placeOf(call, read),
      confidence: read.isSure ? 0.95 : 0.85,
      isSure: read.isSure,
      isTelling: true,
      isOfClient: isOfClient(read),
      wrapper: read.rule.wrapper,
    })
  }
  for (const call of calls) {
    if (!settled.has(call) && evaluator.functionOf(call) === undefined) guess(call)
  }
  // Wrappers of wrappers are known one round later.
  for (let round = 0, known = 0; round < MAX_ROUNDS && known < sizeOf(wrapped); round += 1) {
    known = sizeOf(wrapped)
    for (const call of calls) {
      if (settled.has(call)) continue
      const target = wrapperOf(call)
      const uses = target === undefined ? undefined : wrapped.get(target)
      if (target === undefined || !uses || target === evaluator.names.functionOf(call.scope))
        continue
      for (const use of [...uses]) {
        const filled = evaluator.fill(use.url, { call, scope: target })
        const url = inherited({ url: filled, call, target })
        const method = use.method && evaluator.fill(use.method, { call, scope: target })
        const of = evaluator.isInherited(url) ? heirOf(call, target) : undefined
        take(call, {
          url,
          method,
          ...(of !== undefined && { of }),
          // Of a call that adds nothing to what its function says, the function's is enough.
          isTelling:
            of !== undefined ||
            !isSamePattern(method, use.method) ||
            withReferences(url) !== withReferences(use.url),
          place: placeOfText(call, [...call.args, ...Object.values(call.named)]),
          confidence: 0.85,
          isSure: false,
        })
      }
    }
  }
  for (const call of calls) {
    const target = settled.has(call) ? undefined : evaluator.functionOf(call)
    if (target !== undefined && !wrapped.has(target)) guess(call)
  }
  return { candidates, wrapped, settled, wrapperCalls }
}

/** What a call does, as far as it is known. */
interface Use {
  readonly url: Pattern
  readonly method: Pattern | undefined
  readonly place: Place
  readonly confidence: number
  readonly isSure: boolean
  /** Whether it says more than what is known without it. */
  readonly isTelling: boolean
  /** Whether only the name of what is called says so. */
  readonly isGuess?: true
  /** As `Candidate.isOfApi`. */
  readonly isOfApi?: true
  /** As `Candidate.of`. */
  readonly of?: string
  /** As `Candidate.wrapper`. */
  readonly wrapper?: string | undefined
  /** Whether it is called on a client, which may have a base. */
  readonly isOfClient?: boolean
}

/** Whether a rule holds that wants a client made, or an interface that declares calls. */
function isOfClient({ rule, isSure }: ReadCall): boolean {
  return isSure && (rule.receiver !== undefined || rule.callee.startsWith('@'))
}

/** Most calls of one file, wrapped calls of one function, wrappers around wrappers. */
const MAX_CALLS = 50_000
const MAX_WRAPPED = 8
const MAX_ROUNDS = 3

function bestOf(reads: readonly ReadCall[]): ReadCall | undefined {
  const whole = reads.filter(({ url }) => url !== undefined && hasScheme(url))
  return (
    whole.find(({ urlValue }) => urlValue) ??
    whole[0] ??
    reads.find(({ url, isSure }) => url !== undefined && isSure && startsWithHost(toText(url))) ??
    reads.find(({ url }) => url !== undefined && startsWithReference(url)) ??
    reads.find(({ url }) => url !== undefined && startsOpen(url)) ??
    // What a class below this one says the base of.
    reads.find(({ url }) => url !== undefined && hasSlots(url))
  )
}

/** The URL's place; the call's when it begins on another line and its URL is only a name. */
function placeOf(call: Call, { rule, urlValue }: ReadCall): Place {
  if (!urlValue || urlValue.kind === 'unknown') return call.place
  if (rule.url.isReceiver && isWritten(urlValue)) return urlValue.place
  if (urlValue.place.line < call.place.line) return call.place
  if (urlValue.kind === 'name' && urlValue.place.line !== call.place.line) return call.place
  return isWritten(urlValue) || urlValue.kind === 'name' ? urlValue.place : call.place
}

/** A URL as text, with a mark for each name of another file: it may yet be told. */
function withReferences(url: Pattern): string {
  return toText(fillReferences(url, () => `${UNKNOWN}&`))
}

function sizeOf(wrapped: ReadonlyMap<number, readonly WrappedCall[]>): number {
  let size = 0
  for (const calls of wrapped.values()) size += calls.length
  return size
}
