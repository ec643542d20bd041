import { findCalledVendor } from '../config/credential-names.ts'
import { wordsOf } from '../config/roles.ts'
import { lastName } from '../model/name-patterns.ts'
import { firstSlot } from '../model/pattern.ts'
import type { Call, Expression, Program } from '../model/program.ts'
import { isTestPath } from '../noise/path-roles.ts'
import { listIntegrationNames } from '../packages/integrations.ts'
import type { Evaluator } from '../resolve/evaluate.ts'
import { beginningOfValue, hasPath } from '../resolve/expressions.ts'
import type { ScopedValue } from '../resolve/names.ts'
import { isPageScript } from './unresolved-calls.ts'

/** Finds the base of the vendor that a call is named after. */
export type VendorNamer = (call: Call, url?: Expression) => string | undefined

/**
 * Creates a finder of vendors by the name of a URL's base, else by the class around the call, else by
 * the file. The file does not count if the URL has a path, is a parameter, or is named after the
 * project's own server.
 */
export function createVendorNamer(input: {
  readonly path: string
  readonly language: string
  readonly program: Program
  readonly evaluator: Evaluator
}): VendorNamer {
  const { path, program, evaluator } = input
  if (isPageScript(input) || isTestPath(path)) return () => undefined
  const [ofFile, ofMessenger] = [findFileVendor(path, false), findFileVendor(path)]
  return ({ scope }, url) => {
    const base = url && beginningOfValue(url)
    const setting = base?.kind === 'name' ? lastName(base.name) : ''
    const isMessage = url && hasPath(url) ? false : undefined
    const owner = program.scopes[evaluator.names.classOf(scope) ?? -1]?.name ?? ''
    const named = findCalledVendor(setting, isMessage) ?? findCalledVendor(owner, isMessage)
    if (named !== undefined || isMessage === false) return named
    if (HOOK.test(setting)) return ofMessenger
    const isParameter =
      url?.kind === 'name' && !url.name.includes('.') && isOpen({ value: url, scope })
    return isParameter || OWN_SERVER.test(wordsOf(setting).join(' ')) ? undefined : ofFile
  }

  function isOpen(value: ScopedValue): boolean {
    return firstSlot(evaluator.evaluate(value) ?? '')?.key === ''
  }
}

/**
 * The base of the vendor that a file is named after, in a folder for many services. `isMessenger` if
 * the file sends messages; see `findCalledVendor`.
 */
export function findFileVendor(path: string, isMessenger = true): string | undefined {
  return listIntegrationNames(path).flatMap((name) => findCalledVendor(name, isMessenger) ?? [])[0]
}

/** Names of addresses to which messages go. */
const HOOK = /hook/i

/** Names of the project's own server: `BACKEND_URL`, `NEXT_PUBLIC_API_BASE_URL`. */
const OWN_SERVER =
  /^(?:next public |vite |my )?(?:(?:backend|internal|app|site|api|server) ){1,3}(?:base )?(?:url|uri|base|host)$/
