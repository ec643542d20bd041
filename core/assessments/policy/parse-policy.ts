import * as v from 'valibot'
import { ServiceError } from '../../errors.ts'
import { DEFAULT_IMPORT_LIMITS } from '../../imports/limits.ts'
import { parseYaml } from '../../imports/parse-yaml.ts'
import { isDay } from '../../shared/dates.ts'
import { printableLine } from '../../shared/line-schema.ts'
import { parsePackageUrl } from '../../shared/package-urls.ts'
import { toSpdxId } from '../../shared/spdx.ts'
import { ASSESSMENT_CATEGORIES, type AssessmentRule } from '../records.ts'
import { ASSESSMENT_RULES } from '../rules.ts'
import type { Policy, PolicyCondition, PolicyList } from './policy.ts'
import { POLICY_CONDITIONS } from './policy-conditions.ts'

const MAX_CONDITIONS = 200
const MAX_NAMES = 2000
const MAX_EXCEPTIONS = 1000

const nonEmptyLine = (maxLength: number) =>
  v.pipe(
    v.string('must be a string'),
    printableLine(maxLength),
    v.check((text) => text.trim() !== '', 'must not be empty'),
  )

const itemsOf = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(v.array(item, 'must be a list'), v.maxLength(most, `must have at most ${most} items`))

const filledItemsOf = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(itemsOf(item, most), v.minLength(1, 'must not be empty'))

const allowDenyList = (item: v.GenericSchema<unknown, string>) =>
  v.pipe(
    objectOf({
      allow: v.optional(filledItemsOf(item, MAX_NAMES)),
      deny: v.optional(filledItemsOf(item, MAX_NAMES)),
    }),
    v.check(({ allow, deny }) => Boolean(allow ?? deny), 'must have allow or deny'),
  )

const condition = nonEmptyLine(200)

const country = v.pipe(
  v.string('must be a string'),
  v.regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 country code: two capital letters'),
)

const exception = v.pipe(
  objectOf({
    api: v.optional(nonEmptyLine(400)),
    vendor: v.optional(nonEmptyLine(200)),
    host: v.optional(nonEmptyLine(300)),
    package: v.optional(
      v.pipe(
        nonEmptyLine(500),
        v.check((text) => parsePackageUrl(text).found !== undefined, 'must be a package URL'),
      ),
    ),
    allow: filledItemsOf(condition, MAX_CONDITIONS),
    until: v.pipe(
      v.string('must be a date such as 2030-12-31'),
      v.check(isDay, 'must be a date such as 2030-12-31'),
    ),
    reason: nonEmptyLine(2000),
  }),
  v.check(
    ({ api, vendor, host, package: purl }) =>
      [api, vendor, host, purl].filter((one) => one !== undefined).length === 1,
    'must have exactly one of api, vendor, host and package',
  ),
)

/** A policy document; its conditions are parsed later. */
const policySchema = objectOf({
  deny: v.optional(itemsOf(condition, MAX_CONDITIONS), []),
  warn: v.optional(itemsOf(condition, MAX_CONDITIONS), []),
  vendors: v.optional(allowDenyList(nonEmptyLine(200))),
  licences: v.optional(allowDenyList(nonEmptyLine(200))),
  countries: v.optional(allowDenyList(country)),
  exceptions: v.optional(itemsOf(exception, MAX_EXCEPTIONS), []),
})

/** Maximum length of a policy in characters. */
const MAX_LENGTH = 256 * 1024

/** Sufficient for a text of that length, and safe against YAML bombs. */
const LIMITS = {
  ...DEFAULT_IMPORT_LIMITS,
  maxDepth: 10,
  maxNodes: 50_000,
  maxAliases: 100,
  maxRereadCharacters: 0,
}

/** Maximum number of reported problems. */
const MAX_FAULTS = 10

