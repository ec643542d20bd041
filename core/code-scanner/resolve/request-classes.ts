import type { Candidate } from '../model/file-scan.ts'
import { hasScheme, joinSegments } from '../model/pattern.ts'
import type { Constructions } from './constructions.ts'
import type { Evaluator } from './evaluate.ts'

/**
 * Reads requests that classes define: the results of a method `path`, below the member `baseURL` of
 * the class (Moya of Swift). The call that sends one may be anywhere.
 */
export function findRequestClasses(
  evaluator: Evaluator,
  constructions: Constructions,
): readonly Candidate[] {
  const { program, names } = evaluator
  return program.scopes.flatMap(({ kind, name, parent }, scope) => {
    if (name !== 'path' || kind !== 'function' || !program.scopes[parent]?.extends) return []
    return names.returnsOf(scope).flatMap(({ value }): readonly Candidate[] => {
      const path = evaluator.evaluate({ value, scope })
      const { place } = value
      const base = evaluator.evaluate({
        value: { kind: 'name', name: 'this.baseURL', place },
        scope,
      })
      if (path === undefined || path === '' || base === undefined) return []
      const url = constructions.toExternal(constructions.fill(path))
      return [
        {
          url: hasScheme(url) ? url : joinSegments([base, url]),
          ...{ method: findMethod(parent, evaluator), via: 'call' },
          ...{ line: place.line, column: place.column, confidence: 0.85, needsCatalogue: false },
        },
      ]
    })
  })
}

/** The HTTP method that a class's method of that name returns, if it is the only one. */
function findMethod(owner: number, { program, names }: Evaluator): string | undefined {
  const getter = program.scopes.findIndex(
    ({ name, parent }) => parent === owner && name === 'method',
  )
  const [verb, ...others] = names.returnsOf(getter).map(({ value }) => {
    const text = value.kind === 'name' ? value.name : value.kind === 'text' ? value.text : ''
    return /(?:^|\.)(get|post|put|patch|delete|head)$/i.exec(text)?.[1]?.toLowerCase()
  })
  return others.every((other) => other === verb) ? verb : undefined
}
