import { type CvssVersion, EXPLOITATIONS, type SsvcAssessment } from '../records.ts'

interface VectorTemplate {
  /** `CVSS:3.1/AV:`, `/AC:`, … */
  readonly names: readonly string[]
  /** Positions of the values, each one character long. */
  readonly positions: readonly number[]
  readonly length: number
}

/** Source number, time or -1, numbers of exploitation, automation and technical impact. */
export type PackedSsvc = readonly [number, number, number, number, number]

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
