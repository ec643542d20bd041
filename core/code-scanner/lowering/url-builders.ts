import { matchNames } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import { below, isTextLike } from './built-texts.ts'
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

  /** Returns the construction at the start of a chain of calls, if it begins a URL. */
  const builderOf = (value: Expression | undefined): Expression | undefined => {
    let at = value
    while (at?.kind === 'call' && !begins(at.call.callee)) at = at.call.receiver
    return at?.kind === 'call' ? at : undefined
  }
  return ({ method, receiver, args: [first] }, draft) => {
    if (!receiver || !first || !(isHost(method) || isPath(method))) return undefined
    const builder = builderOf(receiver)
    if (builder && isHost(method)) return originOf({ host: first })
    if (builder?.kind === 'call' && isPath(method) && builder === receiver) {
      const [base] = builder.call.args
      if (base) return below(base, first)
      return names.hosts === '' ? first : undefined
    }
    if (receiver.kind !== 'name') return undefined
    const before = draft.localValue(receiver.name)
    if (before && (isTextLike(before) || builderOf(before))) {
      const value = isHost(method) ? (originOf({ host: first }) ?? first) : below(receiver, first)
      draft.assign({ name: receiver.name, value, place: receiver.place })
      return receiver
    }
    // In `builder -> builder.path("/x")` the client sets the base of the builder.
    return isPath(method) && BUILDER.test(receiver.name) ? first : undefined
  }
}

const BUILDER = /(?:^|\.)(?:u|b|ub|uri|\w*[bB]uilder)$/
