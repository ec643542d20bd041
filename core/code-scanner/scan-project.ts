import { compareCodePoints } from '../shared/text.ts'
import { AI_SERVICES } from '../vendors/ai-services.ts'
import { createHostChooser } from './find/choose-hosts.ts'
import {
  confirmFindings,
  type ScanCatalogue,
  toUnconfirmed,
  type UnconfirmedFinding,
} from './find/confirm-findings.ts'
import { type ChosenBases, joinEnvironments } from './find/environments.ts'
import { toOtherHosts } from './find/group-findings.ts'
import { type ScanTextOptions, scanText } from './find/scan-text.ts'
import { createUseTest } from './find/select-used.ts'
import { toUnresolvedCalls } from './find/unresolved-calls.ts'
import type { ClientRows } from './model/client-rows.ts'
import type { Candidate, FileScan } from './model/file-scan.ts'
import {
  ADDRESSES,
  type Finding,
  type ProjectFindings,
  type SourceFile,
  type UnreadFile,
  type WrapperCalls,
} from './model/finding.ts'
import type { PackageFinding } from './model/packages.ts'
import { createLoginResolver } from './packages/logins.ts'
import { addOwnClients } from './packages/own-clients.ts'
import { createOwnHostTest, isOwnSite } from './packages/own-hosts.ts'
import { createOwnership } from './packages/own-packages.ts'
import { addModels, findReplacedBases, findSelectedProviders } from './resolve/ai-services.ts'
import { type FileJoiner, joinFiles } from './resolve/join-files.ts'

/** Joins scans of files, in any order, to the findings of a project. */
export interface ProjectScan {
  /** Adds the result of `scanText` for one file; undefined counts as a read file. */
  add(scan: FileScan | undefined): void
  /** Counts a skipped file. */
  skip(reason: string): void
  /** Counts a file or folder that could not be read or scanned, and stores its path. */
  skipUnread(file: UnreadFile): void
  /** Resolves names across files, matches URLs and sorts findings. Call once, at the end. */
  finish(): ProjectFindings
}

/** Maximum number of stored paths of one reason. */
const MAX_UNREAD = 20

/** Stores the first paths of each reason, in any order of arrival. */
function createUnreadList() {
  const byReason: Record<UnreadFile['reason'], UnreadFile[]> = { unreadable: [], failed: [] }
  return {
    add(file: UnreadFile): void {
      const files = byReason[file.reason]
      files.push(file)
      files.sort((a, b) => compareCodePoints(a.path, b.path))
      if (files.length > MAX_UNREAD) files.pop()
    },
    toField(): Pick<ProjectFindings, 'unread'> {
      const unread = Object.values(byReason).flat()
      return unread.length > 0 ? { unread } : {}
    },
  }
}

