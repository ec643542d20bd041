import { relative } from 'node:path'
import type { Imported } from '../../core/catalogue/index.ts'
import { formatCount, formatTable, type Io } from './io.ts'

/** Maximum number of printed warnings and APIs; `--json` prints all. */
const MAX_PRINTED_ENTRIES = 20

/** Outcome of one `import`. */
export interface ImportSummary {
  readonly files: number
  readonly imported: number
  readonly operations: number
  readonly webhooks: number
  readonly callbacks: number
  /** `added` to `skipped` count operations, webhooks and callbacks. */
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
  readonly skipped: number
  /** Distinct imported APIs. */
  readonly apis: readonly {
    /** `encrypted_id`. */
    readonly api_id: string
    readonly api_name: string
    readonly vendor: string
    /** The last file that the API was imported from. */
    readonly file: string
  }[]
  readonly warnings: readonly {
    readonly file: string
    readonly pointer: string
    readonly message: string
  }[]
  /** Files that a later file of the same API (vendor, title, major version) replaced. */
  readonly replaced: readonly { readonly file: string; readonly by: string; readonly api: string }[]
  /** Operations that these replacements removed; part of `removed`. */
  readonly removed_by_replacement: number
  /** Files that changed nothing: an earlier file of the same API has the same operations. */
  readonly repeated: readonly { readonly file: string; readonly of: string }[]
  readonly failures: readonly {
    readonly file: string
    readonly reason: string
    /** Name of the vendor, if the import failed because it is not in the catalogue. */
    readonly unknown_vendor?: string
  }[]
}

/** Collects a summary file by file. */
export interface ImportTally {
  succeed(file: string, imported: Imported): void
  fail(failure: ImportSummary['failures'][number]): void
  summary(): ImportSummary
}

const COUNT_NAMES = [
  'operations',
  'webhooks',
  'callbacks',
  'added',
  'changed',
  'removed',
  'unchanged',
  'skipped',
] as const

/** Creates an empty tally for a number of files. */
export function createImportTally(files: number): ImportTally {
  const counts = {
    operations: 0,
    webhooks: 0,
    callbacks: 0,
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: 0,
    skipped: 0,
  }
  const fileOfApi = new Map<string, string>()
  const apis = new Map<string, ImportSummary['apis'][number]>()
  const warnings: ImportSummary['warnings'][number][] = []
  const replaced: ImportSummary['replaced'][number][] = []
  const repeated: ImportSummary['repeated'][number][] = []
  const failures: ImportSummary['failures'][number][] = []
  let imported = 0
  let removedByReplacement = 0
  return {
    succeed(file, { apiId, apiName, vendorName, report }) {
      imported += 1
      for (const name of COUNT_NAMES) counts[name] += report[name]
      for (const warning of report.warnings) warnings.push({ file, ...warning })
      const before = fileOfApi.get(apiId)
      const isChange = report.added + report.changed + report.removed > 0
      if (before !== undefined && isChange) {
        replaced.push({ file: before, by: file, api: `${apiName} (${vendorName})` })
        removedByReplacement += report.removed
      } else if (before !== undefined) {
        repeated.push({ file, of: before })
      }
      fileOfApi.set(apiId, file)
      apis.set(apiId, { api_id: apiId, api_name: apiName, vendor: vendorName, file })
    },
    fail(failure) {
      failures.push(failure)
    },
    summary: () => ({
      files,
      imported,
      ...counts,
      apis: [...apis.values()],
      warnings,
      replaced,
      removed_by_replacement: removedByReplacement,
      repeated,
      failures,
    }),
  }
}

/**
 * Prints failures, replaced files and warnings, then the counts and APIs. Paths are relative to
 * `folder`, if there is one.
 */
