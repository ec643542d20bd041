import { toCandidateNames } from '../matching/candidates.ts'
import { toEndpointUrl } from '../matching/endpoint-url.ts'
import type { Match, MatchQuery } from '../matching/match.ts'
import { redactUrlSecrets } from '../shared/url-secrets.ts'
import { AI_SERVICES, type AiServices } from '../vendors/ai-services.ts'
import { createHostVendors } from '../vendors/host-vendors.ts'
import { asBase, findCalledBases, type Judged } from './find/called-bases.ts'
import { type ChosenBases, joinEnvironments } from './find/environments.ts'
import { toOtherHosts } from './find/group-findings.ts'
import { type ScanTextOptions, scanText } from './find/scan-text.ts'
import { toUnresolvedCalls } from './find/unresolved-calls.ts'
import type { ClientRows } from './model/client-rows.ts'
import type { Candidate, FileScan } from './model/file-scan.ts'
import type { Finding, ProjectFindings, SourceFile } from './model/finding.ts'
import type { PackageFinding } from './model/packages.ts'
import { hasScheme, toText } from './model/pattern.ts'
import { isNoiseHost, isNoiseUrl, isPlaceholder } from './noise/noise.ts'
import { findFileRole } from './noise/path-roles.ts'
import { domainOf, hostOf, startsWithHost, withPathStart } from './noise/url-hosts.ts'
import { createOwnership } from './packages/own-packages.ts'
import { addModels, findReplacedBases, findSelectedProviders } from './resolve/ai-services.ts'
import { joinFiles } from './resolve/join-files.ts'

/** What the catalogue knows, asked for each URL. */
export interface ScanCatalogue {
  /** `Matcher.match`. */
  match(query: MatchQuery): Match | undefined
  /** The vendor that a host belongs to, before the built-in knowledge; see `createHostVendors`. */
  findVendor?(host: string): string | undefined
  /** AI services; the built-in ones by default. */
  readonly services?: AiServices | undefined
}

/** Joins scans of texts, in any order, to the findings of a project. */
export interface ProjectScan {
  /** Takes what `scanText` gave for one file; undefined counts as a file that was read. */
  add(scan: FileScan | undefined): void
  /** Counts a file that was left out. */
  skip(reason: string): void
  /** Resolves names over files, matches, sorts. Call once, at the end. */
  finish(): ProjectFindings
}

/** Begins a project's scan; its memory grows with what is found, not with the files. */
export function createProjectScan(
  catalogue: ScanCatalogue,
  clients: readonly ClientRows[] = [],
): ProjectScan {
  const scans: FileScan[] = []
  const skipped = new Map<string, number>()
  let files = 0
  return {
    add(scan) {
      files += 1
      if (scan) scans.push(scan)
    },
    skip(reason) {
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    },
    finish() {
      scans.sort((a, b) => compare(a.path, b.path))
      const joiner = joinFiles(scans)
      const ownership = createOwnership(scans)
      const isUsed = findUsedDomains(scans)
      const bases = joinEnvironments(scans.flatMap(({ environments = [] }) => environments))
      const byFile = new Map<string, Candidate[]>(scans.map(({ path }) => [path, []]))
      for (const scan of scans) {
        for (const one of joiner.candidatesOf(scan)) byFile.get(one.file ?? scan.path)?.push(one)
      }
      const candidates = scans.map(({ path }) => byFile.get(path) ?? [])
      const services = catalogue.services ?? AI_SERVICES
      const replaceBase = findReplacedBases(scans, joiner)
      const raw = scans.map((scan, at) => [
        ...(candidates[at] ?? []).flatMap((one) => toRaw(scan.path, one)),
        ...scan.findings.flatMap((found) =>
          ownership.owns(found) || !isUsed(found) ? [] : [toJudged(replaceBase(found), bases)],
        ),
        ...findSelectedProviders(scan, services).map((found) => toJudged(found, bases)),
      ])
      const called = findCalledBases(raw.flat())
      const unnamed = raw.map((uses) =>
        onePerPlace(uses.flatMap((one) => toFinding(asBase(one, called), catalogue))),
      )
      const found = addModels(unnamed, { scans, services })
      const findings = found.flat()
      return {
        files,
        skipped: Object.fromEntries([...skipped].sort(([a], [b]) => compare(a, b))),
        findings,
        ...toOtherHosts(findings),
        unresolved: scans.flatMap((scan, at) =>
          toUnresolvedCalls(scan, { candidates: candidates[at] ?? [], findings: found[at] ?? [] }),
        ),
        ...toUnresolvedWrappers(scans, { candidates, clients }),
      }
    },
  }
}

/**
 * Scans a project's files, one after the other, in this thread.
 *
 * @example
 * ```ts
 * import { openGrammars } from 'api-discovery/scanner'
 * import { createPackageTable, scanProject } from 'api-discovery/scans'
 *
 * const files = [{ path: 'index.js', text: "fetch('https://api.example.com/v1/items')" }]
 * const grammars = await openGrammars(['javascript'])
 * const scan = { files, catalogue, grammars, ...createPackageTable() }
 * const { findings } = await scanProject(scan)
 * ```
 */
export async function scanProject(
  given: ScanTextOptions & {
    readonly files: Iterable<SourceFile> | AsyncIterable<SourceFile>
    readonly catalogue: ScanCatalogue
  },
): Promise<ProjectFindings> {
  const scan = createProjectScan(given.catalogue, given.clients)
  for await (const file of given.files) scan.add(scanText(file, given))
  return scan.finish()
}

