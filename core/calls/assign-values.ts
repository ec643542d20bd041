import type { ExtraValue } from './body.ts'
import type { BodyKind } from './body-kind.ts'
import type { CallValues } from './call.ts'
import { Ambiguity, type Field, type Fields } from './fields.ts'
import { toFile } from './files.ts'
import type { Issues } from './issues.ts'
import { findLoss } from './losses.ts'
import { applyRule, Refusal } from './rules.ts'
import { isUpload } from './values.ts'

/** A caller's values, assigned to fields. */
export interface AssignedValues {
  /** By field index: undefined if not set, null if refused. */
  readonly slots: unknown[]
  /** Values of undeclared body fields, in the caller's order. */
  readonly extras: readonly ExtraValue[]
}

const NO_EXTRAS: readonly ExtraValue[] = []

/**
 * Assigns each value to its field and applies the field's rule. `null` and undefined count as not
 * set.
 */
export function assignValues(
  values: CallValues,
  plan: { readonly fields: Fields; readonly kind: BodyKind | undefined },
  issues: Issues,
): AssignedValues {
  const { fields, kind } = plan
  const slots: unknown[] = new Array(fields.list.length).fill(undefined)
  let extras: ExtraValue[] | undefined
  for (const name of Object.keys(values)) {
    const value = values[name]
    if (value === null || value === undefined) continue
    const field = fields.names.get(name)
    if (field === undefined) {
      if (kind?.isFlattened && kind.allowsAdditional) {
        extras ??= []
        extras.push([name, readExtraValue(name, value, kind, issues)])
      } else {
        issues.add(name, 'is not a parameter of the endpoint')
      }
    } else if (field instanceof Ambiguity) {
      issues.add(name, `is ambiguous: use ${field.keys.map((key) => `"${key}"`).join(' or ')}`)
    } else {
      const read = readFieldValue(field, value, slots)
      if (read instanceof Refusal) {
        issues.add(name, read.message)
        slots[field.index] ??= null
      } else {
        slots[field.index] = read
      }
    }
  }
  return { slots, extras: extras ?? NO_EXTRAS }
}

function readFieldValue(field: Field, value: unknown, slots: readonly unknown[]): unknown {
  if (field.refusal !== undefined) return new Refusal(field.refusal)
  if (slots[field.index] !== undefined) return new Refusal(`is set twice: also as "${field.key}"`)
  return applyRule(value, field.rule)
}

function readExtraValue(name: string, value: unknown, kind: BodyKind, issues: Issues): unknown {
  const loss = findLoss(value)
  if (loss !== undefined) {
    issues.add(name, loss)
    return null
  }
  const isList = Array.isArray(value)
  if (!(isList ? value.some(isUpload) : isUpload(value))) return value
  if (kind.family !== 'multipart') issues.add(name, 'must not be a file')
  return isList ? value.map((item) => (isUpload(item) ? toFile(item) : item)) : toFile(value)
}