export function printImportSummary(
  io: Io,
  summary: ImportSummary,
  { folder }: { readonly folder: string | undefined },
): void {
  const { warnings, replaced } = summary
  const shorten = (file: string) => (folder === undefined ? file : relative(folder, file))
  printUnknownVendors(io, summary)
  const failures = summary.failures.filter((failure) => failure.unknown_vendor === undefined)
  if (failures.length > 0) {
    io.note(
      formatTable(
        ['NOT IMPORTED', 'REASON'],
        failures.map(({ file, reason }) => [shorten(file), reason]),
      ),
    )
  }
  if (replaced.length > 0) {
    io.note(
      formatTable(
        ['REPLACED', 'BY', 'API'],
        replaced.map(({ file, by, api }) => [shorten(file), shorten(by), api]),
      ),
    )
  }
  if (warnings.length > 0) {
    io.note(
      formatTable(
        ['FILE', 'LOCATION', 'WARNING'],
        warnings
          .slice(0, MAX_PRINTED_ENTRIES)
          .map(({ file, pointer, message }) => [shorten(file), pointer || '/', message]),
      ),
    )
  }
  if (warnings.length > MAX_PRINTED_ENTRIES)
    io.note(`${formatCount(warnings.length - MAX_PRINTED_ENTRIES, 'more warning')}: see --json`)
  printCounts(io, summary)
  if (warnings.length > 0) {
    io.result(formatCount(warnings.length, 'warning'))
  }
  if (summary.apis.length > 0) {
    const shown = summary.apis.slice(0, MAX_PRINTED_ENTRIES)
    const from = (file: string) => (summary.files > 1 ? [file] : [])
    io.result(
      formatTable(
        ['API ID', 'API', 'VENDOR', ...from('FILE')],
        shown.map((api) => [api.api_id, api.api_name, api.vendor, ...from(shorten(api.file))]),
      ),
    )
  }
  if (summary.apis.length > MAX_PRINTED_ENTRIES) {
    io.result(`${summary.apis.length - MAX_PRINTED_ENTRIES} more APIs: see --json`)
  }
  const [first] = summary.apis
  if (first) {
    io.note(`Next: api-discovery endpoints ${first.api_id}, or api-discovery show ${first.api_id}`)
  }
}

/** Explains once why files of unknown vendors were not imported. */
function printUnknownVendors(io: Io, { failures, files }: ImportSummary): void {
  const unknown = failures.flatMap(({ unknown_vendor: vendor }) => vendor ?? [])
  const vendors = [...new Set(unknown)].sort()
  if (vendors.length === 0) return
  const [were, whose] = unknown.length === 1 ? ['file was', 'its'] : ['files were', 'their']
  const are = vendors.length === 1 ? 'vendor is' : `${vendors.length} vendors are`
  io.note(
    `${unknown.length} of ${files} ${were} not imported: ${whose} ${are} not in the catalogue. Run the command again with --create-vendors to add ${vendors.length === 1 ? 'it' : 'them'}.`,
  )
  const rest = vendors.length - MAX_PRINTED_ENTRIES
  const more = rest > 0 ? ` and ${rest} more, see --json` : ''
  io.note(`Unknown vendors: ${vendors.slice(0, MAX_PRINTED_ENTRIES).join(', ')}${more}`)
}

function printCounts(io: Io, summary: ImportSummary): void {
  const { imported, files, added, changed, removed, unchanged, skipped } = summary
  const into = imported > 0 ? ` into ${formatCount(summary.apis.length, 'API')}` : ''
  io.result(`${imported} of ${formatCount(files, 'file')} imported${into}`)
  const { repeated, replaced, removed_by_replacement: ofRun } = summary
  const repeats = [
    repeated.length > 0 &&
      `${formatCount(repeated.length, 'file')} ${repeated.length === 1 ? 'repeats' : 'repeat'} an earlier one`,
    replaced.length > 0 &&
      `${formatCount(replaced.length, 'file')} ${replaced.length === 1 ? 'was' : 'were'} replaced by a later one`,
  ].filter((part) => part !== false)
  if (repeats.length > 0) io.result(repeats.join(', '))
  if (imported === 0) return
  const share = ofRun === removed ? '' : `${ofRun} `
  const reason = ofRun > 0 ? ` (${share}by these replacements)` : ''
  io.result(
    `${describeOperations(summary)}: ${added} added, ${changed} changed, ${unchanged} unchanged, ${skipped} skipped, ${removed} removed${reason}`,
  )
}

/** Describes the operations: `Operations, including 1 webhook`. */
function describeOperations({ webhooks, callbacks }: ImportSummary): string {
  const parts = [
    webhooks > 0 && formatCount(webhooks, 'webhook'),
    callbacks > 0 && formatCount(callbacks, 'callback'),
  ].filter((part) => part !== false)
  return parts.length > 0 ? `Operations, including ${parts.join(' and ')}` : 'Operations'
}
