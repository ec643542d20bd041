import {
  isApiRole,
  listServices,
  type ProjectFindings,
  type UnresolvedCall,
} from '../../core/scans/index.ts'
import { formatCount, type Io, toPrintable } from './io.ts'

/** Maximum number of printed wrappers, of files with unresolved calls, and of unread files. */
const MAX_PRINTED_WRAPPERS = 5
const MAX_PRINTED_FILES = 3
const MAX_PRINTED_UNREAD = 5

/** Prints totals in one line, and advice if nothing was found. */
export function printScanSummary(
  io: Io,
  summary: {
    readonly found: ProjectFindings
    readonly seconds: number
    /** Whether to explain uncatalogued hosts and how to match them to APIs. */
    readonly hasHint: boolean
  },
): void {
  const { found, seconds, hasHint } = summary
  const { files, skipped, findings, unmatched, unresolved, unresolvedWrappers } = found
  const services = listServices(findings).filter(({ role }) => isApiRole(role))
  const usages = services.reduce((sum, { locations }) => sum + locations, 0)
  const reasons = Object.entries(skipped).map(([reason, number]) => `${number} ${reason}`)
  const left = reasons.length > 0 ? `, skipped: ${reasons.join(', ')}` : ''
  io.note(
    `${formatCount(services.length, 'service')}, ${formatCount(usages, 'usage')}; ${formatCount(files, 'file')} read${left}; ${seconds.toFixed(1)} s.`,
  )
  listUnreadFiles(io, found)
  for (const { via, vendorName, host, file, line } of findings) {
    if (via !== 'own-package') continue
    io.note(`This project implements the client of ${vendorName ?? host}: ${file}:${line}.`)
  }
  explainUnresolvedCalls(io, unresolved)
  for (const { row, calls, unresolved } of (unresolvedWrappers ?? []).slice(
    0,
    MAX_PRINTED_WRAPPERS,
  )) {
    const reason =
      calls === 0
        ? 'no call found'
        : `${unresolved} of ${formatCount(calls, 'call')} without a known host`
    io.note(`Wrapper ${toPrintable(row)} of the project file: ${reason}.`)
  }
  if (files === 0) {
    io.note(`No file was read: ${explainUnreadFiles(skipped)}.`)
  } else if (services.length === 0) {
    io.note('No usages of third-party APIs were found.')
  } else if (hasHint && unmatched.length > 0) {
    io.note('Not catalogued: the catalogue has no description of the API. To match endpoints')
    io.note('and terms, import one: api-discovery import FILE --create-vendors')
  }
}

/** Names the first files and folders that could not be read or scanned. */
function listUnreadFiles(io: Io, { unread = [], skipped }: ProjectFindings): void {
  for (const [reason, label] of UNREAD_LABELS) {
    const paths = unread.filter((file) => file.reason === reason).map(({ path }) => path)
    if (paths.length === 0) continue
    const shown = paths.slice(0, MAX_PRINTED_UNREAD)
    const more = (skipped[reason] ?? 0) - shown.length
    io.note(toPrintable(`${label}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`))
  }
}

const UNREAD_LABELS = [
  ['unreadable', 'Cannot read'],
  ['failed', 'Scan crashed or took too long'],
] as const

/** Explains calls with unknown hosts, with the files that contain most of them. */
function explainUnresolvedCalls(io: Io, unresolved: ProjectFindings['unresolved']): void {
  if (unresolved.length === 0) return
  const byFile = new Map<string, UnresolvedCall[]>()
  for (const call of unresolved) {
    byFile.set(call.file, [...(byFile.get(call.file) ?? []), call])
  }
  const files = [...byFile.values()].sort((a, b) => b.length - a.length)
  const calls = formatCount(unresolved.length, 'call')
  const are =
    files.length > MAX_PRINTED_FILES
      ? 'Most of them are'
      : unresolved.length === 1
        ? 'It is'
        : 'They are'
  io.note(`Not listed: ${calls} whose host is not in the code, only a path. ${are} in:`)
  for (const [first, ...others] of files.slice(0, MAX_PRINTED_FILES)) {
    if (!first) continue
    const more = others.length > 0 ? ` and ${formatCount(others.length, 'more call')}` : ''
    io.note(`  ${toPrintable(`${first.file}:${first.line} ${first.url}`)}${more}`)
  }
  for (const line of UNRESOLVED_ADVICE) io.note(line)
}

const UNRESOLVED_ADVICE = [
  'If they call a third party, add the function and its base URL to "wrappers" in',
  '.api-discovery.yaml: see "Describe your own code" in',
  'docs/guides/scan-project-details.md. --json lists all of them; {} in "url" replaces',
  'unknown parts, such as the host.',
] as const

/** Explains why no file was read, and how to include the skipped files. */
function explainUnreadFiles(skipped: ProjectFindings['skipped']): string {
  const told = Object.entries(skipped)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, number]) => SKIP_EXPLANATIONS.get(reason) ?? `${number} ${reason}`)
  return told.length > 0 ? told.join('; ') : 'the folder is empty'
}

const SKIP_EXPLANATIONS: ReadonlyMap<string, string> = new Map([
  ['ignored', 'files ignored by git are skipped; use --no-ignore to read them'],
  ['excluded', 'no file matches --include, or --exclude matches'],
  ['vendored', 'vendored folders are skipped unless --include names them'],
  ['generated', 'generated files are skipped unless --include names them'],
  ['unsupported', 'some file types are not supported'],
  ['link', 'links are not followed'],
])
