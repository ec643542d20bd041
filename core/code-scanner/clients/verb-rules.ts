import type { ClientRule } from '../model/program.ts'

/** The argument that most calls have the URL in. */
export const FIRST = { at: 0 } as const

/** For bases: the method is another call's. */
export const UNTOLD = { name: '' } as const

/** Methods by the callee that sends them. */
export type Verbs = Readonly<Record<string, string>>

/** One rule for each of the callees, with the method of each. */
export function verbRules(
  verbs: Verbs,
  rule: Omit<ClientRule, 'callee' | 'method'>,
): readonly ClientRule[] {
  return Object.entries(verbs).map(([callee, method]) => ({ ...rule, callee, method }))
}