/**
 * Parses a policy: JSON or YAML of at most 256 KiB. Throws `invalid_input` with the path of each
 * problem and the allowed values: unknown members and conditions, empty or missing lists, a policy
 * without entries.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { parsePolicy } from 'api-discovery/assessments'
 *
 * const policy = parsePolicy(await readFile('api-policy.yaml', 'utf8'))
 * console.log(policy.deny.map(({ text }) => text))
 * ```
 */
export function parsePolicy(
  text: string,
  { rules = ASSESSMENT_RULES }: { readonly rules?: readonly Pick<AssessmentRule, 'id'>[] } = {},
): Policy {
  const { success, output, issues } = v.safeParse(policySchema, readDocument(text), {
    abortPipeEarly: true,
  })
  if (!success) {
    throw createPolicyError(
      issues.map((issue) => `${v.getDotPath(issue) ?? 'it'} ${issue.message}`),
    )
  }
  const ruleIds = new Set(rules.map(({ id }) => id))
  const faults: string[] = []
  const readConditions = (path: string, texts: readonly string[]): readonly PolicyCondition[] =>
    texts.flatMap((each, index) => {
      const condition = parsePolicyCondition(each, ruleIds)
      if (!('wrong' in condition)) return [condition]
      faults.push(`${path}.${index} ${condition.wrong}`)
      return []
    })
  const { deny, warn, exceptions, vendors, licences, countries } = output
  const denied = readConditions('deny', deny)
  const warned = readConditions('warn', warn)
  for (const [index, { allow }] of exceptions.entries()) {
    readConditions(`exceptions.${index}.allow`, allow)
  }
  const lists = { vendors, licences, countries }
  faults.push(...findClashes(denied, warned), ...findMissing([...denied, ...warned], lists))
  if (faults.length > 0) throw createPolicyError(faults)
  const implied = LISTS.filter(
    ({ list, condition }) =>
      lists[list] && ![...denied, ...warned].some(({ text: one }) => one === condition),
  ).map(
    ({ condition }): PolicyCondition => ({
      text: condition,
      kind: condition,
      number: undefined,
      name: undefined,
    }),
  )
  const policy: Policy = {
    deny: [...denied, ...implied],
    warn: warned,
    vendors: toPolicyList(vendors),
    licences: toPolicyList(licences, normalizeLicence),
    countries: toPolicyList(countries),
    exceptions,
  }
  if (policy.deny.length + policy.warn.length > 0) return policy
  throw createPolicyError(['it has no deny or warn entries'])
}

/** The lists with the conditions that evaluate them. */
const LISTS = [
  { list: 'vendors', condition: 'unapproved-vendor' },
  { list: 'licences', condition: 'unapproved-licence' },
  { list: 'countries', condition: 'unapproved-country' },
] as const

type Lists = Readonly<Record<(typeof LISTS)[number]['list'], unknown>>

function readDocument(text: string): unknown {
  if (text.length > MAX_LENGTH)
    throw createPolicyError([`it is longer than ${MAX_LENGTH / 1024} KiB`])
  if (hasSeveralDocuments(text)) throw createPolicyError(['it contains several YAML documents'])
  const value = parsePolicyText(text)
  if (value === undefined) throw createPolicyError(['it is empty'])
  return value
}

/** JSON is parsed as YAML; duplicate members are rejected in both. */
function parsePolicyText(text: string): unknown {
  try {
    return parseYaml(text, LIMITS).value
  } catch (error) {
    if (error instanceof ServiceError) throw createPolicyError([error.message])
    throw error
  }
}

/** Only one of several documents would be used. */
function hasSeveralDocuments(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#|$)/.test(line))
  return lines.slice(1).some((line) => /^---(?:\s|$)/.test(line))
}

function findClashes(
  denied: readonly PolicyCondition[],
  warned: readonly PolicyCondition[],
): readonly string[] {
  const all = [...denied, ...warned].map(({ text }) => text)
  const twice = new Set(all.filter((text, index) => all.indexOf(text) < index))
  return [...twice].map((text) => `"${text}" occurs more than once in deny and warn`)
}

