import { toCandidateNames } from '../../matching/candidates.ts'
import { toEndpointUrl } from '../../matching/endpoint-url.ts'
import type { Match, MatchQuery } from '../../matching/match.ts'
import { compareCodePoints } from '../../shared/text.ts'
import { redactUrlSecrets } from '../../shared/url-secrets.ts'
import { AI_SERVICES, type AiServices } from '../../vendors/ai-services.ts'
import { createHostVendors } from '../../vendors/host-vendors.ts'
import { isDownload } from '../model/downloads.ts'
import type { Candidate } from '../model/file-scan.ts'
import { ADDRESSES, type Finding, type RawFinding } from '../model/finding.ts'
import { hasScheme, toText, UNKNOWN } from '../model/pattern.ts'
import { isNoiseHost, isNoiseUrl, isPlaceholder } from '../noise/noise.ts'
import { findFileRole, isTestPath } from '../noise/path-roles.ts'
import {
  domainOf,
  hostOf,
  startsWithHost,
  withoutQuery,
  withoutScheme,
  withPathStart,
} from '../noise/url-hosts.ts'
import { toMethod } from './unresolved-calls.ts'

/** Knowledge of a catalogue for findings. */
export interface ScanCatalogue {
  /** `Matcher.match`. */
  match(query: MatchQuery): Match | undefined
  /** Finds the vendor of a host, before the built-in knowledge; see `createHostVendors`. */
  findVendor?(host: string): string | undefined
  /** AI services; the built-in ones by default. */
  readonly services?: AiServices | undefined
}

/** A finding that calls or the catalogue may have to confirm. */
export interface UnconfirmedFinding extends RawFinding, Pick<Candidate, 'isWrapped'> {
  readonly needsCatalogue?: boolean | undefined
  readonly needsCall?: boolean | undefined
}

/** Converts a candidate with resolved references; empty if its host is unknown. */
export function toUnconfirmed(file: string, candidate: Candidate): readonly UnconfirmedFinding[] {
  const { line, column, via, confidence, needsCatalogue, needsCall, dependencyRole } = candidate
  const text = withPathStart(toText(candidate.url).trim())
  const isKnown = hasScheme(text) || startsWithHost(text)
  const url = isKnown ? text : belowVendor(text, candidate.vendorBase)
  if (url === undefined) return []
  const method = toMethod(candidate.method)
  const { isWrapped } = candidate
  const needs = {
    needsCatalogue,
    needsCall,
    ...(isWrapped && { isWrapped }),
    ...(dependencyRole && { dependencyRole }),
  }
  return [
    {
      file,
      line,
      column,
      url,
      method,
      via: isKnown ? via : 'name',
      confidence: isKnown ? confidence : VENDOR_CONFIDENCE,
      package: undefined,
      ...needs,
    },
  ]
}

/**
 * Returns the URL of a call below the vendor that the caller is named after, else the vendor's base:
 * a path is kept only if it begins with that of the base, as those of the vendor do.
 */
function belowVendor(text: string, base: string | undefined): string | undefined {
  if (base === undefined || !text.startsWith(UNKNOWN)) return undefined
  const path = text.slice(UNKNOWN.length)
  const [origin = base] = /^\w+:\/\/[^/]+/.exec(base) ?? []
  const basePath = base.slice(origin.length)
  return path.startsWith('/') && path.startsWith(basePath) ? `${origin}${path}` : base
}

/** Confidence of a call whose vendor is known by a name only. */
const VENDOR_CONFIDENCE = 0.5

/**
 * Confirms the findings of files, by calls that build on them and by the catalogue. Returns those
 * of each file in order of the text.
 */
export function confirmFindings(
  files: readonly (readonly UnconfirmedFinding[])[],
  catalogue: ScanCatalogue,
): readonly (readonly Finding[])[] {
  const called = findCalledBases(files.flat())
  return files.map((findings) => {
    const bases = removeWrapped(findings).map((finding) => toCalledBase(finding, called))
    return removeExplained(removeRepeated(bases.flatMap((finding) => confirm(finding, catalogue))))
  })
}

/** Removes calls of wrappers that equal the wrapper's own request in the same file. */
function removeWrapped(findings: readonly UnconfirmedFinding[]): readonly UnconfirmedFinding[] {
  const toRequest = ({ method, url }: UnconfirmedFinding) => `${method} ${url}`
  const own = new Set(
    findings.flatMap((found) => (found.via === 'call' && !found.isWrapped ? toRequest(found) : [])),
  )
  return findings.filter((found) => !found.isWrapped || !own.has(toRequest(found)))
}

/** Finds unconfirmed URLs that are prefixes of calls, and hosts of calls and bases. */
function findCalledBases(findings: readonly UnconfirmedFinding[]): ReadonlySet<string> {
  const open = findings.flatMap(({ needsCatalogue, url }) => (needsCatalogue ? [url] : []))
  const urls = new Set(open.filter(hasScheme).map((url) => toBase(withoutQuery(url))))
  const hosts = new Set(open.filter((url) => !hasScheme(url)).map(toBase))
  const bases = new Set<string>()
  for (const { via, url, needsCatalogue } of open.length > 0 ? findings : []) {
    if (needsCatalogue || (via !== 'call' && via !== 'base') || !hasScheme(url)) continue
    // The page of a repository is no base of its archives.
    if (isDownload(url)) continue
    const parts = toBase(withoutQuery(url)).split('/')
    for (let size = 1; size <= Math.min(parts.length, MAX_SEGMENTS); size += 1) {
      const base = parts.slice(0, size).join('/')
      if (hosts.has(base) || (via === 'call' && urls.has(base))) bases.add(base)
    }
  }
  return bases
}

