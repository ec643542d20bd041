import type { Draft } from '../lowering/draft.ts'
import { placeOf, textAt, unescapeText } from '../lowering/lowered.ts'
import type { NameRule } from '../lowering/names.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** Reads a literal; a backslash at the end of a line hides the white space after it. */
export function stringOf({ text }: SyntaxNode): string {
  const raw = /^[bc]?r(#*)"([\s\S]*)"\1$/.exec(text)?.[2]
  const content = text.replace(/^[bc]?"|"$/g, '')
  return raw ?? unescapeText(content.replaceAll(/\\\r?\n\s*/g, ''))
}

/** `Self` is the type around, or what implements the trait around. */
export const lowerTypeName: NameRule = (node) => {
  let at: SyntaxNode | null = node.text === 'Self' ? node.parent : null
  while (at && !/^(?:impl|trait)_item$/.test(at.type)) at = at.parent
  if (at?.type === 'trait_item') return 'this'
  return at ? implemented(at) : node.text
}

export function implemented(node: SyntaxNode): string {
  const type = node.childForFieldName('type') ?? node.childForFieldName('name')
  return type?.text.replace(/<.*$/s, '').split('::').at(-1) ?? ''
}

export const joinNames: NameRule = (node, nameOf) => {
  const path = node.childForFieldName('path')
  const name = nameOf(node.childForFieldName('name'))
  const owner = nameOf(path)
  // What the root of the crate or the module around has is found by its name alone.
  if (owner === 'crate' && !node.parent?.type.startsWith('scoped_')) return name
  return path === null || owner === undefined ? name : `${owner}.${name}`
}

/**
 * Defaults in attributes: `#[arg(default_value = "…")]`, `#[serde(default = "function")]`,
 * `#[builder(default = URL.to_string())]`, `#[builder(default = format!("{HOST}/v1"))]`,
 * `#[default("…")]`.
 */
const PRESET =
  /\bdefault(_value(?:_t)?)?\s*[=(]\s*(?:value\s*=\s*)?(?:String::from\(|(format)[ !]\()?(?:"((?:[^"\\]|\\.)*)"|([\w:]*[A-Z]\w+)\b(?!::))/i

export function presetOf(attribute: SyntaxNode, draft: Draft): Expression | undefined {
  const [, value, format, text, constant] = PRESET.exec(attribute.text) ?? []
  const place = placeOf(attribute)
  if (constant !== undefined) return { kind: 'name', name: constant.replaceAll('::', '.'), place }
  if (text === undefined) return undefined
  if (format !== undefined) {
    const names = [...text.matchAll(/\{([A-Za-z_]\w*)\}/g)].map(([, name = '']) => name)
    const named = names.map((name): [string, Expression] => [name, { kind: 'name', name, place }])
    const pattern = textAt(text, attribute)
    return { kind: 'format', format: pattern, values: [], named: Object.fromEntries(named), place }
  }
  const isFunction = !value && /^[\w:]+$/.test(text)
  if (isFunction) return draft.resultOf({ callee: text.replaceAll('::', '.'), place, scope: 0 })
  return textAt(/\\"([^"]*)\\"/.exec(text)?.[1] ?? text, attribute)
}

/** Settings that a macro defines with a default: `api_url: String, false, "https://…";`. */
export function bindSettings(macro: SyntaxNode, draft: Draft): void {
  const { text, startIndex } = macro
  if (!SETTING_TYPE.test(text)) return
  const settings = macro.descendantsOfType('string_literal').flatMap((string) => {
    const end = string.startIndex - startIndex
    const name = SETTING.exec(text.slice(Math.max(0, end - MAX_BEFORE), end))?.[1]
    const value = name === undefined ? undefined : textAt(stringOf(string), string)
    return name !== undefined && value ? [{ name, value, place: placeOf(string) }] : []
  })
  if (settings.length === 0) return
  const { parent } = macro.parent?.type === 'expression_statement' ? macro.parent : macro
  const owner = HOLDER.exec(parent?.text ?? '')?.[1]
  // Other files read a setting by a method of a constant: `CONFIG.api_url()`.
  const parentScope = owner === undefined ? undefined : draft.classScope(owner)
  for (const { name, value, place } of settings) {
    if (parentScope === undefined) draft.bind({ name, value, place })
    else {
      const getter = { kind: 'function', name, parent: parentScope } as const
      draft.within(getter, () => draft.giveBack(value))
    }
  }
}

/** The constant that holds the settings of a file. */
const HOLDER = /\bstatic\s+(?:ref\s+)?([A-Z_]{0,20}(?:CONFIG|CONF|CFG|SETTINGS)):/

const SETTING_TYPE = /:\s*(?:&'static str|String|Url),/

/** A name, its type and other words before a default. */
const SETTING = /[;{,\n]\s*(\w+)\s*:\s*(?:&'static str|String|Url),[\w\s,]*$/
const MAX_BEFORE = 120
