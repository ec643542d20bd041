import { type Pattern, toText } from '../model/pattern.ts'
import type { Call } from '../model/program.ts'

/**
 * Selects the requests of a function whose method is an argument of its call:
 * `rest('DELETE', path)`. If none has that method, it becomes that of one request per URL.
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
  const urls = new Set<string>()
  return requests.flatMap((request) => {
    const url = toText(request.url)
    if (urls.has(url)) return []
    urls.add(url)
    return [{ ...request, method: stated.toLowerCase() }]
  })
}

const VERB = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/
