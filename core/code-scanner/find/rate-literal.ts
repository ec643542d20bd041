import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import { anyOf, lastName } from '../model/name-patterns.ts'
import type { Expression, TextRole } from '../model/program.ts'
import {
  isBaseGroup,
  isBaseName,
  isEmbedded,
  isHostName,
  isNoiseContext,
  isNoiseHost,
  isNoiseUrl,
  isOtherProtocolHost,
  isProse,
  isServiceHost,
  isSiteHost,
  isVagueName,
  looksLikeApi,
  REFERRER,
} from '../noise/noise.ts'
import { isNoiseCall, isResultLink, opensPage } from '../noise/noise-calls.ts'
import { hostOf, pathOf, withoutQuery } from '../noise/url-hosts.ts'

/** A URL in a program with its surroundings. */
export interface LiteralContext {
  readonly value: Expression
  readonly url: string
  /** `url` without its scheme. */
  readonly bare: string
  /** Whether the URL has a scheme. */
  readonly isUrl: boolean
  /** Names that the URL is bound to, outermost first. */
  readonly names: readonly string[]
  /** Callee of the call that the URL is an argument of, or empty. */
  readonly callee: string
  readonly role: TextRole
  readonly isBound: boolean
  /** Whether a function returns the URL, or a value that contains it. */
  readonly isReturned: boolean
  /** Whether the URL is a member of a record that describes an entity: `{ id, title, url }`. */
  readonly isEntity: boolean
  /** Whether that record has a title or a description. */
  readonly isArticle: boolean
  /** Whether URLs of calls begin with the URL. */
  readonly isCalled: boolean
  /** Whether the URL extends one that is called: `url += '/users'`. */
  readonly isExtended: boolean
  /** Whether calls of the program go to the host. */
  readonly isCalledHost: boolean
  /** Whether the URL is part of a function that returns samples. */
  readonly isSample: () => boolean
  /** Whether a class or function around the URL opens pages of social networks. */
  readonly sharesPosts: () => boolean
}

/** Whether a URL is a link, a document or text for people. */
export function isRejected(literal: LiteralContext): boolean {
  if (NO_USES.some((rejects) => rejects(literal))) return true
  return !isForBrowser(literal) && REJECTIONS.some((rejects) => rejects(literal))
}

/** Whether calls of other files may build on a rejected URL: a constant with a link's name. */
export function mayBeCalled(literal: LiteralContext): boolean {
  const { isUrl, url, role, isBound, isExtended, names } = literal
  const isNamedLink = NAMED_LINK.test(names.at(-1) ?? '')
  const isPage = isReturnedPage(literal) || literal.sharesPosts()
  const isOther = role !== 'other' || isExtended || isNamedLink
  if (isOther || isPage) return false
  return isBound && isUrl && !isProse(url) && !isNoiseHost(url)
}

const NAMED_LINK = new RegExp(
  String.raw`^(?:href|origin|(?:avatar|\w+_icon|icon|image|thumb)(?:_url)?|${REFERRER})$`,
  'i',
)

/** Rates a URL as an API's. Unless `isSure`, only the catalogue can confirm it. */
export function rateLiteral(literal: LiteralContext): {
  readonly isSure: boolean
  readonly isBase: boolean
  readonly confidence: number
} {
  const { isCalled, isBound, url } = literal
  const isNamed = isNamedApi(literal)
  const isSure = isCalled || CONFIRMATIONS.some((confirms) => confirms(literal))
  const isBase = (isCalled || isNamed) && isBound
  if (isCalled || (isNamed && NAMES_API.test(url))) return { isSure, isBase, confidence: 0.9 }
  if (looksLikeApi(url)) return { isSure, isBase, confidence: isNamed ? 0.8 : 0.7 }
  return { isSure, isBase, confidence: isNamed ? 0.7 : isSure ? 0.6 : 0.4 }
}

/** URLs that are an API's by themselves. */
const NAMES_API = /(?:^|[./-])(?:apis?|rest|graphql|rpc)\d*(?:[./-]|$)|\/v\d/i

/** Whether a callee's name implies a call of an API. */
export function isCaller(callee: string): boolean {
  return CALLERS.test(callee) && !ENTITIES.test(callee)
}

/** Name of the rows of a table, which only describe sites: `[{ domain }, { domain }]`. */
export const ROWS = '[]'

type Rule = (literal: LiteralContext) => boolean

/** URLs that nothing requests. */
const NO_USES: readonly Rule[] = [
  ({ isUrl, url }) => isUrl && isProse(url),
  ({ role }) => role === 'error' || role === 'documentation',
  ({ url }) => isNoiseHost(url),
  // `[{ domain: 'google.com', path: '/search' }, { domain: 'bing.com', path: '/search' }]`
  ({ isUrl, url, names }) => !isUrl && names.at(-2) === ROWS && isSiteHost(url),
]

