import type { Program } from '../model/program.ts'
import { opensLinks } from '../noise/noise.ts'

/** Tells the names whose values a browser opens: `const url = …`, then `openUrl(url)`. */
export interface OpenedNames {
  has(name: string, scope: number): boolean
}

/** Finds the names that a program gives to what opens links, in the functions that do so. */
export function findOpenedNames(program: Program): OpenedNames {
  const opened = new Set<string>()
  const add = (name: string, scope: number): void => {
    for (let at = scope, step = 0; at > 0 && step < MAX_CHAIN; step += 1) {
      if (program.scopes[at]?.kind !== 'function') break
      opened.add(`${at}|${name}`)
      at = program.scopes[at]?.parent ?? -1
    }
  }
  for (const { callee, args, scope } of program.calls) {
    const given = args.flatMap((value) => (value.kind === 'name' ? [value.name] : []))
    if (given.length === 0 || !opensLinks(callee)) continue
    for (const name of given) add(name, scope)
  }
  for (const { value, role, scope } of program.loose) {
    if (role === 'link' && value.kind === 'name') add(value.name, scope)
  }
  return { has: (name, scope) => opened.has(`${scope}|${name}`) }
}

/** Deepest functions within each other that are followed. */
const MAX_CHAIN = 16
