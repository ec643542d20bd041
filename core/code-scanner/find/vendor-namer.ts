import { findCalledVendor } from '../config/credential-names.ts'
import { lastName } from '../model/name-patterns.ts'
import type { Call, Expression, Program } from '../model/program.ts'
import { isTestPath } from '../noise/path-roles.ts'
import { listIntegrationNames } from '../packages/integrations.ts'
import type { Evaluator } from '../resolve/evaluate.ts'
import { isPageScript } from './unresolved-calls.ts'

/** Finds the base of the vendor that a call is named after. */
export type VendorNamer = (call: Call, url?: Expression) => string | undefined

/**
 * Creates a finder of vendors by the setting of a base, by the class, and by the file if nothing of
 * the URL is known.
 */
export function createVendorNamer(input: {
  readonly path: string
  readonly language: string
  readonly program: Program
  readonly evaluator: Evaluator
}): VendorNamer {
  const { path, program, evaluator } = input
  if (isPageScript(input) || isTestPath(path)) return () => undefined
  const isMessenger = MESSENGERS.test(path)
  const ofFile = findFileVendor(path)
  return ({ scope }, url) => {
    const base = url && beginningOfValue(url)
    const setting = base?.kind === 'name' ? findCalledVendor(lastName(base.name)) : undefined
    const owner = evaluator.names.classOf(scope)
    return (
      setting ??
      findCalledVendor(program.scopes[owner ?? -1]?.name ?? '', isMessenger) ??
      (url && hasPath(url) ? undefined : ofFile)
    )
  }
}

/** The base of the vendor that a file is named after, in a folder for many services. */
export function findFileVendor(path: string): string | undefined {
  const isMessenger = MESSENGERS.test(path)
  return listIntegrationNames(path).flatMap((name) => findCalledVendor(name, isMessenger) ?? [])[0]
}

/** The name or text that a value begins with. */
export function beginningOfValue(value: Expression): Expression {
  const first = value.kind === 'join' ? value.parts[0] : undefined
  return first ? beginningOfValue(first) : value
}

/** Whether a value adds a path to a base: `${base}/users`. */
export function hasPath(value: Expression): boolean {
  const texts = value.kind === 'join' ? value.parts : []
  const [path = ''] = texts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('')
    .split('?')
  return /\/\w/.test(path)
}

/** Folders of code that sends messages. */
const MESSENGERS = /(?:^|[/_-])(?:notif|alert|messeng|webhook|chat)[\w-]*\/(?:[^/]+\/){0,3}[^/]*$/i
