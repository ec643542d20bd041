import { lastName } from '../model/name-patterns.ts'
import type { ArgumentPlace, ClientRule, Import } from '../model/program.ts'

/** Client rules of a language, indexed by callee. */
export interface RuleIndex {
  /** Rules whose callee ends in a name or `*`. */
  byLastName(name: string): readonly ClientRule[]
  /** Whether a rule may require a receiver from a call whose callee ends in a name. */
  mayMake(name: string): boolean
  /** Calls that set a base. */
  readonly setters: readonly BaseSetter[]
}

/** A call of `ClientRule.baseFrom`. */
export interface BaseSetter {
  readonly rule: ClientRule
  readonly callee: string
  readonly place: ArgumentPlace
  /** Whether the call may be anywhere in the file: `()` is after its name. */
  readonly isAnywhere: boolean
}

/** Indexes rules; call once per language. */
export function indexRules(rules: readonly ClientRule[]): RuleIndex {
  const byName = new Map<string, ClientRule[]>()
  for (const rule of rules) {
    const name = lastName(rule.callee)
    const known = byName.get(name)
    if (known) known.push(rule)
    else byName.set(name, [rule])
  }
  const any = byName.get('*') ?? []
  for (const [name, known] of byName) if (name !== '*') known.push(...any)
  const makers = new Set(rules.flatMap(({ receiver = [] }) => receiver.map(lastName)))
  return {
    byLastName: (name) => byName.get(name) ?? any,
    mayMake: (name) => makers.has(name) || makers.has('*'),
    setters: rules.flatMap((rule) =>
      Object.entries(rule.baseFrom ?? {}).flatMap(([key, place]) =>
        /^\.|\(\)$/.test(key)
          ? [{ rule, callee: key.replace('()', ''), place, isAnywhere: key.endsWith('()') }]
          : [],
      ),
    ),
  }
}

/** Finds the import that binds the first part of a dotted name, with the parts after it. */
export interface ImportedNames {
  findImport(
    name: string,
  ): { readonly from: Import; readonly members: readonly string[] } | undefined
}

/** Returns a callee in all spellings of rules: as written, and by the names of its module. */
export function calleeNames(callee: string, names: ImportedNames): readonly string[] {
  const isNew = callee.startsWith('new ')
  const plain = isNew ? callee.slice(4) : callee
  const prefix = isNew ? 'new ' : ''
  if (plain.startsWith('.')) return [callee]
  const imported = names.findImport(plain)
  if (!imported) return [callee]
  const { from, members } = imported
  const all = [callee]
  const add = (parts: readonly string[]) => {
    const name = prefix + parts.filter((part) => part !== '').join('.')
    if (name !== prefix && !all.includes(name)) all.push(name)
  }
  const last = from.module.replace(/^.*[/:]/, '')
  if (from.imported === '*' || from.imported === 'default') {
    add([last, ...members])
    add([from.module, ...members])
  } else {
    add([from.imported, ...members])
    add([last, from.imported, ...members])
    add([from.module, from.imported, ...members])
  }
  return all
}

/** Whether a rule's callee matches one of several names. */
export function isCallee(rule: string, names: readonly string[]): boolean {
  if (rule.startsWith('.')) return names.some((name) => matchesName(rule.slice(1), lastName(name)))
  if (!rule.includes('*')) return names.includes(rule)
  return names.some((name) => matchesName(rule, name))
}

/** Whether a file imports one of several modules, or a submodule. */
export function importsAny(modules: readonly string[], imports: readonly Import[]): boolean {
  return imports.some(({ module }) => modules.some((wanted) => isModule(module, wanted)))
}

/** Whether a module equals another one or is a submodule of it. */
function isModule(module: string, wanted: string): boolean {
  if (!module.startsWith(wanted)) return false
  return module.length === wanted.length || /[/.:\\]/.test(module.charAt(wanted.length))
}

function matchesName(rule: string, name: string): boolean {
  if (rule === name || rule === '*') return true
  if (!rule.includes('*')) return false
  const wanted = rule.split('.')
  const parts = name.split('.')
  return (
    wanted.length === parts.length && wanted.every((one, at) => one === '*' || one === parts[at])
  )
}