function findMissing(conditions: readonly PolicyCondition[], lists: Lists): readonly string[] {
  return LISTS.filter(
    ({ list, condition }) => !lists[list] && conditions.some(({ kind }) => kind === condition),
  ).map(({ list, condition }) => `"${condition}" requires ${list}.allow or ${list}.deny`)
}

function toPolicyList(
  list: Partial<Readonly<Record<'allow' | 'deny', readonly string[] | undefined>>> | undefined,
  read = (text: string) => text,
): PolicyList | undefined {
  return list && { allow: list.allow?.map(read), deny: (list.deny ?? []).map(read) }
}

/** Normalizes `Apache 2.0` to `Apache-2.0`; a name without an SPDX ID stays. */
function normalizeLicence(name: string): string {
  return toSpdxId({ name }) || name
}

function createPolicyError(faults: readonly string[]): ServiceError {
  const more = faults.length - MAX_FAULTS
  const shown = faults.slice(0, MAX_FAULTS).join('; ') + (more > 0 ? `; and ${more} more` : '')
  return new ServiceError('invalid_input', `Invalid policy: ${shown}`)
}

/** Maximum number of quoted characters of an invalid condition. */
const MAX_SHOWN_LENGTH = 60

/** Parses a policy condition. Returns a description of the problem if it is invalid. */
function parsePolicyCondition(
  text: string,
  ruleIds: ReadonlySet<string>,
): PolicyCondition | { readonly wrong: string } {
  const plain = POLICY_CONDITIONS.find(({ kind, form }) => kind === text && isPlainForm(form))
  if (plain) return { text, kind: plain.kind, number: undefined, name: undefined }
  const [, sign = '', of = '', value = ''] =
    /^(?:(cve>=|stale>)|(bad|statement):)(.*)$/s.exec(text) ?? []
  if (sign === 'cve>=') return parseScoreCondition(text, value)
  if (sign === 'stale>') return parseAgeCondition(text, value)
  if (of === 'bad') {
    const isKnown = ASSESSMENT_CATEGORIES.some((category) => category === value)
    if (!isKnown)
      return wrong(value, `not a category: use one of ${ASSESSMENT_CATEGORIES.join(', ')}`)
    return { text, kind: 'bad', number: undefined, name: value }
  }
  if (of === 'statement') {
    if (!ruleIds.has(value)) return wrong(value, 'not a rule: list the rules with "assess --rules"')
    return { text, kind: 'statement', number: undefined, name: value }
  }
  return wrong(
    text,
    `not a policy condition: use one of ${POLICY_CONDITIONS.map(({ form }) => form).join(', ')}`,
  )
}

/** `stale` is valid with and without a number. */
function isPlainForm(form: string): boolean {
  return !/[:>]/.test(form) || form.startsWith('stale')
}

function parseScoreCondition(text: string, value: string) {
  const score = /^(?:10(?:\.0)?|\d(?:\.\d)?)$/.test(value) ? Number(value) : undefined
  if (score === undefined) return wrong(text, 'not a valid score: use 0 to 10, as in cve>=7.5')
  return { text, kind: 'cve', number: score, name: undefined } as const
}

function parseAgeCondition(text: string, value: string) {
  const days = /^[1-9]\d{0,4}$/.test(value) ? Number(value) : undefined
  if (days === undefined) return wrong(text, 'not a valid age: use whole days, as in stale>180')
  return { text, kind: 'stale', number: days, name: undefined } as const
}

function wrong(text: string, what: string): { readonly wrong: string } {
  const shown = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
  return { wrong: `"${shown}" is ${what}` }
}

/** Creates the schema of an object with exactly these members. */
function objectOf<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries).join(', ')
  const object = v.strictObject(entries, ({ expected, received }) => {
    if (expected === 'never') return `is an unknown member: use ${known}`
    return received === 'undefined' ? 'is required' : `must be an object with ${known}`
  })
  // An array is an object too: its elements would be reported as unknown members.
  const isNoList = (value: unknown) => !Array.isArray(value)
  return v.pipe(v.unknown(), v.check(isNoList, `must be an object with ${known}`), object)
}
