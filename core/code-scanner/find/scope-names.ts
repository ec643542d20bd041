import type { Program } from '../model/program.ts'

/** Whether a scope is part of a function that returns samples. */
export function isSample(program: Program, scope: number): boolean {
  return isWithin(program, { scope, names: SAMPLES })
}

/** Whether a scope is part of a function or class that opens pages of social networks. */
export function isShared(program: Program, scope: number): boolean {
  return isWithin(program, { scope, names: SHARES })
}

/**
 * Finds the variables that calls of their own functions request, of which only one value is known
 * at the call: `if (a) url = …; else url = …; get(url)`. `calledAt` has lines and columns of URLs.
 */
export function findRequestedNames(
  { calls }: Program,
  calledAt: ReadonlySet<string>,
): (name: string, scope: number) => boolean {
  const found = new Set<string>()
  for (const { args, scope } of calls) {
    for (const arg of args) {
      const isUrl = calledAt.has(`${arg.place.line}:${arg.place.column}`)
      if (arg.kind === 'name' && isUrl) found.add(`${scope}|${arg.name}`)
    }
  }
  return (name, scope) => found.has(`${scope}|${name}`)
}

function isWithin(
  { scopes }: Program,
  { scope, names }: { readonly scope: number; readonly names: RegExp },
): boolean {
  for (let at = scopes[scope]; at; at = scopes[at.parent]) {
    if (names.test(at.name)) return true
  }
  return false
}

const SAMPLES =
  /^(?:sample|example|fixture|dummy|fake|mock)s?(?:$|_|[A-Z])|_(?:sample|example|fixture)s?$/

const SHARES =
  /Sharing(?:Service|Provider|Target|Helper)?$|^(?:Social)?Share(?:Button|Link|Menu)s?$|^share_?(?:[oO]n|[tT]o|[vV]ia)(?:_|[A-Z])/
