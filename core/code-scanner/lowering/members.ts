import type { Binding, Place, Scope } from '../model/program.ts'

/** A name that may turn out to be a member of the enclosing class. */
export interface NameUse {
  readonly expression: { kind: 'name'; name: string; place: Place }
  readonly scope: number
}

/**
 * Replaces bare names of members in `uses`, unless a parameter or variable hides them. Returns the
 * bindings, in which assignments to members are fields.
 */
export function resolveMembers(names: {
  readonly scopes: readonly Scope[]
  readonly bindings: readonly Binding[]
  /** Bindings of names that were declared elsewhere. */
  readonly assigned: ReadonlySet<Binding>
  /** Full names of members, by class scope and bare name. */
  readonly members: ReadonlyMap<number, ReadonlyMap<string, string>>
  readonly uses: readonly NameUse[]
}): readonly Binding[] {
  const { scopes, bindings, assigned, members, uses } = names
  const declared = bindings.filter((binding) => binding.kind !== 'field' && !assigned.has(binding))
  const locals = new Set(declared.map(({ scope, name }) => `${scope}:${name}`))
  const fullName = (name: string, scope: number): string => {
    const first = name.split('.', 1)[0] ?? ''
    for (let at = scope; at >= 0; at = scopes[at]?.parent ?? -1) {
      if (locals.has(`${at}:${first}`) || scopes[at]?.parameters?.includes(first)) break
      const full = members.get(at)?.get(first)
      if (full !== undefined) return full + name.slice(first.length)
    }
    return name
  }
  for (const { expression, scope } of uses) expression.name = fullName(expression.name, scope)
  return bindings.map((binding) => {
    const name = assigned.has(binding) ? fullName(binding.name, binding.scope) : binding.name
    return name === binding.name ? binding : { ...binding, name, kind: 'field' }
  })
}