const REJECTIONS: readonly Rule[] = [
  (literal) =>
    (!literal.isCalled || isWholeSite(literal)) && PURPOSES.some((isOther) => isOther(literal)),
  (literal) => isSite(literal) && isWholeSite(literal) && !isVendorHost(literal),
  isReturnedPage,
  ({ isExtended }) => isExtended,
  (literal) => !literal.isCalled && isNoiseUrl(literal.url) && !isVendorHost(literal),
]

/** Purposes of a URL other than a call. */
const PURPOSES: readonly Rule[] = [
  ({ role }) => role === 'link',
  isNoiseContext,
  // A page that shows results to people.
  ({ isBound, url }) => isBound && SEARCH_PAGE.test(url) && !looksLikeApi(url),
  ({ isSample }) => isSample(),
  // A page for posts of others, and one that shows a result.
  ({ sharesPosts, url }) =>
    (SHARE_PAGE.test(url) || SHARE_TEMPLATE.test(url) || sharesPosts()) && !looksLikeApi(url),
  ({ names, value, url }) =>
    value.kind !== 'text' && isResultLink(names.at(-1) ?? '') && !looksLikeApi(withoutQuery(url)),
]

const CONFIRMATIONS: readonly Rule[] = [
  (literal) =>
    isNamedApi(literal) && !isEntityPage(literal) && !isSite(literal) && !isReturnedSite(literal),
  isVendorHost,
  ({ url }) => looksLikeApi(url),
  ({ isCalledHost }) => isCalledHost,
  ({ callee }) => isCaller(callee),
  isForBrowser,
]

/**
 * Whether a browser requests a URL from a service: an embedded page, a generated image, or an
 * authorization endpoint.
 */
function isForBrowser({ role, names, callee, url }: LiteralContext): boolean {
  const isShown = isNoiseCall(callee) && !opensPage(callee) && !/attr(?:ibute)?$/i.test(callee)
  if (isShown) return false
  if (AUTHORIZATION.test(url)) return url.includes('?') || !opensPage(callee)
  return role !== 'link' && !/href|link|share/i.test(names.at(-1) ?? '') && isEmbedded(url)
}

/** An authorization endpoint (RFC 6749 3.1). */
const AUTHORIZATION =
  /^https?:\/\/[\w.-]+\/(?:[\w.-]+\/)*(?:authorize|oauth2?\/(?:v2\/)?auth)\/?(?:\?|$)/

/** Whether a URL has the name of an API address. */
function isNamedApi(literal: LiteralContext): boolean {
  const { names, isUrl, url } = literal
  const name = settingName(literal)
  if (!isBaseName(name) && !isHostName(name) && !names.some(isBaseGroup)) return false
  if (isUrl || looksLikeApi(url)) return true
  // A list of URLs has bare hosts to compare them with.
  return (isServiceHost(url) && !/ur[il]s$/i.test(name)) || API_HOST.test(name)
}

/** Names of a host that an API has: `DEFAULT_BASE_HOST`, `apiHost`. */
const API_HOST =
  /(?:^|_)(?:base|api)_(?:\w+_)?host(?:_?name)?$|^\w*(?:[bB]ase|[aA]pi)Host(?:[nN]ame)?$/i

/** Returns the innermost name, without that of a default: `FEEDS_URL.defaultValue`. */
function settingName({ names }: LiteralContext): string {
  const name = names.findLast((one) => one !== 'default') ?? ''
  return name.replace(/\.default(?:\w*Value)?$/, '')
}

/** Whether a setting is the host of a known vendor: `domain: 'gitlab.com'`. */
function isVendorHost(literal: LiteralContext): boolean {
  const name = settingName(literal)
  if (!isWholeSite(literal) || isReturnedSite(literal)) return false
  if (!literal.isUrl) return isApiHost(literal.url)
  if (!(isHostName(name) || isBaseName(name))) return false
  return KNOWN_VENDORS.findByHost(hostOf(literal.url) ?? '')?.by === 'host'
}

function isApiHost(host: string): boolean {
  return /^(?:host|tenant)$/.test(KNOWN_VENDORS.findByHost(host)?.by ?? '')
}

/** Whether a text is the API host of a known vendor, in a list or construction of addresses. */
export function isListedHost(
  value: Expression,
  { depth, names, callee }: Pick<LiteralContext, 'names' | 'callee'> & { readonly depth: number },
): boolean {
  if (value.kind !== 'text' || !(depth > 0 || CONSTRUCTION.test(callee))) return false
  const around = [...names, callee].join(' ')
  if (!ADDRESSES.test(around) || CHECKS.test(around)) return false
  return BARE_HOST.test(value.text) && isApiHost(value.text) && !isOtherProtocolHost(value.text)
}

