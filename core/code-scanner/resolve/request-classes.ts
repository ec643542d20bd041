import type { Candidate } from '../model/file-scan.ts'
import { hasReferences, hasScheme, joinSegments, type Pattern } from '../model/pattern.ts'
import type { Constructions } from './constructions.ts'
import type { Evaluator } from './evaluate.ts'

/** Requests and connectors that classes define (Saloon of PHP). */
export interface RequestClasses {
  readonly candidates: readonly Candidate[]
  /** Bases of the file's connectors. */
  readonly bases: readonly Pattern[]
}

/** Key in `FileScan.exports` of the bases of connectors. */
export const CONNECTOR = '@connector'

/**
 * Reads classes that define a request's path and method, and those that define a base. The call
 * that sends one by the other may be anywhere, so the connector of the nearest file is its base.
 */
export function findRequestClasses(
  evaluator: Evaluator,
  constructions: Constructions,
): RequestClasses {
  const { program, names } = evaluator
  const candidates: Candidate[] = []
  const bases: Pattern[] = []
  program.scopes.forEach(({ kind, name, parent }, scope) => {
    const isPath = name === 'resolveEndpoint'
    if (!isPath && name !== 'resolveBaseUrl') return
    if (kind !== 'function' || !program.scopes[parent]?.extends) return
    for (const { value } of names.returnsOf(scope)) {
      const returned = evaluator.evaluate({ value, scope })
      if (returned === undefined || returned === '') continue
      const url = constructions.toExternal(constructions.fill(returned))
      if (isPath) {
        const base = evaluator.externalParameter({ name: CONNECTOR, parameter: FIRST })
        const { line, column } = value.place
        candidates.push({
          url: hasScheme(url) ? url : joinSegments([base, url]),
          ...{ method: findMethod(parent, evaluator), via: 'call', line, column },
          ...{ confidence: 0.85, needsCatalogue: false },
        })
      } else if (hasScheme(url) || hasReferences(url)) bases.push(url)
      return
    }
  })
  return { candidates, bases }
}

/** The HTTP method in a class's field of that name. */
function findMethod(owner: number, { program }: Evaluator): string | undefined {
  const field = program.bindings.find(
    ({ name, scope }) => scope === owner && /^(?:this\.)?method$/.test(name),
  )
  const { value } = field ?? {}
  const text = value?.kind === 'name' ? value.name : value?.kind === 'text' ? value.text : ''
  return /(?:^|\.)(get|post|put|patch|delete|head)$/i.exec(text)?.[1]?.toLowerCase()
}

const FIRST = { at: 0, name: '', key: '' }
