import { concat, hasScheme, joinSegments, UNKNOWN } from '../model/pattern.ts'

/** Whether a function's name says that it puts a URL together of a base and paths. */
export function joinsUrl(name: string): boolean {
  return JOINS.test(name)
}

/** What such a function makes of what it is given, as far as that is known. */
export function joinGiven(given: readonly string[]): string {
  const base = given.find(hasScheme) ?? UNKNOWN
  return joinSegments([base, ...given.filter((one) => one !== base && /^\/?[\w{]/.test(one))])
}

/** Where a base that ends in a slash met a path that begins with one, or a whole URL. */
export function tidyJoint(url: string): string {
  const once = url.replace(/^(?:\{\}|https?:\/\/[^?#]{1,500}?)\/(https?):\/+(?=\w)/, '$1://')
  return concat([once.replace(/^((?:\w+:\/\/)[^/?#]+(?:\/[^?#]*?)?)\/\/+(?=[^/])/, '$1/')])
}

const JOINS =
  /(?:join|combine|concat|append|build|resolve)\w*(?:ur[il]|path|endpoint|base)\w*(?:\(\))?$|(?:ur[il]|path)\.?(?:join|combine|concat|append)\w*(?:\(\))?$/i
