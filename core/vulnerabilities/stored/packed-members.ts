import {
  type CvssVersion,
  EXPLOITATIONS,
  type ReportedChange,
  type ReportedProduct,
  type ReportedStatus,
  type ReportedVersion,
  type SsvcAssessment,
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

interface VectorTemplate {
  /** `CVSS:3.1/AV:`, `/AC:`, … */
  readonly names: readonly string[]
  /** Positions of the values, each one character long. */
  readonly positions: readonly number[]
  readonly length: number
}

/** Source number, time or -1, numbers of exploitation, automation and technical impact. */
export type PackedSsvc = readonly [number, number, number, number, number]

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

const IMPACTS = [undefined, 'partial', 'total'] as const
const AUTOMATION = [undefined, false, true] as const

/**
 * Packs a vector: the digit of its template, then the values in the template's order, without
 * trailing undefined ones (`X`). A vector that fits no template is stored after a space.
 */
export function packVector(version: CvssVersion, vector: string): string {
  const templates = TEMPLATES[version]
  const index = templates.findIndex(({ length }) => length === vector.length)
  const template = templates[index]
  if (!template) return ` ${vector}`
  let values = ''
  for (const position of template.positions) values += vector.charAt(position)
  return fillTemplate(template, values) === vector
    ? index + values.replace(/X+$/, '')
    : ` ${vector}`
}

/** Reverses `packVector`. */
export function unpackVector(version: CvssVersion, packed: string): string {
  const template = packed[0] === ' ' ? undefined : TEMPLATES[version][Number(packed[0])]
  return template ? fillTemplate(template, packed.slice(1)) : packed.slice(1)
}

const BASE_2 = 'AV AC Au C I A'
const BASE_3 = 'AV AC PR UI S C I A'
const BASE_4 = 'AV AC AT PR UI VC VI VA SC SI SA'
const ALL_4 = `${BASE_4} E CR IR AR MAV MAC MAT MPR MUI MVC MVI MVA MSC MSI MSA S AU R V RE U`

const TEMPLATES: Readonly<Record<CvssVersion, readonly VectorTemplate[]>> = {
  '2.0': [createVectorTemplate('', BASE_2)],
  '3.0': [createVectorTemplate('CVSS:3.0/', BASE_3)],
  '3.1': [createVectorTemplate('CVSS:3.1/', BASE_3)],
  '4.0': [createVectorTemplate('CVSS:4.0/', ALL_4), createVectorTemplate('CVSS:4.0/', BASE_4)],
}

function createVectorTemplate(start: string, metrics: string): VectorTemplate {
  const names = metrics.split(' ').map((metric, index) => `${index === 0 ? start : '/'}${metric}:`)
  let length = 0
  const places = names.map((name) => {
    length += name.length + 1
    return length - 1
  })
  return { names, positions: places, length }
}

function fillTemplate({ names }: VectorTemplate, values: string): string {
  let vector = ''
  for (let index = 0; index < names.length; index += 1) {
    vector += names[index] + (values[index] ?? 'X')
  }
  return vector
}

/** Packs an assessment. `toNumber` numbers a source. */
export function packSsvc(ssvc: SsvcAssessment, toNumber: (source: string) => number): PackedSsvc {
  const { source, assessedAt = -1, exploitation, isAutomatable, technicalImpact } = ssvc
  return [
    ...([toNumber(source), assessedAt, EXPLOITATIONS.indexOf(exploitation)] as const),
    ...([AUTOMATION.indexOf(isAutomatable), IMPACTS.indexOf(technicalImpact)] as const),
  ]
}

/** Reverses `packSsvc`. */
export function unpackSsvc(
  [source, assessedAt, exploitation, automation, impact]: PackedSsvc,
  toSource: (number: number) => string,
): SsvcAssessment {
  const isAutomatable = AUTOMATION[automation]
  const technicalImpact = IMPACTS[impact]
  return {
    source: toSource(source),
    ...(assessedAt >= 0 && { assessedAt }),
    exploitation: EXPLOITATIONS[exploitation] ?? 'none',
    ...(isAutomatable !== undefined && { isAutomatable }),
    ...(technicalImpact && { technicalImpact }),
  }
}
