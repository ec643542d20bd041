import type { Candidate, WrappedCall } from '../model/file-scan.ts'
import {
  fillReferences,
  fillSlots,
  firstSlot,
  hasReferences,
  hasScheme,
  hasSlots,
  isSamePattern,
  joinSegments,
  type Pattern,
  startsWithReference,
  toText,
  UNKNOWN,
} from '../model/pattern.ts'
import type { Call, ClientRule, Place, Program } from '../model/program.ts'
import { isNoiseHost } from '../noise/noise.ts'
import { isMockModule } from '../noise/noise-calls.ts'
import { startsWithHost } from '../noise/url-hosts.ts'
import { isAddress } from '../resolve/argument-values.ts'
import type { Constructions } from '../resolve/constructions.ts'
import type { Evaluator } from '../resolve/evaluate.ts'
import { placeOfText } from '../resolve/expressions.ts'
import { belowOwnBase, type OwnBases } from '../resolve/own-base.ts'
import { findDistantPath } from '../resolve/path-place.ts'
import type { CallReader } from '../resolve/read-calls.ts'
import { inferOpenRequest, inferRequest } from './infer-request.ts'
import { findBest, findPlace } from './readings.ts'
import { selectStated } from './stated-methods.ts'
import { isClientPath, isUnresolved } from './unresolved-calls.ts'
import type { VendorNamer } from './vendor-namer.ts'

/** Requests of a program. */
export interface CallFindings {
  readonly candidates: readonly Candidate[]
  /** Calls whose URLs depend on the callers of a function, by the function's scope. */
  readonly wrapped: ReadonlyMap<number, readonly WrappedCall[]>
  /** Calls that need no further resolution. */
  readonly settled: ReadonlySet<Call>
  /** Number of calls by wrapper of the project file. */
  readonly wrapperCalls: ReadonlyMap<string, number>
}

interface CallInput {
  readonly path: string
  readonly language: string
  readonly program: Program
  readonly evaluator: Evaluator
  readonly reader: CallReader
  /** Calls that mock an API. */
  readonly doubles: ReadonlySet<Call>
  readonly ownBases: OwnBases
  readonly constructions: Constructions
  readonly nameVendor: VendorNamer
}

/** Finds the requests of a program: by client rules, by functions that wrap them, and by names. */
export function findCalls(input: CallInput): CallFindings {
  const finder = new CallFinder(input)
  finder.readClients()
  finder.inferRequests((target) => target === undefined)
  finder.followWrappers()
  finder.inferRequests((target) => target !== undefined && !finder.wrapped.has(target))
  return finder
}

/** Limits per file, per function, and of wrappers around wrappers. */
const MAX_CALLS = 50_000
const MAX_WRAPPED = 8
const MAX_ROUNDS = 3

/** Options of functions that name a host without a scheme. */
const HOST_OPTION = /^host(?:name)?$/

/** A request of a call; parts may be unknown. */
interface Request
  extends Pick<Candidate, 'isGuess' | 'hasApiName' | 'callerClass' | 'isWrapped'>,
    Partial<Pick<ClientRule, 'wrapper' | 'opensFiles' | 'fetchesFile'>> {
  readonly url: Pattern
  readonly method: Pattern | undefined
  readonly place: Place
  readonly confidence: number
  readonly isSure?: boolean
  /** True for a call of a wrapper that adds nothing to the wrapper's own request. */
  readonly isRepeated?: boolean
  /** Whether the call is on a client, which may have a base. */
  readonly isOfClient?: boolean
  readonly vendorBase?: string | undefined
}

class CallFinder implements CallFindings {
  readonly candidates: Candidate[] = []
  readonly wrapped = new Map<number, WrappedCall[]>()
  readonly settled: Set<Call>
  readonly wrapperCalls = new Map<string, number>()
  readonly #input: CallInput
  readonly #calls: readonly Call[]
  /** Whether the program is a test with a server of its own. */
  readonly #mocksServer: boolean

  constructor(input: CallInput) {
    this.#input = input
    this.settled = new Set(input.doubles)
    this.#calls = input.program.calls.slice(0, MAX_CALLS)
    const { language: family, program } = input
    this.#mocksServer = program.imports.some(({ module }) => isMockModule({ family, module }))
  }

