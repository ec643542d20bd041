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
  const getHosts = once(() => indexHosts(rows))
  const getNames = once(() => indexNames(rows))
  const getDomainsByName = once(() => {
    const entries = [...getHosts().byEnding.values()].flat()
    return groupByName(indexDomains(entries.sort((a, b) => a.at - b.at)))
  })
  const byEnding = new Map<string, ReadonlyMap<string, string | undefined>>()

  /** Parses only the hosts that end like the domain, because parsing all of them takes long. */
  function findByDomain(domain: string): string | undefined {
    const ending = endingOf(domain)
    const entries = getHosts().byEnding.get(ending)
    if (!entries) return undefined
    const domains = byEnding.get(ending) ?? indexDomains(entries)
    byEnding.set(ending, domains)
    return domains.get(domain)
  }

  function findBySuffix(host: string): KnownVendor | undefined {
    for (let dot = host.indexOf('.'); dot > 0; dot = host.indexOf('.', dot + 1)) {
      const suffix = host.slice(dot + 1)
      const name = getHosts().suffixes.get(suffix)
      if (name !== undefined) return { name, by: isPublicSuffix(suffix) ? 'tenant' : 'host' }
    }
    return undefined
  }

  function findByHost(text: string): KnownVendor | undefined {
    const host = replaceUnknownLabels(text)
    const name = getHosts().exact.get(host)
    if (name !== undefined) return { name, by: 'host' }
    if (CUSTOMER_HOST.test(host)) return undefined
    const found = findBySuffix(host)
    if (found) return found
    const { domain } = parse(host)
    const ofDomain = domain === null ? undefined : findByDomain(domain)
    return ofDomain === undefined ? undefined : { name: ofDomain, by: 'domain' }
  }

  return {
    findByHost,
    findByName: (name) =>
      getNames().get(toNameKey(name)) ??
      (isDomainName(name) ? findByHost(name.trim().toLowerCase())?.name : undefined),
    listDomains: (name) => getDomainsByName().get(foldName(name)) ?? [],
  }
}

/** Hosts of the rows, indexed. */
interface HostIndex {
  readonly exact: ReadonlyMap<string, string>
  /** By the part after an unknown first label. */
  readonly suffixes: ReadonlyMap<string, string>
  /** By the last two labels. */
  readonly byEnding: ReadonlyMap<string, readonly HostEntry[]>
}

interface HostEntry {
  readonly host: string
  readonly vendor: string
  /** Position among all hosts. */
  readonly at: number
}

function indexHosts(rows: readonly KnownHosts[]): HostIndex {
  const exact = new Map<string, string>()
  const suffixes = new Map<string, string>()
  const byEnding = new Map<string, HostEntry[]>()
  let at = 0
  for (const { vendor, url, hosts = [] } of rows) {
    for (const name of [/^[a-z+]+:\/\/([^/?#:]+)/i.exec(url)?.[1] ?? '', ...hosts]) {
      const host = name.toLowerCase()
      const suffix = findOpenSuffix(host)
      if (suffix !== undefined) setIfAbsent(suffixes, suffix, vendor)
      else if (!host.includes('{')) setIfAbsent(exact, host, vendor)
      const ending = endingOf(replaceUnknownLabels(host))
      const known = byEnding.get(ending)
      const entry = { host, vendor, at: at++ }
      if (known) known.push(entry)
      else byEnding.set(ending, [entry])
    }
  }
  return { exact, suffixes, byEnding }
}

function indexNames(rows: readonly KnownHosts[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { vendor } of rows) setIfAbsent(names, toNameKey(vendor), vendor)
  return names
}

/** Indexes registrable domains; the vendor is undefined if several share one. */
function indexDomains(entries: readonly HostEntry[]): ReadonlyMap<string, string | undefined> {
  const domains = new Map<string, string | undefined>()
  for (const { host, vendor } of entries) {
    const { domain } = parse(replaceUnknownLabels(host))
    if (domain === null || SHARED_BY_VENDORS.has(domain) || isInstitutionDomain(domain)) continue
    // The host of one customer of a CDN or cloud: `d111111abcdef8.cloudfront.net`.
    if (findOpenSuffix(host) === undefined && findOwnDomain(host) !== domain) continue
    const known = domains.has(domain) ? domains.get(domain) : vendor
    domains.set(domain, known === vendor ? vendor : undefined)
  }
  return domains
}

/** `myshopify.com` of `{shop}.myshopify.com`. */
function findOpenSuffix(host: string): string | undefined {
  return host.startsWith('{') ? /^\{[^{}]*\}\.([^{}]+)$/.exec(host)?.[1] : undefined
}

/** Returns the last two labels of a host. */
function endingOf(host: string): string {
  const dot = host.lastIndexOf('.')
  return dot < 0 ? host : host.slice(host.lastIndexOf('.', dot - 1) + 1)
}

/** Computes a value when it is first needed. */
function once<Value>(compute: () => Value): () => Value {
  let value: { readonly of: Value } | undefined
  return () => {
    value ??= { of: compute() }
    return value.of
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
  'baidu.com',
  'copernicus.eu',
  'elavon.com',
  'equinix.com',
  'europa.eu',
  'gamespot.com',
  'gradle.org',
  'hashicorp.com',
  'ibmcloud.com',
  'mozilla.org',
  'mtn.com',
  'nasdaq.com',
  'progress.cloud',
  'qq.com',
  'safaricom.co.ke',
  'sberbank.ru',
  'tencent.com',
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
