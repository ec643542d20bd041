import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import { anyOf } from '../model/name-patterns.ts'
import type { Expression, TextRole } from '../model/program.ts'
import {
  isBaseGroup,
  isBaseName,
  isHostName,
  isNoiseContext,
  isNoiseHost,
  isNoiseUrl,
  isProse,
  isServiceHost,
  isSiteHost,
  isSiteOf,
  isVagueName,
  looksLikeApi,
} from '../noise/noise.ts'
import { hostOf } from '../noise/url-hosts.ts'
import { isPageOfThing } from './thing-records.ts'

/** A URL in a program, with what its surroundings say about it. */
export interface UrlText {
  readonly value: Expression
  readonly url: string
  /** Without its scheme. */
  readonly bare: string
  /** Whether it has a scheme. */
  readonly isUrl: boolean
  /** Names that it is given to, outermost first. */
  readonly names: readonly string[]
  /** What it is an argument of, or empty. */
  readonly callee: string
  readonly role: TextRole
  readonly isBound: boolean
  /** Whether it is returned by a function, or a part of what is. */
  readonly isReturned: boolean
  /** Whether it is a member of a record that describes a thing: `{ id, title, url }`. */
  readonly isThing: boolean
  /** Whether URLs of calls begin with it. */
  readonly isCalled: boolean
  /** Whether it extends a URL that is called: `url += '/users'`. */
  readonly isExtended: boolean
  /** Whether calls of the program go to its host. */
  readonly isCalledHost: boolean
  /** Whether it is part of a function that returns samples. */
  readonly isSample: () => boolean
}

/** Whether a URL is a link, a document or text for people. */
export function isRejectedUrl(text: UrlText): boolean {
  return REJECTIONS.some((rejects) => rejects(text))
}

/** Whether calls of other files may build on a URL that is rejected: a constant with a link's name. */
export function mayBeCalled({ isUrl, url, role, isBound, isExtended }: UrlText): boolean {
  const isLink = role === 'error' || role === 'documentation' || isExtended
  return isBound && isUrl && !isLink && !isProse(url) && !isNoiseHost(url)
}

/**
 * Describes a URL as an API's: how sure that is, and whether calls build on it. Without
 * `isSure`, only the catalogue can confirm it.
 */
export function rateUrl(text: UrlText): {
  readonly isSure: boolean
  readonly isBase: boolean
  readonly confidence: number
} {
  const { isCalled, isBound, url } = text
  const isNamed = isNamedApi(text)
  const isSure = isCalled || CONFIRMATIONS.some((confirms) => confirms(text))
  return {
    isSure,
    isBase: (isCalled || isNamed) && isBound,
    confidence: isCalled || (isNamed && NAMES_API.test(url)) ? 0.9 : toConfidence(text, isSure),
  }
}

function toConfidence(text: UrlText, isSure: boolean): number {
  const isNamed = isNamedApi(text)
  if (looksLikeApi(text.url)) return isNamed ? 0.8 : 0.7
  return isNamed ? 0.7 : isSure ? 0.6 : 0.4
}

/** A URL that says itself that it is an API's. */
const NAMES_API = /(?:^|[./-])(?:apis?|rest|graphql|rpc)\d*(?:[./-]|$)|\/v\d/i

/** Whether a callee's name says that it calls something. */
export function isCaller(callee: string): boolean {
  return CALLERS.test(callee)
}

type Rule = (text: UrlText) => boolean

const REJECTIONS: readonly Rule[] = [
  ({ isUrl, url }) => isUrl && isProse(url),
  ({ role }) => role === 'error' || role === 'documentation',
  ({ url }) => isNoiseHost(url),
  (text) => (!text.isCalled || isWholeSite(text)) && PURPOSES.some((isOther) => isOther(text)),
  (text) => isSite(text) && isWholeSite(text) && !isVendorHost(text),
  ({ isExtended }) => isExtended,
  (text) => !text.isCalled && isNoiseUrl(text.url) && !isVendorHost(text),
]

/** Purposes of a URL other than a call. */
const PURPOSES: readonly Rule[] = [
  ({ role }) => role === 'link',
  // An address with only a query to add is where a browser is sent (RFC 6749 3.1).
  ({ callee, bare }) => callee !== '' && /\/oauth2?\/authorize$/.test(bare),
  isNoiseContext,
  ({ isSample }) => isSample(),
]

const CONFIRMATIONS: readonly Rule[] = [
  (text) =>
    isNamedApi(text) &&
    !isSiteOf(text.names, text.url) &&
    !isPageOfThing(text.value, text) &&
    !isSite(text) &&
    !isReturnedSite(text),
  isVendorHost,
  ({ url }) => looksLikeApi(url),
  ({ isCalledHost }) => isCalledHost,
  ({ callee }) => CALLERS.test(callee),
]

/** Whether the names around a URL say that it is an API's. */
function isNamedApi({ names, isUrl, url }: UrlText): boolean {
  const name = names.at(-1) ?? ''
  if (!isBaseName(name) && !isHostName(name) && !names.some(isBaseGroup)) return false
  return isUrl || looksLikeApi(url) || isServiceHost(url)
}

/** Whether a setting is the host of a known vendor's API: `domain: 'gitlab.com'`. */
function isVendorHost(text: UrlText): boolean {
  const name = text.names.at(-1) ?? ''
  if (!isWholeSite(text) || !(isHostName(name) || isBaseName(name))) return false
  return KNOWN_VENDORS.findByHost(hostOf(text.url) ?? '')?.by === 'host'
}

/** Whether a URL has no path: a whole site, even if an API is below it. */
function isWholeSite({ bare }: UrlText): boolean {
  return /^[^/]*\/?$/.test(bare)
}

function isSite({ names, url }: UrlText): boolean {
  return isVagueName(names.at(-1) ?? '') && isSiteHost(url) && !looksLikeApi(url)
}

/** A property that returns a whole site is a link, unless calls go below it. */
function isReturnedSite(text: UrlText): boolean {
  const { isReturned, isCalled, names, url } = text
  return (
    isReturned &&
    !isCalled &&
    isWholeSite(text) &&
    isSiteHost(url) &&
    !looksLikeApi(url) &&
    !/api/i.test(names.at(-1) ?? '')
  )
}

/** Names of functions that call something, as far as names say. */
const CALLERS = new RegExp(
  String.raw`(?:^|[._ ]|[a-z])${anyOf`
    [Ff]etch [Rr]equest [Gg]et [Pp]ost [Pp]ut [Pp]atch [Dd]elete [Cc]all [Aa]pi API [Cc]lient
    [Hh]ttp HTTP [Ss]end [Dd]ownload [Ii]nvoke [Qq]uery [Ww]ebhook [Cc]onnect [Rr]pc [Gg]raphql
    [Pp]rovider [Ee]ndpoint [Pp]roxy [Ss]ocket BaseUrl BaseURL
  `}\w*$`,
)

/** Whether some of sorted texts begins with another one. */
export function hasBeginning(sorted: readonly string[], beginning: string): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < beginning) low = middle + 1
    else high = middle
  }
  return sorted[low]?.startsWith(beginning) ?? false
}
