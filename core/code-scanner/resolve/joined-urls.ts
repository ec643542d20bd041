import {
  beginningOf,
  hasScheme,
  hasSlots,
  joinSegments,
  mapBeginning,
  type Pattern,
  toRawText,
  toText,
  UNKNOWN,
} from '../model/pattern.ts'
import { authorityOf, domainOf, hostOf, withoutScheme } from '../noise/url-hosts.ts'

/** Whether the name of a function implies that it joins a base and paths. */
export function joinsUrl(name: string): boolean {
  return JOINS.some((joins) => joins.test(name))
}

/** Joins the arguments of such a function; an unknown base remains unknown. */
export function joinGiven(given: readonly Pattern[]): Pattern {
  const base = given.find(hasScheme) ?? UNKNOWN
  return joinSegments([
    base,
    ...given.filter((one) => one !== base && /^\/?[\w{]/.test(beginningOf(one))),
  ])
}

/**
 * Removes a double slash between a base and a path, and a base before a whole URL of the same domain.
 * A URL of another domain within a path is a value: `https://archive.org/save/{}`.
 */
export function tidyJoint(url: Pattern): Pattern {
  if (typeof url === 'string') return tidyText(url)
  return mapBeginning(url, (text) => tidyText(text + UNKNOWN).slice(0, -UNKNOWN.length))
}

/** Replaces parameters by their defaults, after which a double slash may remain. */
export function withPresets(url: Pattern): Pattern {
  return hasSlots(url) ? tidyText(toRawText(url)) : url
}

/** Merges URLs of one host to what their paths have in common, and an unknown rest. */
export function mergePaths(urls: readonly Pattern[]): readonly Pattern[] {
  const byHost = new Map<string, string>()
  for (const url of urls.map(toText)) {
    const host = authorityOf(withoutScheme(url))
    const known = byHost.get(host)?.split('/')
    const parts = url.split('/')
    const end = known?.findIndex((part, at) => part !== parts[at]) ?? -1
    byHost.set(host, end < 0 ? url : [...parts.slice(0, end), UNKNOWN].join('/'))
  }
  return [...byHost.values()]
}

function tidyText(url: string): string {
  const once = url.replace(
    /^(?:https?:\/\/|(?:\{\}|https?:\/\/[^/?#]{1,500})\/)(https?):\/+(?=\w)/,
    '$1://',
  )
  const outer = once.replace(INNER_URL, (_, base: string, inner: string) =>
    domainAt(base) === domainAt(inner) ? inner : base + UNKNOWN,
  )
  return outer.replace(/^((?:\w+:\/\/[^/?#]+|[^/?#:]+)(?:\/[^?#]*?[^/?#])??)\/\/+(?=[^/])/, '$1/')
}

function domainAt(url: string): string {
  return domainOf(hostOf(url) ?? '')
}

const INNER_URL = /^(https?:\/\/[^?#]{1,500}?\/)(https?:\/+\w.*)$/

/** `joinUrl`, `build_base_path`; `urljoin`, `Path.combine`. */
const JOINS: readonly RegExp[] = [
  /(?:join|combine|concat|append|build|resolve)\w*(?:ur[il]|path|endpoint|base)\w*(?:\(\))?$/i,
  /(?:ur[il]|path)\.?(?:join|combine|concat|append)\w*(?:\(\))?$/i,
]
