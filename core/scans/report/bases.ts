import { toEndpointUrl } from '../../matching/endpoint-url.ts'

/** What tells a base: of a `Finding`, or of one that was printed. */
export interface FoundUrl {
  readonly url: string
  readonly endpointUrl: string
  readonly method?: string | undefined
  readonly via?: string | undefined
}

/**
 * Removes bases that other findings build on, and own client libraries: neither is a usage. A base
 * without other findings remains. `/api/{}` is the base `/api` if others have it, too.
 */
export function withoutBases<One extends FoundUrl>(findings: readonly One[]): readonly One[] {
  const used = new Set<string>()
  const beginnings = new Set<string>()
  for (const finding of findings) {
    if (finding.via === 'base' || finding.via === 'own-package') continue
    const key = toKey(finding)
    if (used.has(key)) continue
    used.add(key)
    for (const url of [finding.endpointUrl, toEndpointUrl(finding.url)]) {
      beginnings.add(url)
      for (const { index } of url.matchAll(/[/?]/g)) beginnings.add(url.slice(0, index))
    }
  }
  const isExtended = (url: string) => beginnings.has(withoutOpenEnd(url))
  return findings.filter(
    (finding) =>
      finding.via !== 'own-package' &&
      (finding.via !== 'base' ||
        used.has(toKey(finding)) ||
        !(isExtended(finding.endpointUrl) || isExtended(toEndpointUrl(finding.url)))),
  )
}

/** A URL without unknown segments at its end. */
function withoutOpenEnd(url: string): string {
  let end = url.length
  while (url.endsWith('/{}', end)) end -= 3
  return url.slice(0, end)
}

function toKey({ endpointUrl, method }: FoundUrl): string {
  return `${method ?? ''} ${endpointUrl}`
}
