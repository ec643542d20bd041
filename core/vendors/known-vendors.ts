import { parse } from 'tldts'
import { foldName } from '../shared/text.ts'
import type { PackageRow } from './package-rows.ts'
import { findOwnDomain, isPublicSuffix, parseHost, replaceUnknownLabels } from './shared-hosts.ts'
import { VENDORS } from './vendors.ts'

/** Hosts of a vendor; `{}` replaces unknown parts. */
export type KnownHosts = Pick<PackageRow, 'vendor' | 'url' | 'hosts'>

/** A known vendor of a host. */
export interface KnownVendor {
  readonly name: string
  /**
   * Matched by the exact host of an API, by its domain, or as a tenant's name below a public suffix
   * of the vendor (`acme.myshopify.com`).
   */
  readonly by: 'host' | 'domain' | 'tenant'
}

/** Built-in knowledge of vendors, independent of a catalogue. */
export interface KnownVendors {
  /** The vendor of a host, by host, then by domain. Unknown labels of the host are `{}`. */
  findByHost(host: string): KnownVendor | undefined
  /** The vendor with this name in any spelling, or with this domain (`amazonaws.com`). */
  findByName(name: string): string | undefined
  /** Domains that also identify a known vendor. */
  listDomains(name: string): readonly string[]
}

/**
 * Creates the index of known vendors. If several rows have the same host, the first wins. A domain
 * that several vendors share identifies none of them.
 */