/** The wrappers of the project file that the scan cannot follow. */
function toUnresolvedWrappers(
  scans: readonly FileScan[],
  given: {
    readonly candidates: readonly (readonly Candidate[])[]
    readonly clients: readonly ClientRows[]
  },
): Pick<ProjectFindings, 'unresolvedWrappers'> {
  const resolved = given.candidates.flat().filter((one) => one.wrapper && toRaw('', one).length > 0)
  const wrappers = given.clients.flatMap(({ rows: row, isWrapper }) => {
    if (!isWrapper) return []
    const calls = scans.reduce((sum, { wrapperCalls }) => sum + (wrapperCalls?.get(row) ?? 0), 0)
    const unresolved = calls - resolved.filter(({ wrapper }) => wrapper === row).length
    return calls === 0 || unresolved > 0 ? [{ row, calls, unresolved }] : []
  })
  return wrappers.length === 0 ? {} : { unresolvedWrappers: wrappers }
}

/** Whether the project imports or depends on a library of a vendor, where a use says no more. */
function findUsedDomains(scans: readonly FileScan[]): (found: PackageFinding) => boolean {
  const toDomain = ({ url }: PackageFinding) => domainOf(hostOf(url) ?? url)
  const domains = new Set(
    scans.flatMap(({ findings }) =>
      findings.flatMap((one) => (one.package && !one.needsDependency ? [toDomain(one)] : [])),
    ),
  )
  return (found) => !found.needsDependency || domains.has(toDomain(found))
}

function toJudged(
  { import: _, needsDependency: __, ...finding }: PackageFinding,
  bases: ReadonlyMap<string, ChosenBases>,
): Judged {
  const chosen = finding.package === undefined ? undefined : bases.get(finding.url)
  if (!chosen) return { ...finding, needsCatalogue: false }
  const { url, alternatives } = chosen
  const more = alternatives.length === 0 ? {} : { alternatives }
  return { ...finding, url, ...more, needsCatalogue: false }
}

function toRaw(file: string, one: Candidate): readonly Judged[] {
  const url = withPathStart(toText(one.url).trim())
  if (!hasScheme(url) && !startsWithHost(url)) return []
  const method = one.method === undefined ? undefined : toText(one.method).toLowerCase()
  return [
    {
      file,
      line: one.line,
      column: one.column,
      url,
      method: method !== undefined && /^[a-z]{3,10}$/.test(method) ? method : undefined,
      via: one.via,
      confidence: one.confidence,
      package: undefined,
      needsCatalogue: one.needsCatalogue,
      needsCall: one.needsCall,
    },
  ]
}

const KNOWN_HOSTS = createHostVendors()

function toFinding(raw: Judged, catalogue: ScanCatalogue): readonly Finding[] {
  const { needsCatalogue, needsCall, ...rest } = raw
  const host = hostOf(raw.url)
  if (needsCall || host === undefined || isNoiseHost(raw.url)) return []
  // An API may be catalogued with the servers of another environment.
  const match = [raw.url, ...(raw.alternatives ?? [])].reduce<Match | undefined>(
    (found, url) => found ?? catalogue.match({ method: raw.method, url }),
    undefined,
  )
  if (!match && (needsCatalogue || isPlaceholder(raw.url))) return []
  if (!match && raw.via === 'literal' && isNoiseUrl(raw.url)) return []
  const isTest = findFileRole(raw.file) === 'test'
  // Recorded responses and other data of tests.
  if (!match && isTest && raw.via === 'config' && raw.file.endsWith('.json')) return []
  const confidence = isTest ? Math.min(rest.confidence, MAX_TEST_CONFIDENCE) : rest.confidence
  const domain = domainOf(host)
  const url = redactUrlSecrets(raw.url)
  const candidates = toCandidateNames(match)
  const kind = raw.kind ?? (catalogue.services ?? AI_SERVICES).findKind(host)
  return [
    {
      ...rest,
      url,
      endpointUrl: match ? toEndpointUrl(url, match) : toEndpointUrl(url.replace(WILDCARD_END, '')),
      confidence: match ? Math.max(confidence, 0.7) : confidence,
      host,
      domain,
      endpointId: match?.shortId,
      apiId: match?.apiId,
      apiName: match?.apiName,
      vendorName: match?.vendorName ?? catalogue.findVendor?.(host) ?? KNOWN_HOSTS.findVendor(host),
      ...(candidates && { candidates }),
      ...(kind && { kind }),
    },
  ]
}

/** `/*` at the end of a path, as in URL patterns of tests and proxies. */
const WILDCARD_END = /(?:\/\*{1,2})+\/?(?=$|[?#])/

/** Of findings in tests: their hosts may be made up. */
const MAX_TEST_CONFIDENCE = 0.6

/** In order of the text; of what says the same on one line the surer stays, calls first. */
function onePerPlace(findings: readonly Finding[]): readonly Finding[] {
  const kept = new Map<string, Finding>()
  const called = new Set(
    findings.filter(({ via }) => via === 'call').map(({ line, host }) => `${line} ${host}`),
  )
  for (const one of findings) {
    const place = `${one.line} ${one.host}`
    const isText = one.via === 'base' || one.via === 'literal'
    if (isText && called.has(place)) continue
    const key = `${place} ${one.url} ${one.method} ${one.package}`
    const known = kept.get(key)
    if (!known || known.confidence < one.confidence) kept.set(key, one)
  }
  return [...kept.values()].sort(
    (a, b) => a.line - b.line || a.column - b.column || compare(a.url, b.url),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
