import type { EnvironmentChoice, PackageUsage } from '../model/packages.ts'
import type { Call, Expression, Program } from '../model/program.ts'

/** Bases that a project may call through a vendor's library. */
export interface ChosenBases {
  /** The default if known, else the first possible base. */
  readonly url: string
  /** Other possible bases, in the order of the vendor's list. */
  readonly alternatives: readonly string[]
}

/**
 * Finds the environments of a library that a program names: as a string (`'sandbox'`), a member
 * (`Environment.Sandbox`) or a key of a record. Returns undefined if there are none.
 */
export function findEnvironmentChoice(
  program: Program,
  { url, environments = [] }: PackageUsage,
): EnvironmentChoice | undefined {
  const names = new Set(environments.map(({ name }) => name))
  const named = new Set<string>()
  const fallbacks = new Set<string>()
  let isOpen = false
  let left = MAX_VALUES

  function toName(value: Expression): string | undefined {
    const text =
      value.kind === 'text'
        ? value.text
        : value.kind === 'name'
          ? value.name.slice(value.name.lastIndexOf('.') + 1)
          : ''
    const name = text.toLowerCase()
    return names.has(name) ? name : undefined
  }

  function choose(name: string): void {
    named.add(name)
    fallbacks.add(name)
    isOpen = true
  }

  function visitOptions(options: readonly Expression[]): void {
    if (options.some((each) => each.kind === 'name' && OF_RUNTIME.test(each.name))) return
    const found = new Set(options.flatMap((each) => toName(each) ?? []))
    const [first] = found
    if (first !== undefined && found.size === 1) choose(first)
    else for (const each of options) visit(each)
  }

  function visit(value: Expression): void {
    left -= 1
    if (left < 0) return
    const name = toName(value)
    if (name !== undefined) named.add(name)
    if (value.kind === 'either') visitOptions(value.options)
    else if (value.kind === 'list') value.items.forEach(visit)
    else if (value.kind === 'call') visitCall(value.call)
    else if (value.kind === 'record') {
      for (const [key, entry] of Object.entries(value.entries)) {
        if (names.has(key.toLowerCase())) named.add(key.toLowerCase())
        visit(entry)
      }
    }
  }

  function visitCall({ args, named: keywords }: Call): void {
    for (const each of [...args, ...Object.values(keywords)]) visit(each)
  }

  const unknown = new Set(
    program.bindings.flatMap(({ name, value }) =>
      value.kind === 'call' || value.kind === 'unknown' ? [name] : [],
    ),
  )
  for (const { name, value } of program.bindings) {
    const environment = value.kind === 'text' ? toName(value) : undefined
    // A string is the default of a variable that the configuration may set.
    if (environment !== undefined && unknown.has(name)) choose(environment)
    else visit(value)
  }
  program.calls.forEach(visitCall)
  if (named.size === 0) return undefined
  const [fallback] = fallbacks
  return {
    library: url,
    environments,
    named: [...named],
    fallback: fallbacks.size === 1 ? fallback : undefined,
    isOpen,
  }
}

/** Maximum number of visited expressions. */
const MAX_VALUES = 20_000

/** Environments of a runtime or framework rather than of a vendor. */
const OF_RUNTIME = /(?:^|[._])(?:NODE|RAILS|RACK|APP|FLASK|DJANGO|ASPNETCORE|GO|SPRING)_?ENV\w*$/i

/** Joins the choices of all files, by `PackageUsage.url`. */
export function joinEnvironments(
  choices: readonly EnvironmentChoice[],
): ReadonlyMap<string, ChosenBases> {
  const groups = new Map<string, EnvironmentChoice[]>()
  for (const choice of choices) {
    const known = groups.get(choice.library)
    if (known) known.push(choice)
    else groups.set(choice.library, [choice])
  }
  return new Map([...groups].map(([url, all]) => [url, toBases(url, all)]))
}

function toBases(url: string, choices: readonly EnvironmentChoice[]): ChosenBases {
  const isOpen = choices.some((choice) => choice.isOpen)
  const named = new Set(choices.flatMap((choice) => choice.named))
  const fallbacks = new Set(choices.flatMap(({ fallback }) => fallback ?? []))
  const possible = (choices[0]?.environments ?? []).filter(({ name }) => isOpen || named.has(name))
  const [only] = fallbacks
  const first =
    (fallbacks.size === 1 && possible.find(({ name }) => name === only)) ||
    possible.find((each) => each.url === url) ||
    possible[0]
  const base = first?.url ?? url
  return {
    url: base,
    alternatives: possible.flatMap((each) => (each.url === base ? [] : each.url)),
  }
}
