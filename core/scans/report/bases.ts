import { toEndpointUrl } from '../../matching/endpoint-url.ts'

/** What tells a base: of a `Finding`, or of one that was printed. */
export interface FoundUrl {
  readonly url: string
  readonly endpointUrl: string
  readonly method?: string | undefined
  readonly via?: string | undefined
}

/**
 * Leaves out the bases that other findings are built on: they are no use of their own. A base of
 * which no more is known stays.
 */
export function withoutBases<One extends FoundUrl>(findings: readonly One[]): readonly One[] {
  const used = new Set<string>()
  const beginnings = new Set<string>()
  for (const finding of findings) {
    if (finding.via === 'base') continue
    const key = toKey(finding)
    if (used.has(key)) continue
    used.add(key)
    for (const url of [finding.endpointUrl, toEndpointUrl(finding.url)]) {
      beginnings.add(url)
      for (const { index } of url.matchAll(/[/?]/g)) beginnings.add(url.slice(0, index))
    }
  }
  return findings.filter(
    (finding) =>
      finding.via !== 'base' ||
      used.has(toKey(finding)) ||
      !(beginnings.has(finding.endpointUrl) || beginnings.has(toEndpointUrl(finding.url))),
  )
}

function toKey({ endpointUrl, method }: FoundUrl): string {
  return `${method ?? ''} ${endpointUrl}`
}
