import {
  beginningOf,
  hasScheme,
  joinSegments,
  mapBeginning,
  type Pattern,
  UNKNOWN,
} from '../model/pattern.ts'

/** Whether a function's name says that it puts a URL together of a base and paths. */
export function joinsUrl(name: string): boolean {
  return JOINS.test(name)
}

/** What such a function makes of what it is given, as far as that is known. */
export function joinGiven(given: readonly Pattern[]): Pattern {
  const base = given.find(hasScheme) ?? UNKNOWN
  return joinSegments([
    base,
    ...given.filter((one) => one !== base && /^\/?[\w{]/.test(beginningOf(one))),
  ])
}

/** Where a base that ends in a slash met a path that begins with one, or a whole URL. */
export function tidyJoint(url: Pattern): Pattern {
  if (typeof url === 'string') return tidyText(url)
  return mapBeginning(url, (text) => tidyText(text + UNKNOWN).slice(0, -UNKNOWN.length))
}

function tidyText(url: string): string {
  const once = url.replace(/^(?:\{\}|https?:\/\/[^?#]{1,500}?)\/(https?):\/+(?=\w)/, '$1://')
  return once.replace(/^((?:\w+:\/\/)[^/?#]+(?:\/[^?#]*?)?)\/\/+(?=[^/])/, '$1/')
}

const JOINS =
  /(?:join|combine|concat|append|build|resolve)\w*(?:ur[il]|path|endpoint|base)\w*(?:\(\))?$|(?:ur[il]|path)\.?(?:join|combine|concat|append)\w*(?:\(\))?$/i
