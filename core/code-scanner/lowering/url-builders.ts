import { matchNames } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import { below, isTextLike } from './built-texts.ts'
import type { Draft } from './draft.ts'
import { type Effect, originOf } from './effects.ts'

/** Builders of URLs, as name patterns of methods and callees. */
export interface UrlBuilders {
  /** Calls and constructions that begin a URL without a host. */
  readonly begin: string
  /** Methods that set the host. */
  readonly hosts: string
  /** Methods that append a path. */
  readonly paths: string
}

/**
 * Creates the effect of URL builders: a host begins a URL, a path is appended. On a variable with a
 * URL, they change the variable.
 */
export function urlBuilders(names: UrlBuilders): Effect {
  const begins = matchNames(names.begin)
  const isHost = matchNames(names.hosts)
  const isPath = matchNames(names.paths)

  /** Returns the start of a chain of calls: a construction that begins a URL, or another value. */
  const startOf = (value: Expression | undefined): Expression | undefined => {
    let at = value
    while (at?.kind === 'call' && !begins(at.call.callee)) at = at.call.receiver
    return at
  }
  /** Changes the variable at the start of a chain: `builder.scheme("https").authority(host)`. */
  const change = (variable: Name, { method, receiver, first }: Part, draft: Draft) => {
    const { name } = variable
    const before = draft.localValue(name)
    const isBuilt = before && startOf(before)?.kind === 'call'
    if (isBuilt || (before && variable === receiver && isTextLike(before))) {
      // The variable has its new value after the argument, in the same chain too.
      const place = { ...first.place, index: first.place.index - 1 }
      const path = below({ ...variable, place }, first)
      const value = isHost(method) ? (originOf({ host: first }) ?? first) : path
      draft.assign({ name, value, place })
      return { ...variable, place: first.place }
    }
    // In `builder -> builder.path("/x")` the client sets the base of the builder.
    return isPath(method) && variable === receiver && BUILDER.test(name) ? first : undefined
  }
  return ({ method, receiver, args: [first] }, draft) => {
    if (!receiver || !first || !(isHost(method) || isPath(method))) return undefined
    const start = startOf(receiver)
    if (start?.kind === 'name') return change(start, { method, receiver, first }, draft)
    if (start?.kind !== 'call') return undefined
    if (isHost(method)) return originOf({ host: first })
    if (start !== receiver) return undefined
    const [base] = start.call.args
    if (base) return below(base, first)
    return names.hosts === '' ? first : undefined
  }
}

type Name = Expression & { readonly kind: 'name' }

/** A call that sets a host or a path. */
interface Part {
  readonly method: string
  readonly receiver: Expression
  readonly first: Expression
}

const BUILDER = /(?:^|\.)(?:u|b|ub|uri|\w*[bB]uilder)$/
