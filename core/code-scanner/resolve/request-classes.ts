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
    const of = OWN_PARTS.get(name)
    if (of === undefined || kind !== 'function' || !program.scopes[parent]?.extends) return
    for (const { value } of names.returnsOf(scope)) {
      const returned = evaluator.evaluate({ value, scope })
      if (returned === undefined || returned === '') continue
      const url = constructions.toExternal(constructions.fill(returned))
      const { line, column } = value.place
      if (of === 'base') {
        if (hasScheme(url) || hasReferences(url)) bases.push(url)
        return
      }
      const base =
        of === 'path'
          ? evaluator.externalParameter({ name: CONNECTOR, parameter: FIRST })
          : evaluator.evaluate({ value: { kind: 'name', name: of, place: value.place }, scope })
      if (base === undefined) return
      candidates.push({
        url: hasScheme(url) ? url : joinSegments([base, url]),
        ...{ method: findMethod(parent, evaluator), via: 'call', line, column },
        ...{ confidence: 0.85, needsCatalogue: false },
      })
      if (of === 'path') return
    }
  })
  return { candidates, bases }
}

/**
 * Methods that return the base or the path of a request; a path below the member of that name of the
 * class itself (Moya of Swift), or else below the base of another class.
 */
const OWN_PARTS: ReadonlyMap<string, string> = new Map([
  ['resolveBaseUrl', 'base'],
  ['resolveEndpoint', 'path'],
  ['path', 'this.baseURL'],
])

/** The HTTP method in a class's field of that name, or the only one that its method returns. */
function findMethod(owner: number, { program, names }: Evaluator): string | undefined {
  const field = program.bindings.find(
    ({ name, scope }) => scope === owner && /^(?:this\.)?method$/.test(name),
  )
  const getter = program.scopes.findIndex(
    ({ name, parent }) => parent === owner && name === 'method',
  )
  const values = getter < 0 ? [field?.value] : names.returnsOf(getter).map(({ value }) => value)
  const found = values.map((value) => {
    const text = value?.kind === 'name' ? value.name : value?.kind === 'text' ? value.text : ''
    return /(?:^|\.)(get|post|put|patch|delete|head)$/i.exec(text)?.[1]?.toLowerCase()
  })
  return found.every((verb) => verb === found[0]) ? found[0] : undefined
}

const FIRST = { at: 0, name: '', key: '' }