/** Starts the scan of a project; its memory grows with the findings, not with the files. */
export function createProjectScan(
  catalogue: ScanCatalogue,
  clients: readonly ClientRows[] = [],
  ownHosts: readonly string[] = [],
): ProjectScan {
  const scans: FileScan[] = []
  const skipped = new Map<string, number>()
  const unread = createUnreadList()
  let files = 0
  const skip = (reason: string): void => {
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
  }
  return {
    skip,
    skipUnread(file) {
      skip(file.reason)
      unread.add(file)
    },
    add(scan) {
      files += 1
      if (scan) scans.push(scan)
    },
    finish() {
      scans.sort((a, b) => compareCodePoints(a.path, b.path))
      const services = catalogue.services ?? AI_SERVICES
      const joiner = joinFiles(scans)
      const candidates = listCandidates(scans, joiner)
      const called = scans.map(({ path }, at) =>
        (candidates[at] ?? []).flatMap((candidate) => toUnconfirmed(path, candidate)),
      )
      const isUsed = createUseTest(scans, called)
      const listPackages = createPackageLister(scans, { joiner, isUsed, called: called.flat() })
      const hosts = new Set(scans.flatMap(({ ownHosts = [] }) => ownHosts))
      const generators = new Set(scans.flatMap(({ generators: all = [] }) => all))
      const raw = scans.map((scan, at) => {
        const folder = scan.path.slice(0, scan.path.lastIndexOf('/'))
        const isGenerator = generators.has(scan.path) || generators.has(folder)
        const other = isGenerator ? ('build' as const) : undefined
        const dependencyRole = scan.isTest ? ('test' as const) : other
        return [
          ...(called[at] ?? []).filter(isUsed),
          ...listPackages([...scan.findings], [...findSelectedProviders(scan, services)]),
        ]
          .map((found) => (isOwnSite(found, hosts) ? { ...found, needsCatalogue: true } : found))
          .map((found) => (dependencyRole ? { ...found, dependencyRole } : found))
      })
      const confirmed = confirmFindings(addOwnClients(scans, raw), catalogue)
      const libraries = new Set(
        confirmed.flat().flatMap((found) => (found.package ? found.vendorName : [])),
      )
      const isOwnHost = createOwnHostTest(scans, ownHosts, libraries)
      const byFile = addModels(confirmed, { scans, services }).map((found) =>
        found.map((each) =>
          isOwn(each, isOwnHost) ? { ...each, isOwnHost: true as const } : each,
        ),
      )
      const findings = byFile.flat()
      const unresolvedWrappers = findUnresolvedWrappers(scans, { candidates, clients })
      return {
        files,
        skipped: Object.fromEntries([...skipped].sort(([a], [b]) => compareCodePoints(a, b))),
        ...unread.toField(),
        findings,
        ...toOtherHosts(findings),
        unresolved: scans.flatMap((scan, at) =>
          toUnresolvedCalls(scan, { candidates: candidates[at] ?? [], findings: byFile[at] ?? [] }),
        ),
        ...(unresolvedWrappers.length > 0 && { unresolvedWrappers }),
      }
    },
  }
}

/**
 * Scans the files of a project sequentially in this thread.
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
  options: ScanTextOptions & {
    readonly files: Iterable<SourceFile> | AsyncIterable<SourceFile>
    readonly catalogue: ScanCatalogue
  },
): Promise<ProjectFindings> {
  const scan = createProjectScan(options.catalogue, options.clients)
  for await (const file of options.files) scan.add(scanText(file, options))
  return scan.finish()
}

/**
 * Whether the host of a call or a library is the project's own. APIs of the catalogue never are.
 * Findings of type `own-package` have a list of their own.
 */
function isOwn(found: Finding, isOwnHost: (host: string) => boolean): boolean {
  if (found.apiId !== undefined || found.candidates || found.via === 'own-package') return false
  return isOwnHost(found.host)
}

/** Resolves the candidates of each file; a candidate may belong to another file than its call. */
function listCandidates(
  scans: readonly FileScan[],
  joiner: FileJoiner,
): readonly (readonly Candidate[])[] {
  const byFile = new Map<string, Candidate[]>(scans.map(({ path }) => [path, []]))
  for (const scan of scans) {
    for (const candidate of joiner.candidatesOf(scan)) {
      byFile.get(candidate.file ?? scan.path)?.push(candidate)
    }
  }
  return scans.map(({ path }) => byFile.get(path) ?? [])
}

