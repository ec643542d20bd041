import type { BomDifference, BomValidation } from '../../core/boms/index.ts'
import { APPROVAL_LABELS } from './approval-labels.ts'
import { type Io, toPrintable } from './io.ts'

const BOM_SHAPE_NAMES = {
  project: 'a project BOM of the specification (2.9)',
  network: 'a network BOM of the specification (2.10)',
  'cyclonedx-json': 'CycloneDX as JSON',
  'cyclonedx-xml': 'CycloneDX as XML',
} as const

/** Prints the differences of two BOMs: `+` added, `-` removed, `~` changed. */
export function printBomDifference(io: Io, { services, isSame }: BomDifference): void {
  if (isSame) io.note('No differences.')
  for (const name of services.added) io.result(`+ ${toPrintable(name)}`)
  for (const name of services.gone) io.result(`- ${toPrintable(name)}`)
  for (const change of services.changed) {
    io.result(`~ ${toPrintable(change.name)}`)
    for (const [field, before, after] of change.fields) {
      io.result(
        `    ${field}: ${toPrintable(before) || '(none)'} -> ${toPrintable(after) || '(none)'}`,
      )
    }
    for (const endpoint of change.added) io.result(`  + ${toPrintable(endpoint)}`)
    for (const endpoint of change.gone) io.result(`  - ${toPrintable(endpoint)}`)
    for (const { endpoint, before, after } of change.approvals) {
      const [former, current] = [APPROVAL_LABELS[before], APPROVAL_LABELS[after]]
      io.result(`  ~ ${toPrintable(endpoint)}: ${former} -> ${current}`)
    }
  }
}

/** Prints the format of a document and its validation errors. */
export function printBomVerdict(io: Io, verdict: BomValidation): void {
  const { shape, version, explanations } = verdict
  if (shape)
    io.note(`This is ${BOM_SHAPE_NAMES[shape]}${version === '' ? '' : `, version ${version}`}.`)
  for (const { pointer, what, why, repair } of explanations) {
    io.result(`${toPrintable(pointer) || '/'}: ${toPrintable(what)}`)
    io.result(`    why: ${toPrintable(why)}`)
    io.result(`    fix: ${toPrintable(repair)}`)
  }
}
