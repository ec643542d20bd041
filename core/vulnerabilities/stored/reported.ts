import type {
  ReportedChange,
  ReportedProduct,
  ReportedStatus,
  ReportedVersion,
} from '../records.ts'

/**
 * Source number, vendor, product, number of the default status, versions, and the other members if
 * there are any.
 */
export type PackedReport = readonly [
  number,
  string,
  string,
  number,
  readonly PackedVersion[],
  OtherMembers?,
]

/** Version, number of the status, type, `lessThan` and `lessThanOrEqual`; 0 is a missing member. */
type PackedVersion = readonly (string | number | readonly (string | number)[])[]

interface OtherMembers {
  readonly packageName?: string
  readonly packageUrl?: string
  readonly collectionUrl?: string
  readonly repository?: string
  readonly cpes?: readonly string[]
  readonly modules?: readonly string[]
  readonly platforms?: readonly string[]
}

/** Packs statements of reporters. `toNumber` numbers a source. */
export function packReported(
  reported: readonly ReportedProduct[],
  toNumber: (source: string) => number,
): readonly PackedReport[] {
  return reported.map((one) => {
    const { source, vendor, product, defaultStatus, versions, ...others } = one
    const kept = Object.entries(others).filter(([, value]) => value?.length)
    const members = kept.length > 0 ? ([Object.fromEntries(kept)] as const) : ([] as const)
    return [
      ...([toNumber(source), vendor, product, STATUSES.indexOf(defaultStatus)] as const),
      versions.map(packVersion),
      ...members,
    ]
  })
}

/** Reverses `packReported`. */
export function unpackReported(
  packed: readonly PackedReport[],
  toSource: (number: number) => string,
): readonly ReportedProduct[] {
  return packed.map(([source, vendor, product, status, versions, others]) => ({
    source: toSource(source),
    ...{ vendor, product, cpes: [], modules: [], platforms: [], ...others },
    defaultStatus: STATUSES[status] ?? 'unknown',
    versions: versions.map(unpackVersion),
  }))
}

// The order is part of the format.
const STATUSES: readonly ReportedStatus[] = ['unknown', 'affected', 'unaffected']

function packVersion(one: ReportedVersion): PackedVersion {
  const { version, status, type = 0, lessThan = 0, lessThanOrEqual = 0, changes } = one
  const packed: (string | number | readonly (string | number)[])[] = [
    ...[version, STATUSES.indexOf(status), type, lessThan, lessThanOrEqual],
    ...(changes ? [changes.flatMap(({ at, status }) => [at, STATUSES.indexOf(status)])] : []),
  ]
  while (packed.length > 2 && packed.at(-1) === 0) packed.pop()
  return packed
}

function unpackVersion(packed: PackedVersion): ReportedVersion {
  const [version, status, type, lessThan, lessThanOrEqual, changes] = packed
  return {
    version: String(version),
    status: STATUSES[Number(status)] ?? 'unknown',
    ...(typeof type === 'string' && { type }),
    ...(typeof lessThan === 'string' && { lessThan }),
    ...(typeof lessThanOrEqual === 'string' && { lessThanOrEqual }),
    ...(Array.isArray(changes) && { changes: unpackChanges(changes) }),
  }
}

function unpackChanges(packed: readonly (string | number)[]): readonly ReportedChange[] {
  const changes: ReportedChange[] = []
  for (let at = 0; at < packed.length; at += 2) {
    changes.push({
      at: String(packed[at]),
      status: STATUSES[Number(packed[at + 1])] ?? 'unknown',
    })
  }
  return changes
}
