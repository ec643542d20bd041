import { type Pattern, toText } from '../model/pattern.ts'
import type { Call } from '../model/program.ts'

/**
 * Selects the requests of a function that have the method of an argument: `rest('DELETE', path)`.
 * If none has, the first of each URL has it.
 */
export function selectStated<
  Sent extends { readonly url: Pattern; readonly method: Pattern | undefined },
>(requests: readonly Sent[], { args }: Call): readonly Sent[] {
  const [stated] = args.flatMap((value) =>
    value.kind === 'text' && VERB.test(value.text) ? [value.text] : [],
  )
  if (stated === undefined || requests.length < 2) return requests
  const isStated = ({ method }: Sent) => toText(method ?? '').toUpperCase() === stated
  if (requests.some(isStated)) return requests.filter(isStated)
  const first = new Map(requests.toReversed().map((request) => [toText(request.url), request]))
  return [...first.values()]
    .toReversed()
    .map((request) => ({ ...request, method: stated.toLowerCase() }))
}

const VERB = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/
