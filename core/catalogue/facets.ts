import { toSpdxId } from '../shared/spdx.ts'
import { foldName } from '../shared/text.ts'
import { API_KINDS, formatApiKind } from './api-kinds.ts'
import { AUTH_TYPES } from './auth-types.ts'
import { CATEGORIES, GENERAL_CATEGORY } from './categories.ts'
import type { ApiFacts } from './store.ts'

/** The facets that APIs can be filtered by, in display order. */
export const FACETS = ['category', 'vendor', 'auth', 'license', 'deprecated', 'kind'] as const

export type FacetName = (typeof FACETS)[number]

/**
 * The chosen value of each facet: the numeric ID of a category or vendor, an `auth_types` value, a
 * licence's SPDX ID or name (in any spelling) or `none`, `yes` or `no`, a kind. Absent: no filter.
 */
export type ChosenFacets = { readonly [Name in FacetName]?: string | undefined }

/** One value of a facet. */
export interface FacetValue {
  /** Same format as in `ChosenFacets`. */
  readonly value: string
  readonly label: string
  /** Number of APIs with this value that pass the filters of all other facets. */
  readonly count: number
  readonly isChosen: boolean
}

/**
 * A facet with its values, the most frequent first, then by label. The general category comes last:
 * most APIs have it, so it is the least specific.
 */
export interface Facet {
  readonly name: FacetName
  readonly values: readonly FacetValue[]
}

/** APIs that pass the filters, and the facet values to choose from. */
export interface FilteredApis {
  /** In input order. */
  readonly apis: readonly ApiFacts[]
  readonly facets: readonly Facet[]
}

/**
 * Filters APIs by the chosen facets. Each value is counted as if its own facet had no filter. A
 * chosen value that no API has is listed with count 0.
 */
export function filterByFacets(apis: Iterable<ApiFacts>, chosen: ChosenFacets): FilteredApis {
  const wanted = FACETS.map((name) => normaliseChosenValue(name, chosen[name]))
  const tables = FACETS.map(() => new Map<string, { label: string; count: number }>())
  const fitting: ApiFacts[] = []
  for (const api of apis) {
    const values = FACETS.map((name) => READERS[name](api))
    const missed = values.flatMap((has, index) =>
      hasChosenValue(has, wanted[index]) ? [] : [index],
    )
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
      table.set(want, { label: getValueLabel(name, chosen[name] ?? want), count: 0 })
    }
    const values = [...table].map(([value, entry]) => ({
      value,
      ...entry,
      isChosen: value === want,
    }))
    values.sort(compareFacetValues)
    if (name !== 'category') return { name, values }
    const isGeneral = ({ label }: FacetValue) => label === GENERAL_CATEGORY
    const specific = values.filter((value) => !isGeneral(value))
    return { name, values: [...specific, ...values.filter(isGeneral)] }
  })
  return { apis: fitting, facets }
}

/** Values of an API for one facet, with labels. */
type LabelledValues = readonly (readonly [value: string, label: string])[]

const READERS: Readonly<Record<FacetName, (api: ApiFacts) => LabelledValues>> = {
  category: ({ categoryId }) =>
    categoryId === undefined
      ? []
      : [[String(categoryId), getValueLabel('category', String(categoryId))]],
  vendor: ({ vendor }) => [[String(vendor.id), vendor.name]],
  auth: ({ authTypes }) => authTypes.map((type) => [type, type]),
  license: ({ licenses }) => {
    const named = new Map(licenses.map((name) => [foldName(name), name.trim()]))
    named.delete('')
    return named.size > 0 ? [...named] : [[NONE, getValueLabel('license', NONE)]]
  },
  deprecated: ({ deprecated }) => {
    const value = deprecated > 0 ? 'yes' : 'no'
    return [[value, getValueLabel('deprecated', value)]]
  },
  kind: ({ kind }) => [[kind, formatApiKind(kind)]],
}

const NONE = 'none'

function normaliseChosenValue(name: FacetName, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  if (name === 'license') return foldName(toSpdxId({ name: value }) || value)
  if (name !== 'auth') return value
  return AUTH_TYPES.find((type) => type.toLowerCase() === value.toLowerCase()) ?? value
}

function hasChosenValue(values: LabelledValues, wanted: string | undefined): boolean {
  return wanted === undefined || values.some(([value]) => value === wanted)
}

function getValueLabel(name: FacetName, value: string): string {
  if (name === 'category') return CATEGORIES[Number(value) - 1] ?? value
  if (name === 'license') return value === NONE ? 'Not stated' : toSpdxId({ name: value }) || value
  if (name === 'kind') {
    const kind = API_KINDS.find((each) => each === value)
    return kind ? formatApiKind(kind) : value
  }
  if (name !== 'deprecated') return value
  return value === 'yes' ? 'Some' : value === 'no' ? 'None' : value
}

function compareFacetValues(one: FacetValue, other: FacetValue): number {
  return other.count - one.count || (one.label < other.label ? -1 : 1)
}
