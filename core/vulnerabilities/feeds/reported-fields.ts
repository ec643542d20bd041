import type {
  ReportedChange,
  ReportedProduct,
  ReportedStatus,
  ReportedVersion,
} from '../records.ts'
import { expectArray, expectObject, expectOptionalString, expectStrings } from './json-fields.ts'

// `affected` of CVE JSON 5, which NVD copies. Every function throws a `ServiceError` with code
// `invalid_input` that names the field.

/** Reads a statement of a source about a product. */
export function parseReportedProduct(value: unknown, source: string): ReportedProduct {
  const fields = expectObject(value, 'affectedData')
  const text = (name: string) => expectOptionalString(fields[name], name)
  const optional = (name: string) => text(name) || undefined
  return {
    source,
    vendor: text('vendor'),
    product: text('product'),
    ...withoutAbsent({
      packageName: optional('packageName'),
      packageUrl: optional('packageURL'),
      collectionUrl: optional('collectionURL'),
      repository: optional('repo'),
    }),
    cpes: expectStrings(fields.cpes, 'cpes'),
    modules: expectStrings(fields.modules, 'modules'),
    platforms: expectStrings(fields.platforms, 'platforms'),
    defaultStatus: parseStatus(fields.defaultStatus, 'defaultStatus'),
    versions: expectArray(fields.versions, 'versions').map(parseReportedVersion),
  }
}

function parseReportedVersion(value: unknown): ReportedVersion {
  const fields = expectObject(value, 'versions')
  const optional = (name: string) => expectOptionalString(fields[name], name) || undefined
  const changes = expectArray(fields.changes, 'changes').map(parseChange)
  return {
    version: expectOptionalString(fields.version, 'version'),
    status: parseStatus(fields.status, 'status'),
    ...withoutAbsent({
      type: optional('versionType'),
      lessThan: optional('lessThan'),
      lessThanOrEqual: optional('lessThanOrEqual'),
      changes: changes.length > 0 ? changes : undefined,
    }),
  }
}

function parseChange(value: unknown): ReportedChange {
  const { at, status } = expectObject(value, 'changes')
  return { at: expectOptionalString(at, 'at'), status: parseStatus(status, 'status') }
}

/** The format's own default is `unknown`. */
function parseStatus(value: unknown, field: string): ReportedStatus {
  const status = expectOptionalString(value, field)
  return status === 'affected' || status === 'unaffected' ? status : 'unknown'
}

/** Omits members that are undefined. */
function withoutAbsent<T extends object>(members: T): Partial<T> {
  // The cast is safe: members are only removed.
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Partial<T>
}
