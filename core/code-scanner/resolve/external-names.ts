import { TIDIES_URL } from '../lowering/built-texts.ts'
import type { UnresolvedReference } from '../model/file-scan.ts'
import {
  ENVIRONMENT_LANGUAGE,
  fromReference,
  onlyReference,
  type Pattern,
} from '../model/pattern.ts'
import type { Call } from '../model/program.ts'
import { ADDRESS_MEMBER } from './expressions.ts'
import type { Names } from './names.ts'

/** The names of a program that other files may define. */
export interface ExternalNames {
  /** By the numbers of `refer`. */
  readonly references: readonly UnresolvedReference[]
  /** The pattern of a reference. Equal references have the same number. */
  refer(reference: UnresolvedReference): Pattern
  /** The pattern of a name without a definition in the file; undefined if no file defines it. */
  ofName(name: string, scope: number): Pattern | undefined
  /** The first of several names that has a value: `config?.Url ?? Defaults.Url`. */
  ofAny(options: readonly (Pattern | undefined)[]): Pattern | undefined
  /** The method of an object that another file may define, or a base class as a field. */
  ofMethod(
    name: string,
    at: { readonly method: string; readonly scope: number },
  ): UnresolvedReference | undefined
  /** The function that a call calls if another file may define it by its name. */
  ofFunction(call: Call): UnresolvedReference | undefined
}

/** Creates the references of a program. */
export function createExternalNames(names: Names): ExternalNames {
  const references: UnresolvedReference[] = []
  const patterns = new Map<string, Pattern>()

  function refer(reference: UnresolvedReference): Pattern {
    const { module, name, args, baseClasses, enclosingClass, parameter } = reference
    const rest = [args, baseClasses, enclosingClass, parameter]
    const hasRest = rest.some((field) => field !== undefined)
    const key = `${module}\n${name}\n${hasRest ? JSON.stringify(rest) : ''}`
    const known = patterns.get(key)
    if (known !== undefined) return known
    const pattern = fromReference(references.push(reference) - 1)
    patterns.set(key, pattern)
    return pattern
  }

  /** The class around a name, if it has base classes or subclasses may define the name. */
  function inheritance(scope: number, name: string): Inheritance | undefined {
    const owner = names.classAround(scope)
    if (!owner) return undefined
    const isOpen = owner.name !== '' && ADDRESS_MEMBER.test(name)
    if (!owner.extends && !isOpen) return undefined
    return {
      ...(owner.extends && { baseClasses: names.baseClassesOf(owner) }),
      ...(isOpen && { enclosingClass: owner.name }),
    }
  }

  function ofName(name: string, scope: number): Pattern | undefined {
    const variable = ENVIRONMENT.exec(name)?.[1]
    if (variable !== undefined) return refer({ module: ENVIRONMENT_LANGUAGE, name: variable })
    const [, called = '', member = ''] = /^([\w.]+)\(\)(\..+)$/.exec(name) ?? []
    const imported = called === '' ? undefined : names.importedName(called)
    if (imported) return refer({ ...imported, name: `${imported.name}()${member}` })
    if (name.startsWith('this.')) return ofMember(name.slice(5), scope)
    const shared = withoutGlobal(name)
    if (BROWSER.test(shared) || !/^(?:[A-Za-z_]|@(?:class|token) )/.test(shared)) return undefined
    const plain = shared.replace(RAILS_CONFIGURATION, 'config.')
    return refer({ module: '', name: plain, ...inheritance(scope, name) })
  }

  function ofMember(name: string, scope: number): Pattern | undefined {
    const owner = names.classAround(scope)
    if (owner?.isPart && owner.name !== '')
      return refer({ module: '', name: `${owner.name}.${name}` })
    const inherited = inheritance(scope, name)
    return inherited && refer({ module: '', name: `^.${name}`, ...inherited })
  }

  const ofAny: ExternalNames['ofAny'] = (options) => {
    const found = options.slice(0, MAX_NAMES).flatMap((pattern) => {
      const at = pattern === undefined ? undefined : onlyReference(pattern)
      return (at === undefined ? undefined : references[at]) ?? []
    })
    const [first, second] = found
    const isUnlike = ({ module, name, parameter }: UnresolvedReference) =>
      module !== first?.module || name.endsWith('()') || parameter !== undefined
    if (!first || !second || first.module === ENVIRONMENT_LANGUAGE || found.some(isUnlike)) {
      return undefined
    }
    return refer({ ...first, name: found.map(({ name }) => name).join('|') })
  }

  const ofMethod: ExternalNames['ofMethod'] = (name, { method, scope }) => {
    const field = /^(?:this\.)?([a-z][\w.]*)$/.exec(name)?.[1]
    if (field === undefined) return { module: '', name: `${name}.${method}` }
    const owner = names.classAround(scope)
    if (!owner?.extends) return undefined
    return { module: '', name: `^.${field}.${method}`, baseClasses: names.baseClassesOf(owner) }
  }

  function ofFunction({ callee, scope }: Call): UnresolvedReference | undefined {
    const imported = names.importedName(callee)
    if (imported) return imported
    const owner = names.classAround(scope)
    const own = /^this\.(\w+)$/.exec(callee)?.[1]
    if (own !== undefined && owner?.isPart) return { module: '', name: `${owner.name}.${own}` }
    if (!MAY_RETURN_URL.test(own ?? callee)) return undefined
    if (own !== undefined) {
      return owner && { module: '', name: `^.${own}`, ...inheritance(scope, own) }
    }
    if (!/^(?:[A-Z]\w*\.)?[A-Za-z_]\w*$/.test(callee) || TIDIES_URL.test(callee)) return undefined
    return { module: '', name: callee, ...(!callee.includes('.') && inheritance(scope, callee)) }
  }

  return { references, refer, ofName, ofAny, ofMethod, ofFunction }
}

type Inheritance = Pick<UnresolvedReference, 'baseClasses' | 'enclosingClass'>

/** Most names of which the first with a value is taken. */
const MAX_NAMES = 4

/** Functions that return a URL or a part of one, by their names. */
export const MAY_RETURN_URL = /ur[il]|endpoint|base|host|api|path|address|route/i

/** Names of environment variables. */
const ENVIRONMENT =
  /^(?:process\.env|import\.meta\.env|Deno\.env|Bun\.env|os\.environ|ENV)\.(\w[\w:]*)$/

/** Names whose values exist only at run time. */
const BROWSER =
  /^(?:process|import\.meta|Deno|Bun|os|ENV|location|origin|window|globalThis|document)\b/

/** Returns a name of the global object of scripts without that object: `window.API_BASE`. */
export function withoutGlobal(name: string): string {
  return name.replace(/^(?:window|globalThis|self)\.(?=\w)/, '')
}

/** Rails's name for what an application's own file calls `config`. */
const RAILS_CONFIGURATION = /^Rails\.(?:configuration|application\.config)\./
