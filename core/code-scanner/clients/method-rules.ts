import type { ArgumentPlace, ClientRule } from '../model/program.ts'

/** Methods that clients have a function each for. */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const

/** Where requests have their method when they name it. */
export const METHOD_FIRST: ArgumentPlace = { at: 0, name: 'method' }

/** One rule for each method, whose callee is the prefix with the method's name: `requests.get`. */
export function methodRules(
  rule: Omit<ClientRule, 'callee' | 'method'> & {
    readonly prefix: string
    readonly suffix?: string
    readonly methods?: readonly string[]
  },
): readonly ClientRule[] {
  const { prefix, suffix = '', methods = METHODS, ...rest } = rule
  return methods.map((method) => ({ ...rest, callee: `${prefix}${method}${suffix}`, method }))
}

/**
 * Calls by the names of methods on what is not known: a session that a caller passes. They hold for
 * whole URLs alone; put them last.
 */
export const ANY_CLIENT: readonly ClientRule[] = [
  ...methodRules({ prefix: '.', url: { at: 0, name: 'url' } }),
  { callee: '.request', method: METHOD_FIRST, url: { at: 1, name: 'url' } },
]
