/** What tells a base: of a `Finding`, or of one that was printed. */
export interface FoundUrl {
  readonly url: string
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
    beginnings.add(finding.url)
    for (const { index } of finding.url.matchAll(/[/?]/g)) {
      beginnings.add(finding.url.slice(0, index))
      beginnings.add(finding.url.slice(0, index + 1))
    }
  }
  return findings.filter(
    (finding) => finding.via !== 'base' || used.has(toKey(finding)) || !beginnings.has(finding.url),
  )
}

function toKey({ url, method }: FoundUrl): string {
  return `${method ?? ''} ${url}`
}
