import type { RawFinding } from '../model/finding.ts'
import { hasScheme } from '../model/pattern.ts'
import { isTestPath } from '../noise/path-roles.ts'

/** A finding with what must confirm it. */
export interface Judged extends RawFinding {
  readonly needsCatalogue: boolean
  readonly needsCall?: boolean | undefined
}

/**
 * The strings without a sure purpose that calls build on: URLs that URLs of calls begin with, and
 * hosts of calls and bases. Without schemes.
 */
export function findCalledBases(uses: readonly Judged[]): ReadonlySet<string> {
  const open = uses.filter((one) => one.needsCatalogue).map(({ url }) => url)
  const urls = new Set(open.filter(hasScheme).map(toBase))
  const hosts = new Set(open.filter((url) => !hasScheme(url)).map(toBase))
  const bases = new Set<string>()
  for (const { via, url, needsCatalogue } of open.length > 0 ? uses : []) {
    if (needsCatalogue || (via !== 'call' && via !== 'base') || !hasScheme(url)) continue
    const parts = toBase(url.replace(/[?#].*$/s, '')).split('/')
    for (let size = 1; size <= Math.min(parts.length, MAX_BASE); size += 1) {
      const base = parts.slice(0, size).join('/')
      if (hosts.has(base) || (via === 'call' && urls.has(base))) bases.add(base)
    }
  }
  return bases
}

/** Segments of a base, the host included. */
const MAX_BASE = 6

/** A string that calls of other files build on. */
export function asBase(one: Judged, called: ReadonlySet<string>): Judged {
  if (!one.needsCatalogue || !called.has(toBase(one.url)) || isTestPath(one.file)) return one
  return { ...one, via: 'base', confidence: 0.8, needsCatalogue: false, needsCall: false }
}

/** A URL without scheme and final slashes. */
function toBase(url: string): string {
  return url.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '')
}
