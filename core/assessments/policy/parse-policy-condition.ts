import { ASSESSMENT_CATEGORIES } from '../records.ts'
import type { PolicyCondition } from './policy.ts'
import { POLICY_CONDITIONS } from './policy-conditions.ts'

/** Maximum number of quoted characters of an invalid condition. */
const MAX_SHOWN_LENGTH = 60

/** Parses a policy condition. Returns a description of the problem if it is invalid. */
export function parsePolicyCondition(
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
