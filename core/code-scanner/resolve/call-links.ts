import { lastName } from '../model/name-patterns.ts'
import type { Call, Program } from '../model/program.ts'
import type { Evaluator } from './evaluate.ts'

/** How the calls of a program hang together. */
export interface CallLinks {
  /** The calls that made what a call is called on, chains followed to where they begin. */
  makersOf(call: Call): readonly Call[]
  /** The calls on what a call gives, one after the other. */
  chainAfter(call: Call | undefined): readonly Call[]
  /** Calls on a name, anywhere in the file. */
  calledOn(name: string | undefined): readonly Call[]
  /** The first call of that callee, or of that last part of one: `.baseUrl`. */
  findCall(callee: string): Call | undefined
  /** The name that a call's value is given. */
  nameOf(call: Call): string | undefined
}

/** Links the calls of a program. */
export function linkCalls(given: {
  readonly program: Program
  readonly evaluator: Evaluator
}): CallLinks {
  const { program, evaluator } = given
  const first = new Map<string, Call>()
  const calledOn = new Map<string, Call[]>()
  const calledNext = new Map<Call, Call>()
  const boundTo = new Map<Call, string>()

  for (const call of program.calls) {
    const { receiver } = call
    for (const callee of [call.callee, `.${lastName(call.callee)}`]) {
      if (!first.has(callee)) first.set(callee, call)
    }
    if (receiver?.kind === 'call') calledNext.set(receiver.call, call)
    const name = receiver?.kind === 'name' ? receiver.name : undefined
    if (name === undefined) continue
    const known = calledOn.get(name)
    if (!known) calledOn.set(name, [call])
    else if (known.length < MAX_SAME_RECEIVER) known.push(call)
  }
  for (const { name, value } of program.bindings) {
    if (value.kind === 'call') boundTo.set(value.call, name)
  }

  /** Through names too: `client.R()` is called on what `client` was made by. */
  function makersOf(call: Call): readonly Call[] {
    const found: Call[] = []
    const queue = call.receiver ? [{ value: call.receiver, scope: call.scope }] : []
    for (let step = 0; step < MAX_CHAIN; step += 1) {
      const next = queue.shift()
      if (!next) break
      for (const { value } of evaluator.follow(next)) {
        if (value.kind !== 'call' || found.includes(value.call)) continue
        found.push(value.call)
        const { receiver, scope, callee, args } = value.call
        if (receiver) queue.push({ value: receiver, scope })
        const [inner] = args
        const isWrapped = inner?.kind === 'call' && WRAPS.test(lastName(callee))
        if (inner && (isWrapped || ADAPTS.test(callee))) queue.push({ value: inner, scope })
      }
    }
    return found
  }

  function chainAfter(made: Call | undefined): readonly Call[] {
    const found: Call[] = []
    let next = made && calledNext.get(made)
    for (let step = 0; next && step < MAX_CHAIN; step += 1) {
      found.push(next)
      next = calledNext.get(next)
    }
    return found
  }

  return {
    makersOf,
    chainAfter,
    calledOn: (name) => (name === undefined ? [] : (calledOn.get(name) ?? [])),
    findCall: (callee) => first.get(callee),
    nameOf: (call) => boundTo.get(call),
  }
}

/** Functions that give back the client that they are given: `rateLimit(axios.create({ … }))`. */
const WRAPS = /wrap|limit|retry|cache|throttle|middleware|instrument|trace/i

/** Adapters of clients: `HttpServiceProxyFactory.builderFor(WebClientAdapter.create(client))`. */
const ADAPTS = /Adapter\.(?:create|forClient)$|\.builderFor$/

/** Names of what gives a client by a method `get`. */
export const GIVERS = /(?:provider|supplier|lazy)$/i

/** Longest chain of calls that is followed, most calls on one name. */
const MAX_CHAIN = 24
const MAX_SAME_RECEIVER = 200
