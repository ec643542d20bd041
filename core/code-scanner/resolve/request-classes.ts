import type { Candidate } from '../model/file-scan.ts'
import { hasReferences, hasScheme, joinSegments, type Pattern } from '../model/pattern.ts'
import type { Place, Program } from '../model/program.ts'
import type { Constructions } from './constructions.ts'
import type { Evaluator } from './evaluate.ts'

/** What classes say that are requests, or what requests are sent through (Saloon of PHP). */
export interface RequestClasses {
  readonly candidates: readonly Candidate[]
  /** Bases of the file's connectors. */
  readonly bases: readonly Pattern[]
}

/** Name of what gives the base of requests that are classes. */
export const CONNECTOR = '@connector'

/**
 * Reads classes that name a request's path, and its method as a field, and those that name the base
 * of such requests. What sends one through the other may stand anywhere, so a request is below the
 * connector whose file is the nearest.
 */
export function findRequestClasses(given: {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly constructions: Constructions
}): RequestClasses {
  const { program, evaluator, constructions } = given
  const candidates: Candidate[] = []
  const bases: Pattern[] = []

  function returned(scope: number): { text: Pattern; place: Place } | undefined {
    for (const { value } of evaluator.names.returnsOf(scope)) {
      const text = evaluator.evaluate({ value, scope })
      if (text !== undefined && text !== '') return { text, place: value.place }
    }
    return undefined
  }

  function methodOf(owner: number): string | undefined {
    const field = program.bindings.find(
      ({ name, scope }) => scope === owner && /^(?:this\.)?method$/.test(name),
    )
    const { value } = field ?? {}
    const text = value?.kind === 'name' ? value.name : value?.kind === 'text' ? value.text : ''
    return /(?:^|\.)(get|post|put|patch|delete|head)$/i.exec(text)?.[1]?.toLowerCase()
  }

  program.scopes.forEach(({ kind, name, parent }, index) => {
    if (kind !== 'function' || !program.scopes[parent]?.extends) return
    const found = PATHS.has(name) || BASES.has(name) ? returned(index) : undefined
    if (!found) return
    const text = constructions.name(constructions.fill(found.text))
    if (BASES.has(name)) {
      if (hasScheme(text) || hasReferences(text)) bases.push(text)
      return
    }
    const slot = { at: 0, name: '', key: '' }
    candidates.push({
      url: hasScheme(text)
        ? text
        : joinSegments([evaluator.externalParameter({ name: CONNECTOR, parameter: slot }), text]),
      method: methodOf(parent),
      via: 'call',
      line: found.place.line,
      column: found.place.column,
      confidence: 0.85,
      needsCatalogue: false,
    })
  })
  return { candidates, bases }
}

const PATHS = new Set(['resolveEndpoint'])
const BASES = new Set(['resolveBaseUrl'])