export function createKnownVendors(rows: readonly KnownHosts[]): KnownVendors {
  const hosts = new Map<string, string>()
  const suffixes = new Map<string, string>()
  const domains = new Map<string, string | undefined>()
  const names = new Map<string, string>()
  let domainsByName: ReadonlyMap<string, readonly string[]> | undefined
  for (const { vendor, url, hosts: others = [] } of rows) {
    setIfAbsent(names, toNameKey(vendor), vendor)
    for (const host of [/^[a-z+]+:\/\/([^/?#:]+)/i.exec(url)?.[1] ?? '', ...others]) {
      addHost(host.toLowerCase(), vendor)
    }
  }

  function addHost(host: string, vendor: string): void {
    const suffix = /^\{[^{}]*\}\.([^{}]+)$/.exec(host)?.[1]
    if (suffix !== undefined) setIfAbsent(suffixes, suffix, vendor)
    else if (!host.includes('{')) setIfAbsent(hosts, host, vendor)
    const { domain } = parse(replaceUnknownLabels(host))
    if (domain === null || SHARED_BY_VENDORS.has(domain) || isInstitutionDomain(domain)) return
    // The host of one customer of a CDN or cloud: `d111111abcdef8.cloudfront.net`.
    if (suffix === undefined && findOwnDomain(host) !== domain) return
    const known = domains.has(domain) ? domains.get(domain) : vendor
    domains.set(domain, known === vendor ? vendor : undefined)
  }

  function findBySuffix(host: string): KnownVendor | undefined {
    for (let dot = host.indexOf('.'); dot > 0; dot = host.indexOf('.', dot + 1)) {
      const suffix = host.slice(dot + 1)
      const name = suffixes.get(suffix)
      if (name !== undefined) return { name, by: isPublicSuffix(suffix) ? 'tenant' : 'host' }
    }
    return undefined
  }

  function findByHost(text: string): KnownVendor | undefined {
    const host = replaceUnknownLabels(text)
    const name = hosts.get(host)
    if (name !== undefined) return { name, by: 'host' }
    if (CUSTOMER_HOST.test(host)) return undefined
    const found = findBySuffix(host)
    if (found) return found
    const ofDomain = domains.get(parse(host).domain ?? '')
    return ofDomain === undefined ? undefined : { name: ofDomain, by: 'domain' }
  }

  return {
    findByHost,
    findByName: (name) =>
      names.get(toNameKey(name)) ??
      (isDomainName(name) ? findByHost(name.trim().toLowerCase())?.name : undefined),
    listDomains(name) {
      domainsByName ??= groupByName(domains)
      return domainsByName.get(foldName(name)) ?? []
    },
  }
}

function groupByName(
  domains: ReadonlyMap<string, string | undefined>,
): ReadonlyMap<string, readonly string[]> {
  const grouped = new Map<string, string[]>()
  for (const [domain, vendor] of domains) {
    if (vendor === undefined) continue
    const name = foldName(vendor)
    const known = grouped.get(name)
    if (known) known.push(domain)
    else grouped.set(name, [domain])
  }
  return grouped
}

/** Domains of companies with many services, of which the list contains few. */
const SHARED_BY_VENDORS: ReadonlySet<string> = new Set([
  'amazon.com',
  'appbrewery.com',
  'copernicus.eu',
  'elavon.com',
  'europa.eu',
  'gamespot.com',
  'ibmcloud.com',
  'progress.cloud',
  'qq.com',
  'sberbank.ru',
  'uol.com.br',
  'yahoo.com',
])

/** True for a domain of a public institution, whose departments have their own services and names. */
export function isInstitutionDomain(domain: string): boolean {
  return INSTITUTION_DOMAIN.test(domain)
}

const INSTITUTION_DOMAIN = /\.(?:gov|edu|mil|int)$|\.(?:gov|gob|gouv|govt|ac|edu)\.[a-z]{2}$/

/**
 * True if a name refers to the known vendor of a host: `GitHub, Inc.` and `github.com` to GitHub,
 * `AWS` to Amazon Web Services, `Twitter` to X at `api.twitter.com`, `Google Maps` to Google.
 */
export function isVendorName(
  name: string,
  known: { readonly vendor: string; readonly host: string },
) {
  if (foldName(name) === foldName(known.vendor)) return true
  if (KNOWN_VENDORS.findByName(name) === known.vendor) return true
  const words = toCoreWords(name)
  const theirs = toCoreWords(known.vendor)
  if (words.length === 0) return false
  if (startsWithWords(words, theirs) || startsWithWords(theirs, words)) return true
  const joined = words.join('')
  if (joined.length > 1 && joined === joinInitials(known.vendor)) return true
  const labels = [parseHost(known.host), parse(replaceUnknownLabels(known.host))]
  return labels.some(
    ({ domainWithoutSuffix: label }) =>
      label === joined || (joined.length > 3 && label?.startsWith(joined) === true),
  )
}

/**
 * Returns the proper name of a vendor named by its domain: Amazon Web Services for `amazonaws.com`.
 */
export function toProperName(name: string): string {
  const text = name.trim()
  return (isDomainName(text) ? KNOWN_VENDORS.findByHost(text)?.name : undefined) ?? text
}

/** Folds a vendor's name for comparison; the domain of a known vendor folds to its proper name. */
export function foldVendorName(name: string): string {
  return foldName(toProperName(name))
}

/**
 * Lists the names under which a catalogue may store a vendor: its proper name, the name itself, and
 * the domains of a known vendor.
 */
export function listVendorNames(name: string): readonly string[] {
  const proper = toProperName(name)
  return [...new Set([proper, name.trim(), ...KNOWN_VENDORS.listDomains(proper)])]
}

/** True if a vendor's name is a domain name, as imports infer it: `api.acme.com`. */
export function isDomainName(name: string): boolean {
  const text = name.trim()
  if (!/^[a-z\d](?:[a-z\d-]*\.)+[a-z\d-]+$/i.test(text)) return false
  const { isIcann, isPrivate, domain } = parseHost(text)
  return domain !== null && (isIcann === true || isPrivate === true)
}

function setIfAbsent(map: Map<string, string>, key: string, value: string): void {
  if (key !== '' && !map.has(key)) map.set(key, value)
}

/** Names of a cloud's domain at which its customers run services. They belong to the customers. */
const CUSTOMER_HOST =
  /\.(?:execute-api|s3-website[.-][\w-]+|elb|compute(?:-\d)?)(?:\.[\w-]+)*\.amazonaws\.com$|\.elb\.amazonaws\.com$|\.cloudapp\.azure\.com$/

/** Returns the folded name without legal form. */
function toNameKey(name: string): string {
  return splitNameWords(name)
    .filter((word) => !LEGAL_FORMS.has(word))
    .join(' ')
}

/**
 * Returns the words of a name that distinguish the vendor; for a domain, its label before the
 * suffix.
 */
function toCoreWords(name: string): readonly string[] {
  const text = isDomainName(name) ? (parseHost(name.trim()).domainWithoutSuffix ?? '') : name
  return splitNameWords(text).filter(
    (word) => !LEGAL_FORMS.has(word) && !GENERIC_WORDS.has(word) && !/^v\d+$/.test(word),
  )
}

function joinInitials(name: string): string {
  return splitNameWords(name)
    .map((word) => word[0])
    .join('')
}

function splitNameWords(name: string): readonly string[] {
  return foldName(name).match(/[\p{L}\p{N}]+/gu) ?? []
}

function startsWithWords(words: readonly string[], start: readonly string[]): boolean {
  return start.length > 0 && start.every((word, index) => words[index] === word)
}

const LEGAL_FORMS: ReadonlySet<string> = new Set(
  'inc incorporated llc ltd limited gmbh corp corporation co ag sa bv plc'.split(' '),
)

const GENERIC_WORDS: ReadonlySet<string> = new Set(
  'the api apis rest graphql platform platforms technologies services service web cloud developer developers'.split(
    ' ',
  ),
)

export const KNOWN_VENDORS: KnownVendors = createKnownVendors(VENDORS)
