import { ADDRESSES, type Finding, type FoundVia } from '../../code-scanner/model/finding.ts'
import { compareCodePoints } from '../../shared/text.ts'
import type { UsageLocation } from './uses.ts'

/** Least confidence of `high` and of `medium`. */
export const HIGH = 0.9
export const MEDIUM = 0.7

/** Evidence that explains a usage best, first. */
const LOCATION_ORDER: readonly FoundVia[] = [
  'call',
  'own-package',
  'base',
  'literal',
  'import',
  'config',
  'name',
  'model',
  'manifest',
]

/** Compares findings of a service: the best to look at first. */
export function compareEvidence(
  a: Finding,
  b: Finding,
  project: {
    readonly shared: ReadonlySet<string>
    /** Number of imports of the service by file: the client is where most of them are. */
    readonly imports: ReadonlyMap<string, number>
  },
): number {
  const { shared, imports } = project
  const countImports = ({ via, file }: Finding) => (via === 'import' ? (imports.get(file) ?? 0) : 0)
  return (
    toLocationRank(a, shared) - toLocationRank(b, shared) ||
    b.confidence - a.confidence ||
    Number(TYPES.test(a.file)) - Number(TYPES.test(b.file)) ||
    countImports(b) - countImports(a) ||
    Number(CLIENTS.test(b.file)) - Number(CLIENTS.test(a.file)) ||
    a.file.split('/').length - b.file.split('/').length ||
    compareCodePoints(a.file, b.file) ||
    a.line - b.line
  )
}

/** Files that declare types, errors, constants and settings, and call nothing. */
const TYPES =
  /(?:^|[/._-])(?:types?|errors?|exceptions?|constants?|config|d)\.\w+$|\.(?:ya?ml|json|toml|ini|xml|properties)$|(?:^|\/)\.env/i

/** Files that usually make the client of a service, which others import. */
const CLIENTS = /(?:^|[/._-])(?:index|client|__init__|mod)\.\w+$/i

/**
 * Ranks uncertain endpoints, and calls with several hosts, after other evidence; URLs that may be
 * links for people, after imports.
 */
function toLocationRank(finding: Finding, shared: ReadonlySet<string>): number {
  const { via, confidence } = finding
  if (confidence >= MEDIUM && confidence < HIGH && (via === 'base' || via === 'literal')) {
    return LOCATION_ORDER.indexOf('import') + 0.5
  }
  const isUncertain = confidence < MEDIUM || shared.has(toLocationKey(finding))
  return (
    LOCATION_ORDER.indexOf(via) + (ADDRESSES.has(via) && isUncertain ? LOCATION_ORDER.length : 0)
  )
}

/** Finds calls with several hosts, in functions that others call: they explain none of the hosts. */
export function findSharedCalls(findings: readonly Finding[]): ReadonlySet<string> {
  const hosts = new Map<string, string>()
  const shared = new Set<string>()
  for (const finding of findings) {
    const key = toLocationKey(finding)
    const known = hosts.get(key)
    if (known !== undefined && known !== finding.host) shared.add(key)
    hosts.set(key, finding.host)
  }
  return shared
}

/** Identifies a location. */
export function toLocationKey({ file, line, column }: UsageLocation): string {
  return `${line}:${column} ${file}`
}