  readClients(): void {
    const { constructions, doubles, nameVendor, reader } = this.#input
    for (const call of this.#calls) {
      const reads = doubles.has(call) ? [] : reader.read(call)
      const row = reads.find(({ rule }) => rule.wrapper !== undefined)?.rule.wrapper
      if (row !== undefined) this.wrapperCalls.set(row, (this.wrapperCalls.get(row) ?? 0) + 1)
      const best = findBest(reads)
      const read = best ?? reads.find(({ isSure, urlValue }) => isSure && urlValue)
      const vendorBase = read?.isSure ? nameVendor(call, read.urlValue) : undefined
      if (!read || (!best && vendorBase === undefined)) continue
      const { url = UNKNOWN, method, isSure, rule } = read
      const isOfClient = isSure && (rule.receiver !== undefined || rule.callee.startsWith('@'))
      this.#add(call, {
        ...{ url, method, isSure, isOfClient, vendorBase },
        ...(rule.wrapper !== undefined && { wrapper: rule.wrapper }),
        ...(rule.opensFiles && { opensFiles: true }),
        ...(rule.fetchesFile && { fetchesFile: true }),
        place: findPlace(call, read),
        confidence: isSure ? 0.95 : 0.85,
      })
      // A parameter may be a URL or a record of options.
      for (const other of reads) {
        const open = other === read ? undefined : other.url && constructions.fill(other.url)
        if (open && hasSlots(open)) this.#wrap({ url: open, method: other.method })
      }
    }
  }

  /** Infers requests from names, for calls of which the called function in the file is selected. */
  inferRequests(selects: (target: number | undefined) => boolean): void {
    const { evaluator } = this.#input
    for (const call of this.#calls) {
      if (this.settled.has(call) || !selects(evaluator.functionOf(call))) continue
      const found = inferRequest(call, this.#input)
      // Scripts set the host to nothing before they read it from a file.
      const hasHost = found && isAddress(found.url) && !/^https?:\/\/\//.test(toText(found.url))
      const request = (hasHost ? undefined : inferOpenRequest(call, this.#input)) ?? found
      if (request) this.#add(call, { ...request, confidence: 0.7, isGuess: true })
    }
  }

  followWrappers(): void {
    // Each round resolves one more level of wrappers.
    for (let round = 0, known = 0; round < MAX_ROUNDS && known < this.#size(); round += 1) {
      known = this.#size()
      for (const call of this.#calls) if (!this.settled.has(call)) this.#followWrapper(call)
    }
  }

  #followWrapper(call: Call): void {
    const { evaluator } = this.#input
    const target = this.#findWrapper(call)
    if (target === undefined || target === evaluator.names.functionOf(call.scope)) return
    const at = { call, scope: target }
    const requests = (this.wrapped.get(target) ?? []).map((request) => ({
      ...{ request, url: evaluator.fill(request.url, at) },
      method: request.method && evaluator.fill(request.method, at),
    }))
    for (const { request, url: filled, method } of selectStated(requests, call)) {
      const url = this.#addInheritedBase(filled, { call, target })
      const callerClass = evaluator.dependsOnSubclass(url)
        ? this.#findHeir(call, target)
        : undefined
      this.#add(call, {
        isSure: HOST_OPTION.test(firstSlot(request.url)?.key ?? ''),
        ...{ url, method, isWrapped: true, confidence: 0.85 },
        ...(callerClass !== undefined && { callerClass }),
        isRepeated:
          callerClass === undefined &&
          isSamePattern(method, request.method) &&
          markReferences(url) === markReferences(request.url),
        place: placeOfText(call, [...call.args, ...Object.values(call.named)]),
      })
    }
  }

  #add(call: Call, request: Request): void {
    const { constructions } = this.#input
    const { method, isGuess, hasApiName, callerClass, wrapper, vendorBase } = request
    const filled = constructions.fill(request.url)
    if (hasSlots(filled) && !(isGuess && firstSlot(filled))) this.#wrap({ url: filled, method })
    const named = constructions.toExternal(filled)
    this.#wrapInherited(call, { url: filled, method })
    const url = request.isOfClient && isClientPath(named) ? joinSegments([UNKNOWN, named]) : named
    if (!this.#isCandidate(call, { ...request, url })) return
    const { line, column } =
      findDistantPath(call, url, this.#input.evaluator.names) ?? request.place
    this.candidates.push({
      ...{ url, method, via: 'call', line, column, confidence: request.confidence },
      needsCatalogue: false,
      ...((isGuess || request.opensFiles) && { isGuess: true }),
      ...{ ...(hasApiName && { hasApiName }), ...(request.isWrapped && { isWrapped: true }) },
      ...(request.fetchesFile && { dependencyRole: 'download' as const }),
      ...(callerClass !== undefined && { callerClass }),
      ...(wrapper !== undefined && { wrapper }),
      ...(vendorBase !== undefined && { vendorBase }),
    })
  }

  /** Whether a request is reported. Settles calls to which other files cannot add anything. */
  #isCandidate(call: Call, request: Request): boolean {
    const { url, isSure, isGuess, hasApiName, isRepeated } = request
    const text = toText(url)
    const isKnown = hasScheme(url) || (isSure === true && startsWithHost(text))
    const isOpen = (!(isGuess || request.opensFiles) || hasApiName === true) && isUnresolved(text)
    if (isOpen && this.#mocksServer) return false
    const isNamed = request.vendorBase !== undefined && !isKnown
    if (!isKnown && !isOpen && !isNamed && !startsWithReference(url)) return false
    if (!isGuess && (isKnown || isNamed || hasReferences(url))) this.settled.add(call)
    const isNoHost = isKnown && !isOpen && !hasReferences(url) && isNoiseHost(text)
    return !isNoHost && !isRepeated
  }

  /** Records a call for subclasses that define a part of its URL. */
  #wrapInherited(call: Call, request: WrappedCall): void {
    const { constructions, evaluator, program } = this.#input
    const owner = evaluator.names.functionOf(call.scope)
    if (owner < 0 || program.scopes[owner]?.name === '') return
    const url = constructions.toExternal(request.url, owner)
    if (evaluator.dependsOnSubclass(url)) this.#record(owner, { ...request, url })
  }

  /** Records a call for the callers of each function whose parameters its URL contains. */
  #wrap(request: WrappedCall): void {
    const { constructions, evaluator } = this.#input
    const owners = new Set<number>()
    fillSlots(request.url, (slot) => {
      owners.add(slot.scope)
      return undefined
    })
    for (const owner of owners) {
      const url = constructions.toExternal(request.url, owner)
      // Arguments of setters are found at the request.
      const isSetter = constructions.setters.has(owner) && evaluator.dependsOnSubclass(url)
      if (!isSetter) this.#record(owner, { ...request, url })
    }
  }

  #record(owner: number, request: WrappedCall): void {
    const known = this.wrapped.get(owner) ?? []
    this.wrapped.set(owner, known)
    const isKnown = known.some(
      ({ url, method }) => isSamePattern(url, request.url) && isSamePattern(method, request.method),
    )
    if (!isKnown && known.length < MAX_WRAPPED) known.push(request)
  }

  /** Finds the called function; among overloads of the same arity, one that sends requests. */
  #findWrapper(call: Call): number | undefined {
    const { evaluator } = this.#input
    const { names } = evaluator
    const target = evaluator.functionOf(call)
    const overloads = target === undefined ? [] : names.overloadsOf(target)
    if (target === undefined || overloads.length < 2) return target
    const caller = names.functionOf(call.scope)
    const isWrapper = (scope: number) => scope !== caller && this.wrapped.has(scope)
    if (isWrapper(target)) return target
    const arity = names.arityOf(target)
    return overloads.find((scope) => isWrapper(scope) && names.arityOf(scope) === arity) ?? target
  }

  /** The class around a call if the called function belongs to another class. */
  #findOtherClass(call: Call, target: number): number | undefined {
    const { evaluator, program } = this.#input
    const owner = evaluator.names.classOf(call.scope)
    return program.scopes[target]?.parent === owner ? undefined : owner
  }

  /** The name of the class around a call of an inherited method. */
  #findHeir(call: Call, target: number): string | undefined {
    const owner = this.#findOtherClass(call, target)
    const isOwn = /^(?:this|super)\.\w+$|^\w+$/.test(call.callee)
    if (owner === undefined || !isOwn) return undefined
    return this.#input.program.scopes[owner]?.name || undefined
  }

  /** Puts a path of an inherited method below the base of the inheriting class. */
  #addInheritedBase(url: Pattern, { call, target }: { call: Call; target: number }): Pattern {
    if (hasScheme(url) || this.#findOtherClass(call, target) === undefined) return url
    const base = this.#input.ownBases.of(call)
    return base === undefined ? url : belowOwnBase(base, url)
  }

  #size(): number {
    return [...this.wrapped.values()].flat().length
  }
}

/** Returns a URL as text in which names of other files differ from unknown parts. */
function markReferences(url: Pattern): string {
  return toText(fillReferences(url, () => `${UNKNOWN}&`))
}
