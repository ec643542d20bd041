import { toSpdxId } from '../shared/spdx.ts'
import { foldName } from '../shared/text.ts'
import { AUTH_TYPES } from './auth-types.ts'
import { CATEGORIES, GENERAL_CATEGORY } from './categories.ts'
import type { ApiFacts } from './store.ts'

/** By what APIs can be narrowed down, in the order in which it is shown. */
export const FACETS = ['category', 'vendor', 'auth', 'license', 'deprecated'] as const

export type FacetName = (typeof FACETS)[number]

/**
 * What is chosen of each facet: the numeric id of a category or vendor, an `auth_types` word, a
 * licence's SPDX id or name (however spelled) or `none`, `yes` or `no`. Absent: all.
 */
export type ChosenFacets = { readonly [Name in FacetName]?: string | undefined }

/** One value of a facet. */
export interface FacetValue {
  /** As `ChosenFacets` has it. */
  readonly value: string
  readonly label: string
  /** How many APIs there are with it that fit everything else that is chosen. */
  readonly count: number
  readonly isChosen: boolean
}

/**
 * A facet with the values that there are: the most frequent first, then by label. The general
 * category comes last: it says least of an API, and most APIs have it.
 */
export interface Facet {
  readonly name: FacetName
  readonly values: readonly FacetValue[]
}

/** What APIs there are to choose from, and which of them fit. */
export interface Narrowed {
  /** In the order given. */
  readonly fitting: readonly ApiFacts[]
  readonly facets: readonly Facet[]
}

/**
 * Narrows APIs down to those that fit all that is chosen. Each value is counted as if nothing else
 * of its facet were chosen. A chosen value that no API has stands in its facet with 0.
 */
export function narrowDown(apis: Iterable<ApiFacts>, chosen: ChosenFacets): Narrowed {
  const wanted = FACETS.map((name) => toWanted(name, chosen[name]))
  const tables = FACETS.map(() => new Map<string, { label: string; count: number }>())
  const fitting: ApiFacts[] = []
  for (const api of apis) {
    const values = FACETS.map((name) => READERS[name](api))
    const missed = values.flatMap((has, index) => (fits(has, wanted[index]) ? [] : [index]))
    if (missed.length === 0) fitting.push(api)
    if (missed.length > 1) continue
    for (const [index, table] of tables.entries()) {
      if (missed.length === 1 && missed[0] !== index) continue
      for (const [value, label] of values[index] ?? []) {
        const entry = table.get(value)
        if (entry) entry.count += 1
        else table.set(value, { label, count: 1 })
      }
    }
  }
  const facets = FACETS.map((name, index) => {
    const table = tables[index] ?? new Map<string, { label: string; count: number }>()
    const want = wanted[index]
    if (want !== undefined && !table.has(want)) {
      table.set(want, { label: toLabel(name, chosen[name] ?? want), count: 0 })
    }
    const values = [...table].map(([value, entry]) => ({
      value,
      ...entry,
      isChosen: value === want,
    }))
    values.sort(compareValues)
    if (name !== 'category') return { name, values }
    const isGeneral = ({ label }: FacetValue) => label === GENERAL_CATEGORY
    const specific = values.filter((value) => !isGeneral(value))
    return { name, values: [...specific, ...values.filter(isGeneral)] }
  })
  return { fitting, facets }
}

/** Values with their labels. */
type Values = readonly (readonly [value: string, label: string])[]

const READERS: Readonly<Record<FacetName, (api: ApiFacts) => Values>> = {
  category: ({ categoryId }) =>
    categoryId === undefined ? [] : [[String(categoryId), toLabel('category', String(categoryId))]],
  vendor: ({ vendor }) => [[String(vendor.id), vendor.name]],
  auth: ({ authTypes }) => authTypes.map((type) => [type, type]),
  license: ({ licenses }) => {
    const named = new Map(licenses.map((name) => [foldName(name), name.trim()]))
    named.delete('')
    return named.size > 0 ? [...named] : [[NONE, toLabel('license', NONE)]]
  },
  deprecated: ({ deprecated }) => {
    const value = deprecated > 0 ? 'yes' : 'no'
    return [[value, toLabel('deprecated', value)]]
  },
}

const NONE = 'none'

function toWanted(name: FacetName, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  if (name === 'license') return foldName(toSpdxId({ name: value }) || value)
  if (name !== 'auth') return value
  return AUTH_TYPES.find((type) => type.toLowerCase() === value.toLowerCase()) ?? value
}

function fits(values: Values, wanted: string | undefined): boolean {
  return wanted === undefined || values.some(([value]) => value === wanted)
}

function toLabel(name: FacetName, value: string): string {
  if (name === 'category') return CATEGORIES[Number(value) - 1] ?? value
  if (name === 'license') return value === NONE ? 'None stated' : toSpdxId({ name: value }) || value
  if (name !== 'deprecated') return value
  return value === 'yes' ? 'Some' : value === 'no' ? 'None' : value
}

function compareValues(one: FacetValue, other: FacetValue): number {
  return other.count - one.count || (one.label < other.label ? -1 : 1)
}