/** Maximum number of segments of a base, including the host. */
const MAX_SEGMENTS = 6

/** Converts an unconfirmed URL to a base if calls of other files build on it. */
function toCalledBase(
  finding: UnconfirmedFinding,
  called: ReadonlySet<string>,
): UnconfirmedFinding {
  const isCalled = finding.needsCatalogue && called.has(toBase(withoutQuery(finding.url)))
  if (!isCalled || isTestPath(finding.file)) return finding
  return { ...finding, via: 'base', confidence: 0.8, needsCatalogue: false, needsCall: false }
}

/** A URL without scheme and trailing slashes. */
function toBase(url: string): string {
  return url.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '')
}

const KNOWN_HOSTS = createHostVendors()

function confirm(raw: UnconfirmedFinding, catalogue: ScanCatalogue): readonly Finding[] {
  const { needsCatalogue, needsCall, isWrapped: _, ...rest } = raw
  const host = hostOf(raw.url)
  if (needsCall || host === undefined || isNoiseHost(raw.url)) return []
  const match = findMatch(raw, catalogue)
  const isCode = raw.package === undefined
  const isTest = findFileRole(raw.file) === 'test' || (isCode && raw.dependencyRole === 'test')
  if (!match && (needsCatalogue || isNoiseFinding(raw, isTest))) return []
  const limit = isTest ? Math.min(rest.confidence, MAX_TEST_CONFIDENCE) : rest.confidence
  const url = redactUrlSecrets(withScheme(raw))
  const candidates = toCandidateNames(match)
  const kind = raw.kind ?? (catalogue.services ?? AI_SERVICES).findKind(host)
  const vendorName =
    match?.vendorName ?? catalogue.findVendor?.(host) ?? KNOWN_HOSTS.findVendor(host)
  return [
    {
      ...{ ...rest, url, host, domain: domainOf(host), vendorName },
      endpointUrl: match ? toEndpointUrl(url, match) : toEndpointUrl(url.replace(WILDCARD_END, '')),
      confidence: match ? Math.max(limit, MIN_MATCHED_CONFIDENCE) : limit,
      ...{ endpointId: match?.shortId, apiId: match?.apiId, apiName: match?.apiName },
      ...(candidates && { candidates }),
      ...(kind && { kind }),
    },
  ]
}

/** Adds the scheme to hosts without one that clients of HTTP call, or that are named like APIs. */
function withScheme({ url, via }: RawFinding): string {
  const isOther = hasScheme(url) || OTHER_PORT.test(url) || !(via === 'call' || API_HOST.test(url))
  return isOther ? url : `https://${withoutScheme(url)}`
}

const OTHER_PORT = /^[^/?#:]{0,200}:(?!(?:80|443|8443)(?!\d))/

const API_HOST =
  /^(?:\/\/)?(?:[^/?#:]{0,200}[.-])?(?:\w{0,20}apis?|rest|graphql|s3|(?:web)?hooks?)\d{0,2}[.-]/i

/** Matches the URL, else that of another environment: an API may be catalogued with either. */
function findMatch(raw: UnconfirmedFinding, catalogue: ScanCatalogue): Match | undefined {
  for (const url of [raw.url, ...(raw.alternatives ?? [])]) {
    const match = catalogue.match({ method: raw.method, url })
    if (match) return match
  }
  return undefined
}

function isNoiseFinding({ via, url, file }: UnconfirmedFinding, isTest: boolean): boolean {
  if (isPlaceholder(url) || (via === 'literal' && isNoiseUrl(url))) return true
  // Recorded responses and other test data.
  return isTest && via === 'config' && file.endsWith('.json')
}

/** `/*` at the end of a path, as in URL patterns of tests and proxies. */
const WILDCARD_END = /(?:\/\*{1,2})+\/?(?=$|[?#])/

/** Hosts in tests may be made up. */
const MAX_TEST_CONFIDENCE = 0.6
const MIN_MATCHED_CONFIDENCE = 0.7

/** Removes calls that are named after a vendor whose address the file has, too. */
function removeExplained(findings: readonly Finding[]): readonly Finding[] {
  const toOwner = ({ vendorName, domain }: Finding) => vendorName ?? domain
  const explained = new Set(
    findings.flatMap((found) => (ADDRESSES.has(found.via) ? toOwner(found) : [])),
  )
  return findings.filter((found) => found.via !== 'name' || !explained.has(toOwner(found)))
}

/** Removes repeated findings of a line: calls win over literals, then the highest confidence. */
function removeRepeated(findings: readonly Finding[]): readonly Finding[] {
  const unique = new Map<string, Finding>()
  const toPlace = ({ line, host }: Finding) => `${line} ${host}`
  const called = new Set(findings.filter(({ via }) => via === 'call').map(toPlace))
  for (const finding of findings) {
    const { via, url, method, confidence } = finding
    const place = toPlace(finding)
    if ((via === 'base' || via === 'literal') && called.has(place)) continue
    const key = `${place} ${url} ${method} ${finding.package}`
    if ((unique.get(key)?.confidence ?? -1) < confidence) unique.set(key, finding)
  }
  return [...unique.values()].sort(
    (a, b) => a.line - b.line || a.column - b.column || compareCodePoints(a.url, b.url),
  )
}