const CONSTRUCTION = /^new |\.new$|^(?:[A-Z]\w*)?(?:Endpoint|Region)$/
/** Names of lists of addresses, and of lists that hosts are only compared with. */
const ADDRESSES = /endpoint|region|server|mirror|backend|gateway|base|api|service|hosts|zone/i
const CHECKS = /allow|block|den[yi]|trust|ignor|exclu|white|black|domain|origin|csp|policy|track/i

/** A host below a domain. */
const BARE_HOST = /^[a-z\d][a-z\d-]*\.[a-z\d-]+(?:\.[a-z\d-]+)+$/

/** Whether a URL has no path: a whole site, even if an API is below it. */
function isWholeSite({ bare }: LiteralContext): boolean {
  return /^[^/]*\/?$/.test(bare)
}

function isSite(literal: LiteralContext): boolean {
  const { names, url, value } = literal
  const name = lastName(names.at(-1) ?? '')
  const isVague = isVagueName(name) || (/^UR[IL]$/.test(name) && isWholeSite(literal))
  if (!isVague || !isSiteHost(url) || looksLikeApi(url)) return false
  // A path below a base is a request.
  const first = value.kind === 'join' ? value.parts[0] : undefined
  return first?.kind !== 'name' || !isBaseName(first.name) || isVagueName(first.name)
}

/** Whether a property returns a site: a link, unless calls extend it. */
function isReturnedSite(literal: LiteralContext): boolean {
  const { isReturned, isCalled, names, url } = literal
  return (
    isReturned &&
    !isCalled &&
    isWholeSite(literal) &&
    isSiteHost(url) &&
    !looksLikeApi(url) &&
    !/api/i.test(names.at(-1) ?? '')
  )
}

/**
 * Whether a URL is the page of an entity, as a member of its record: a site, a path with an unknown
 * part, or any page of a record with a title.
 */
function isEntityPage({ isEntity, isArticle, names, value, url }: LiteralContext): boolean {
  if (!/(?:^|\.)ur[il]$/i.test(names.at(-1) ?? '') || looksLikeApi(url)) return false
  if (isArticle && !names.some(isBaseGroup) && !FEED.test(url)) return true
  const isMember = names.length > 1 || isEntity
  if (isMember && (/^\/?$/.test(pathOf(url)) || /^www\./.test(hostOf(url) ?? ''))) return true
  return isEntity && value.kind !== 'text' && /^\w+:\/\/[^/]+\/.*\{\}/.test(url)
}

/** Whether a function returns a page with an unknown part: `archive_url`. */
function isReturnedPage(literal: LiteralContext): boolean {
  const { isReturned, isCalled, isCalledHost, names, url } = literal
  if (!isReturned || isCalled || isCalledHost || looksLikeApi(url)) return false
  const name = names.at(-1) ?? ''
  if (/^build/i.test(name) && url.includes('?')) return false
  return isVagueName(name) && /^\w+:\/\/[^/]+\/.*\{\}/.test(url)
}

/** A search whose words are filled in elsewhere: `https://example.org/search?q=$query`. */
const SEARCH_PAGE = /^https?:\/\/[^/]+\/search(?:\/|\/?\?\w+=)(?:\$\w+|%s|\{\w*\})$/

/** `https://www.tumblr.com/share?url={}`, `https://x.com/intent/post?text={}`. */
const SHARE_PAGE = new RegExp(
  String.raw`^https?:\/\/(?:[^/?#]+\/)+${anyOf`
    share sharer share\.php sharer\.php share-offsite shareArticle submit submitlink
    intent\/(?:tweet|post|compose) create\/(?:button|link)
  `}\/?\?(?:[^#]*&)?${anyOf`u url text title link media`}=`,
  'i',
)

/** A page that receives the link and the title of another: `https://acme.io/add?url={}&title={}`. */
const SHARE_TEMPLATE =
  /^https?:\/\/[^?#]*\?(?=(?:[^#]*&(?:amp;)?)?(?:ur[il]|link)=[~{%$])(?:[^#]*&(?:amp;)?)?(?:title|text|subject)=[~{%$]/i

/** Constructions of entities: `new ProviderEntry("…", url)`. */
const ENTITIES = /^new .*(?:Entry|Info|Item|Link)$/

/** Names of functions that call an API. */
const CALLERS = new RegExp(
  String.raw`(?:^|[._ ]|[a-z])${anyOf`
    [Ff]etch [Rr]equest [Gg]et [Pp]ost [Pp]ut [Pp]atch [Dd]elete [Cc]all [Aa]pi API [Cc]lient
    [Hh]ttp HTTP [Ss]end [Dd]ownload [Ii]nvoke [Qq]uery [Ww]ebhook [Cc]onnect [Rr]pc [Gg]raphql
    [Pp]rovider [Ee]ndpoint [Pp]roxy [Ss]ocket (?:Base|Feeds?)U(?:rl|RL|ri)
  `}\w*$`,
)

/** Pages for programs. */
const FEED = /\.(?:xml|rss|atom|json|csv|txt)(?:[?#]|$)|\b(?:rss|feeds?)\b/i
