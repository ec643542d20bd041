import { isMembers } from '../reading/values.ts'
import type { Explanation } from './explanations.ts'

/** Explains text that is neither JSON nor XML, or an HTML page; undefined for other text. */
export function explainOtherText(text: string): Explanation | undefined {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (start === '') return explainOther('it is empty')
  if (/^<(?:!doctype html|html)\b/i.test(start)) return explainOther('it is an HTML page')
  // Also the first characters of numbers, strings and constants of JSON.
  if (/^(?:[<{["]|-?\d|true|false|null)/.test(start)) return undefined
  const [line = ''] = start.split(/\r?\n/, 1)
  return explainOther(`it is neither JSON nor XML, and starts with "${line.slice(0, MAX_SHOWN)}"`)
}

/** Explains a JSON value that is not a BOM. */
export function explainOtherJson(value: unknown): Explanation {
  const names = isMembers(value) ? Object.keys(value).slice(0, MAX_NAMES) : []
  const members = names.map((name) => `"${name.slice(0, MAX_SHOWN)}"`).join(', ')
  if (members !== '') return explainOther(`it is JSON with ${members}`)
  return explainOther('it is JSON without members')
}

const MAX_SHOWN = 40
const MAX_NAMES = 4

function explainOther(seen: string): Explanation {
  return {
    pointer: '',
    what: `this is not a CycloneDX BOM: ${seen}`,
    why: 'It has neither "bomFormat", nor "scan_details", nor "instances", nor the element <bom>',
    repair: 'use a CycloneDX document as JSON or XML, or one in the format of the specification',
  }
}
