import type { Call, Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import type { Draft } from './draft.ts'

/** What a call is given: by position, and by name. */
export type GivenArguments = Pick<Call, 'args' | 'named'>

/**
 * Lowers arguments of calls that may have names: `get(url, timeout=3, **more)`. `nameOf` tells the
 * name of one that has one, `spread` the type of one that gives a record's members; values of names
 * that `prose` fits are for people.
 */
export function lowerArguments(
  nodes: Iterable<SyntaxNode | null>,
  how: {
    readonly draft: Draft
    readonly nameOf: (node: SyntaxNode) => string | undefined
    readonly spread: string
    readonly prose: RegExp
  },
): GivenArguments {
  const { draft, nameOf, spread, prose } = how
  const args: Expression[] = []
  const named: Record<string, Expression> = {}
  for (const one of nodes) {
    if (!one || one.type === 'comment') continue
    const name = nameOf(one)
    if (name !== undefined) {
      const value = draft.lower(one.childForFieldName('value'))
      if (prose.test(name)) draft.loose(value, 'documentation')
      else named[name] = value
    } else if (one.type === spread) {
      const value = draft.lower(one.namedChild(0))
      if (value.kind === 'record') Object.assign(named, value.entries)
    } else {
      args.push(draft.lower(one))
    }
  }
  return { args, named }
}