/** Creates a function that selects vendors' libraries and the environments that they call. */
function createPackageLister(
  scans: readonly FileScan[],
  {
    joiner,
    isUsed,
    called,
  }: {
    readonly joiner: FileJoiner
    readonly isUsed: (found: PackageFinding) => boolean
    readonly called: readonly UnconfirmedFinding[]
  },
) {
  const stated = scans.flatMap(({ findings }) => findings)
  const addresses = stated.filter(({ via, isDefault }) => via === 'config' && !isDefault)
  const chooseHost = createHostChooser([
    ...called.filter(({ via }) => ADDRESSES.has(via)),
    ...addresses,
  ])
  const resolveLogin = createLoginResolver(stated)
  const ownership = createOwnership(scans)
  const bases = joinEnvironments(scans.flatMap(({ environments = [] }) => environments))
  const replaceBase = findReplacedBases(scans, joiner)
  const resolveAlias = createAliasResolver(scans)
  return (libraries: readonly PackageFinding[], providers: readonly PackageFinding[]) => {
    const named = addScriptRoles(libraries).flatMap(resolveAlias).map(resolveLogin)
    const used = named.filter((found) => !ownership.owns(found) && isUsed(found))
    return [...used.map(replaceBase), ...providers].map((found) => {
      const chosen = chooseBase(found, bases)
      const isOpen = chosen.url === found.url && (found.package ?? found.isDefault)
      return isOpen ? { ...chosen, url: chooseHost(found.url) } : chosen
    })
  }
}

/**
 * Adds the role of development dependencies to the commands of the same manifest that run them, such
 * as scripts of npm.
 */
function addScriptRoles(libraries: readonly PackageFinding[]): readonly PackageFinding[] {
  const declared = libraries.filter(({ via }) => via === 'manifest')
  return libraries.map((found) => {
    if (found.import?.family !== 'shell') return found
    const [first, ...others] = declared.filter(({ url }) => url === found.url)
    const role = first?.dependencyRole
    const isShared = others.some(({ dependencyRole }) => dependencyRole !== role)
    return role === undefined || isShared ? found : { ...found, dependencyRole: role }
  })
}

/**
 * Resolves names of dependencies that another build file declares. If only builds and tests use a
 * declared dependency, it has their role.
 */
function createAliasResolver(scans: readonly FileScan[]) {
  const declared = new Map<string, PackageFinding>()
  const roles = new Map<string, Set<PackageFinding['dependencyRole']>>()
  for (const found of scans.flatMap(({ findings }) => findings)) {
    if (found.alias === undefined) continue
    if (found.package) declared.set(found.alias, found)
    else roles.set(found.alias, (roles.get(found.alias) ?? new Set()).add(found.dependencyRole))
  }
  return (found: PackageFinding): readonly PackageFinding[] => {
    if (found.alias === undefined) return [found]
    if (found.package) {
      const used = roles.get(found.alias)
      if (!used || used.has(undefined)) return [found]
      return [{ ...found, dependencyRole: used.has('build') ? 'build' : 'test' }]
    }
    const library = declared.get(found.alias)
    return library ? [{ ...found, url: library.url, package: library.package }] : []
  }
}

function chooseBase(
  { import: _, needsDependency: __, alias: ___, isDefault: ____, ...finding }: PackageFinding,
  bases: ReadonlyMap<string, ChosenBases>,
): UnconfirmedFinding {
  const chosen = finding.package === undefined ? undefined : bases.get(finding.url)
  if (!chosen) return finding
  const { url, alternatives } = chosen
  return { ...finding, url, ...(alternatives.length > 0 && { alternatives }) }
}

/** Finds wrappers of the project file without calls, or with calls of unknown hosts. */
function findUnresolvedWrappers(
  scans: readonly FileScan[],
  {
    candidates,
    clients,
  }: {
    readonly candidates: readonly (readonly Candidate[])[]
    readonly clients: readonly ClientRows[]
  },
): readonly WrapperCalls[] {
  const resolved = candidates
    .flat()
    .filter((candidate) => candidate.wrapper && toUnconfirmed('', candidate).length > 0)
  return clients.flatMap(({ rows: row, isWrapper }) => {
    if (!isWrapper) return []
    const calls = scans.reduce((sum, { wrapperCalls }) => sum + (wrapperCalls?.get(row) ?? 0), 0)
    const unresolved = calls - resolved.filter(({ wrapper }) => wrapper === row).length
    return calls === 0 || unresolved > 0 ? [{ row, calls, unresolved }] : []
  })
}
