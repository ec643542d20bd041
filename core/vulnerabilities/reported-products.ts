import { findStatedPackage } from '../shared/package-urls.ts'
import { isUnknownText, toCpeName } from './names.ts'
import type { AffectedProduct, ReportedProduct, ReportedVersion, VersionRange } from './records.ts'
import { toVersionScheme } from './version-schemes.ts'
import { coversVersion, toVersionText } from './versions.ts'

type AffectedVersion = AffectedProduct['versions'][number]

/**
 * Collects the products that reporters state as affected, in order of first appearance and with
 * distinct versions in order (contract, "Affected products after NIST"). Names are spelled as in a
 * CPE name. A statement without a name, or without an affected version, is skipped.
 */
export function toReportedProducts(
  reported: readonly ReportedProduct[],
): readonly AffectedProduct[] {
  const found = new Map<string, { name: Name; versions: Map<string, AffectedVersion> }>()
  for (const [at, statement] of reported.entries()) {
    const name = toProductNames(statement)
    const versions = name ? toAffectedVersions(statement) : []
    if (!name || versions.length === 0) continue
    const key = `${name.vendor}\n${name.product}`
    const known = found.get(key) ?? { name, versions: new Map() }
    found.set(key, known)
    for (const version of versions) {
      // Exceptions of two statements differ, although the texts of their versions do not.
      const { scheme, except } = typeof version === 'string' ? {} : version
      const text = `${toVersionText(version)}\n${scheme}\n${except ? at : ''}`
      if (!known.versions.has(text)) known.versions.set(text, version)
    }
  }
  return [...found.values()].map(({ name, versions }) => {
    return { ...name, versions: [...versions.values()] }
  })
}

type Name = Pick<AffectedProduct, 'vendor' | 'product'>

/** Returns the names as a CPE name spells them; undefined if both are unknown. */
function toProductNames({
  vendor: reportedVendor,
  product: reportedProduct,
  packageName = '',
}: Pick<ReportedProduct, 'vendor' | 'product' | 'packageName'>): Name | undefined {
  const vendor = toCpeName(reportedVendor)
  const named = toCpeName(reportedProduct)
  const product = named === '-' ? toCpeName(packageName) : named
  return vendor === '-' && product === '-' ? undefined : { vendor, product }
}

/** Returns the versions that a statement says are affected. */
function toAffectedVersions(statement: ReportedProduct): readonly AffectedVersion[] {
  const { defaultStatus } = statement
  const versions = addPackageType(statement)
  const isDefault = defaultStatus === 'affected'
  if (versions.length === 0) return defaultStatus === 'unaffected' ? [] : ['*']
  const except = versions.flatMap(toExceptions)
  const affected = versions.filter(({ status }) => status === 'affected')
  if (affected.length === 0) return isDefault ? [withExceptions({}, except)] : []
  // Ranges that share the list of all exceptions need little space.
  const isShared = isDefault || affected.length * except.length > MAX_OVERLAP_TESTS
  return affected.map((one) => {
    const version = toAffectedVersion(one, isDefault)
    if (typeof version === 'string' && version !== '*') return version
    const range = typeof version === 'string' ? {} : version
    return withExceptions(range, isShared ? except : except.filter((each) => overlap(range, each)))
  })
}

const MAX_OVERLAP_TESTS = 10_000

function overlap(one: VersionRange, other: VersionRange): boolean {
  if (!one.from && !other.from) return true
  return (
    (other.from !== undefined && coversVersion(one, other.from.version)) ||
    (one.from !== undefined && coversVersion(other, one.from.version))
  )
}

/** Adds the type of the package to versions of an unknown type, such as `custom`. */
function addPackageType(statement: ReportedProduct): readonly ReportedVersion[] {
  const { versions } = statement
  if (versions.every(({ type }) => toVersionScheme(type) !== undefined)) return versions
  const type = findStatedPackage(statement)?.type
  return toVersionScheme(type) === undefined
    ? versions
    : versions.map((one) => (toVersionScheme(one.type) === undefined ? { ...one, type } : one))
}

/** `*` if nothing is left of the range. */
function withExceptions(range: VersionRange, except: readonly VersionRange[]): AffectedVersion {
  const isOpen = !range.from && !range.to
  if (except.length > 0) return { ...range, except }
  return isOpen ? '*' : range
}

