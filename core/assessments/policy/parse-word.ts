import { ASSESSMENT_CATEGORIES } from '../records.ts'
import type { PolicyWord } from './policy.ts'
import { POLICY_WORDS } from './words.ts'

/** Characters of a wrong word that are quoted. */
const SHOWN = 60

/** What a word means; a sentence on what is wrong with it otherwise. */
export function parsePolicyWord(
  text: string,
  ruleIds: ReadonlySet<string>,
): PolicyWord | { readonly wrong: string } {
  const plain = POLICY_WORDS.find(({ kind, form }) => kind === text && isPlain(form))
  if (plain) return { text, kind: plain.kind, number: undefined, name: undefined }
  const [, sign = '', of = '', value = ''] =
    /^(?:(cve>=|stale>)|(bad|statement):)(.*)$/s.exec(text) ?? []
  if (sign === 'cve>=') return toScore(text, value)
  if (sign === 'stale>') return toAge(text, value)
  if (of === 'bad') {
    const isKnown = ASSESSMENT_CATEGORIES.some((category) => category === value)
    if (!isKnown) return wrong(value, `no category; there are ${ASSESSMENT_CATEGORIES.join(', ')}`)
    return { text, kind: 'bad', number: undefined, name: value }
  }
  if (of === 'statement') {
    if (!ruleIds.has(value)) return wrong(value, 'no rule; assess --rules lists them')
    return { text, kind: 'statement', number: undefined, name: value }
  }
  return wrong(text, `no word; there are ${POLICY_WORDS.map(({ form }) => form).join(', ')}`)
}

/** `stale` is a word by itself as well. */
function isPlain(form: string): boolean {
  return !/[:>]/.test(form) || form.startsWith('stale')
}

function toScore(text: string, value: string) {
  const score = /^(?:10(?:\.0)?|\d(?:\.\d)?)$/.test(value) ? Number(value) : undefined
  if (score === undefined) return wrong(text, 'no score; it must be from 0 to 10, as in cve>=7.5')
  return { text, kind: 'cve', number: score, name: undefined } as const
}

function toAge(text: string, value: string) {
  const days = /^[1-9]\d{0,4}$/.test(value) ? Number(value) : undefined
  if (days === undefined) return wrong(text, 'no age; it must be in whole days, as in stale>180')
  return { text, kind: 'stale', number: days, name: undefined } as const
}

function wrong(text: string, what: string): { readonly wrong: string } {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  return { wrong: `"${shown}" is ${what}` }
}
