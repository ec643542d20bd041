import type { Evaluator } from './evaluate.ts'
import { constructionOf, isWritten, placeOfText, toPlace } from './expressions.ts'
import type { Candidate, Pattern, WrappedCall } from './file-scan.ts'
import { guessCall } from './guess-calls.ts'
import { isMock, isNoiseHost } from './noise.ts'
import { belowOwnBase, type OwnBases } from './own-base.ts'
import { fillSlots, hasReferences, hasScheme, hasSlots, startsOpen, toText } from './pattern.ts'
import type { Call, Place, Program } from './program.ts'
import type { CallReader, ReadCall } from './read-calls.ts'
import { isUntold } from './untold-calls.ts'
import { startsWithHost } from './url-hosts.ts'

/** What the calls of a program say. */
export interface CallFindings {
  readonly candidates: readonly Candidate[]
  /** Calls whose URLs the callers of a function say, by the function's scope. */
  readonly wrapped: ReadonlyMap<number, readonly WrappedCall[]>
  /** Calls of which nothing more is to be known. */
  readonly settled: ReadonlySet<Call>
}

/** Reads all calls of a program by the rules of its clients, and those of functions that wrap them. */
export function findCalls(given: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly reader: CallReader
  /** Calls that stand in for an API. */
  readonly doubles: ReadonlySet<Call>
  readonly ownBases: OwnBases
}): CallFindings {
  const { program, evaluator, reader, doubles, ownBases } = given
  const candidates: Candidate[] = []
  const wrapped = new Map<number, WrappedCall[]>()
  const settled = new Set(doubles)
  const calls = program.calls.slice(0, MAX_CALLS)
  const constructions = findConstructions(given)
  /** Whether it is a test with a server of its own. */
  const asksItself = program.imports.some(({ module }) => isMock('', module))

  function take(call: Call, use: Use): void {
    const filled = constructions.fill(use.url)
    if (hasSlots(filled) && !(use.isGuess && filled.startsWith('\u0003'))) wrap(filled, use.method)
    const url = constructions.name(filled)
    const text = toText(url)
    const isKnown = hasScheme(url) || (use.isSure && startsWithHost(text))
    const isOpen = !use.isGuess && isUntold(text)
    if (isOpen && asksItself) return
    if (!isKnown && !isOpen && !(hasReferences(url) && url.startsWith('\u0001'))) return
    // What other files say of it may be more.
    if (!use.isGuess && (isKnown || hasReferences(url))) settled.add(call)
    if ((isKnown && !isOpen && isNoiseHost(text)) || !use.isTelling) return
    candidates.push({
      url,
      method: use.method,
      via: 'call',
      line: use.place.line,
      column: use.place.column,
      confidence: use.confidence,
      needsCatalogue: false,
      ...(use.isGuess && { isGuess: true }),
    })
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
      const known = wrapped.get(owner) ?? []
      wrapped.set(owner, known)
      const isKnown = known.some((one) => one.url === url && one.method === method)
      if (!isKnown && known.length < MAX_WRAPPED) known.push({ url, method })
    }
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
    const read = doubles.has(call) ? undefined : bestOf(reader.read(call))
    if (read?.url === undefined) continue
    take(call, {
      url: read.url,
      method: read.method,
      place: placeOf(call, read),
      confidence: read.isSure ? 0.95 : 0.85,
      isSure: read.isSure,
      isTelling: true,
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
      const target = evaluator.functionOf(call)
      const uses = target === undefined ? undefined : wrapped.get(target)
      if (target === undefined || !uses || target === evaluator.names.functionOf(call.scope))
        continue
      for (const use of [...uses]) {
        const filled = evaluator.fill(use.url, { call, scope: target })
        const url = inherited({ url: filled, call, target })
        const method = use.method && evaluator.fill(use.method, { call, scope: target })
        take(call, {
          url,
          method,
          // Of a call that adds nothing to what its function says, the function's is enough.
          isTelling: method !== use.method || withReferences(url) !== withReferences(use.url),
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
  return { candidates, wrapped, settled }
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
  return toText(url.replaceAll('\u0002', '\u0002&'))
}

function sizeOf(wrapped: ReadonlyMap<number, readonly WrappedCall[]>): number {
  let size = 0
  for (const calls of wrapped.values()) size += calls.length
  return size
}

/** What stands for the parameters of constructors. */
interface Constructions {
  /** By what the program constructs with. */
  fill(url: Pattern): Pattern
  /** By names of what other files construct with, but for the parameters of one function. */
  name(url: Pattern, except?: number): Pattern
}

function findConstructions(given: {
  readonly program: Program
  readonly evaluator: Evaluator
}): Constructions {
  const { program, evaluator } = given
  const byConstructor = new Map<number, Call[]>()
  const isConstructor = new Map<string, number>()
  const makers = new Map<string, number>()
  /** What other files construct with each constructor, by its scope. */
  const named = new Map<number, string>()
  program.scopes.forEach((scope, index) => {
    const owner = program.scopes[scope.parent]
    if (scope.kind === 'function' && scope.parent === 0 && MAKERS.test(scope.name)) {
      makers.set(scope.name, index)
      if (!/^new$/i.test(scope.name)) named.set(index, scope.name)
    }
    if (scope.kind !== 'function' || owner?.kind !== 'class') return
    if (CONSTRUCTORS.has(scope.name) || scope.name === owner.name) {
      isConstructor.set(owner.name, index)
      named.set(index, owner.name)
    }
  })
  if (isConstructor.size + makers.size > 0) {
    for (const call of program.calls) {
      const name = call.callee.replace(/^new /, '').replace(/\.new$/, '')
      const target =
        isConstructor.get(name.slice(name.lastIndexOf('.') + 1)) ?? makers.get(call.callee)
      if (target === undefined || call.args.length + Object.keys(call.named).length === 0) {
        continue
      }
      const known = byConstructor.get(target)
      if (known) known.push(call)
      else byConstructor.set(target, [call])
    }
  }
  return {
    fill: (url) =>
      fillSlots(url, (slot) => {
        const call = byConstructor.get(slot.scope)?.[0]
        return call && evaluator.argument(call, toPlace(slot))
      }),
    name: (url, except) =>
      fillSlots(url, ({ scope, at, key }) => {
        const name = key === '' && scope !== except ? named.get(scope) : undefined
        return name && evaluator.elsewhere(constructionOf(name, at))
      }),
  }
}

/** Functions that make what has the methods, in languages without constructors. */
const MAKERS = /^[Nn]ew(?:[A-Z_]\w*)?$/

const CONSTRUCTORS = new Set(['constructor', '__init__', 'initialize', '__construct', 'new'])