function toAffectedVersion(reported: ReportedVersion, isDefault: boolean): AffectedVersion {
  const version = toOneLine(reported.version)
  const expressed = parseExpression(version)
  if (expressed !== undefined) return expressed
  if (isBounded(reported)) return toRange(reported)
  if (isUnknownText(version)) return '*'
  const scheme = toScheme(reported)
  // Commits have no order.
  if (scheme.scheme === 'git') return { ...toSingle(version), ...scheme }
  // Everything from there on that is not stated as unaffected.
  return isDefault && /^\S*\d\S*$/.test(version) ? toRange(reported) : version
}

/** Converts a version that is stated as unaffected to ranges. */
function toExceptions(reported: ReportedVersion): readonly VersionRange[] {
  const { status, changes = [] } = reported
  const version = toOneLine(reported.version)
  const scheme = toScheme(reported)
  const expressed = parseExpression(version)
  if (expressed !== undefined) {
    const range = typeof expressed === 'string' ? toSingle(expressed) : expressed
    return status === 'unaffected' ? [{ ...range, ...scheme }] : []
  }
  if (changes.length > 0) {
    const starts = [{ at: reported.version, status }, ...changes]
    return starts.flatMap((start, index) => {
      if (start.status !== 'unaffected') return []
      const next = starts[index + 1]
      const { type, lessThan, lessThanOrEqual } = reported
      const end = next ? { lessThan: next.at } : { lessThan, lessThanOrEqual }
      return [toRange({ version: start.at, status, type, ...end })]
    })
  }
  if (status !== 'unaffected') return []
  if (isBounded(reported)) return [toRange(reported)]
  return [{ ...(isUnknownText(version) ? {} : toSingle(version)), ...scheme }]
}

function toSingle(version: string): Pick<VersionRange, 'from' | 'to'> {
  const bound = { version, isIncluded: true }
  return { from: bound, to: bound }
}

function isBounded({ lessThan, lessThanOrEqual, changes }: ReportedVersion): boolean {
  return (
    lessThan !== undefined ||
    lessThanOrEqual !== undefined ||
    changes?.some(({ status }) => status === 'unaffected') === true
  )
}

function toRange(reported: ReportedVersion): VersionRange {
  const { changes = [], lessThan, lessThanOrEqual } = reported
  const first = toOneLine(reported.version)
  const end = changes.find(({ status }) => status === 'unaffected')?.at ?? lessThan
  // Some ends repeat the operator: `<2.0`.
  const [, operator = end === undefined ? '<=' : '<', last = ''] =
    /^(<=?|=)? ?(.*)$/s.exec(toOneLine(end ?? lessThanOrEqual ?? '')) ?? []
  const from =
    first === '0' || isUnknownText(first) ? undefined : { version: first, isIncluded: true }
  const to = isUnknownText(last) ? undefined : { version: last, isIncluded: operator !== '<' }
  return { ...(from && { from }), ...(to && { to }), ...toScheme(reported) }
}

function toOneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

function toScheme(reported: ReportedVersion): Pick<VersionRange, 'scheme'> {
  const scheme = toVersionScheme(reported.type)
  return scheme === undefined || (scheme === 'git' && isOfReleases(reported)) ? {} : { scheme }
}

/** True if the bounds are numbers of releases, such as `7.4.9`, and not commits. */
function isOfReleases({ version, lessThan, lessThanOrEqual, changes = [] }: ReportedVersion) {
  const ends = [version, lessThan ?? '', lessThanOrEqual ?? '', ...changes.map(({ at }) => at)]
  const known = ends.filter((end) => end !== '0' && !isUnknownText(end))
  return known.length > 0 && known.every((end) => /^v?\d+\.\d/.test(end))
}

/** Parses `>= 4.0.0, < 4.0.3` and `= 35.0`; undefined for another text. */
function parseExpression(text: string): AffectedVersion | undefined {
  const [, operator = '', version = '', second, end = ''] = EXPRESSION.exec(text) ?? []
  if (version === '') return undefined
  const bound = { version, isIncluded: operator.endsWith('=') }
  if (second === undefined) {
    if (operator === '=') return version
    return operator.startsWith('>') ? { from: bound } : { to: bound }
  }
  return operator.startsWith('>')
    ? { from: bound, to: { version: end, isIncluded: second === '<=' } }
    : undefined
}

const EXPRESSION = /^(>=|<=|>|<|=)\s*([^\s,<>=]+)(?:\s*,\s*(<=|<)\s*([^\s,<>=]+))?$/
