import type { Candidate } from '../model/file-scan.ts'
import { anyOf } from '../model/name-patterns.ts'
import {
  hasScheme,
  onlyReference,
  type Pattern,
  startsOpen,
  startsWithReference,
  toText,
} from '../model/pattern.ts'
import type { Call, Expression, Program, TextRole } from '../model/program.ts'
import { isBaseName, isHostName, isNoiseContext } from '../noise/noise.ts'
import { authorityOf, startsWithHost, withoutQuery, withoutScheme } from '../noise/url-hosts.ts'
import type { Evaluator } from '../resolve/evaluate.ts'
import { hasSlash } from '../resolve/expressions.ts'
import { findSettingName, findSettingOf } from '../resolve/setting-names.ts'
import { findOpenedNames } from './opened-names.ts'
import { isThingRecord } from './thing-records.ts'
import { isBelowApiBase } from './unresolved-calls.ts'
import {
  hasBeginning,
  isCaller,
  isRejectedUrl,
  mayBeCalled,
  rateUrl,
  type UrlText,
} from './url-texts.ts'

/**
 * Finds URLs that stand in a program without being a client's argument: bases, addresses in
 * records, arguments of what is not known.
 */
export function findTexts(given: {
  readonly program: Program
  readonly evaluator: Evaluator
  /** Calls that stand in for an API. */
  readonly doubles: ReadonlySet<Call>
  /** URLs of the program's calls: what they begin with is a base. */
  readonly called: readonly string[]
}): readonly Candidate[] {
  const { program, evaluator, doubles } = given
  const found: Candidate[] = []
  const seen = new Set<number>()
  const called = given.called.map(withoutScheme).sort()
  const paths = new Set(called.map(withoutQuery))
  const hosts = new Set(called.map((url) => authorityOf(url).toLowerCase()))
  const opened = findOpenedNames(program)

  function walk(value: Expression, at: Position): void {
    if (at.depth > MAX_DEPTH || found.length >= MAX_FOUND) return
    switch (value.kind) {
      case 'text':
      case 'join':
      case 'format':
      case 'path':
        judge(value, at)
        return
      case 'either':
        walkEach(value.options, withSetting(at, value.options))
        return
      case 'list':
        walkEach(value.items, at)
        return
      case 'record':
        walkRecord(value.entries, at)
        return
      case 'call':
        // What only makes a URL of a text leaves it what it is given to.
        if (CONVERSIONS.test(value.call.callee) && !doubles.has(value.call)) {
          walkEach(value.call.args.slice(0, 2), withSetting(at, [value]))
        }
        return
      default:
        return
    }
  }

  function walkEach(values: readonly Expression[], at: Position): void {
    for (const value of values) walk(value, below(at))
  }

  function walkRecord(entries: Readonly<Record<string, Expression>>, at: Position): void {
    const isThing = at.isThing || isThingRecord(entries)
    for (const [key, entry] of Object.entries(entries)) {
      walk(entry, { ...below(at), names: [...at.names, key], isThing })
    }
  }

  /** Whether it is a part of a function that gives samples. */
  function isSample(scope: number): boolean {
    for (let at = scope, step = 0; at > 0 && step < MAX_DEPTH; step += 1) {
      const { kind, name, parent } = program.scopes[at] ?? { kind: 'file', name: '', parent: -1 }
      if (kind === 'function' && SAMPLES.test(name)) return true
      at = parent
    }
    return false
  }

  function judge(value: Expression, at: Position): void {
    const name = at.names.at(-1) ?? ''
    const mayBeHost = isHostName(name) || isBaseName(name)
    if (seen.has(value.place.index) || !mayBeUrl(value, { name, mayBeHost, at })) return
    const pattern = evaluator.text({ value, scope: at.scope })
    if (pattern === undefined) return
    const { line, column } = value.place
    const isAsked = at.isReturned || isBaseName(name) || isCaller(at.callee)
    const isCode = at.role === 'other' && !isNoiseContext(at)
    if (isAsked && isCode && isBelowApiBase(value, toText(pattern))) {
      seen.add(value.place.index)
      found.push({
        ...{ url: pattern, method: undefined, via: 'literal', line, column },
        ...{ confidence: 0.4, needsCatalogue: true, isOfApi: true },
      })
      return
    }
    if (startsOpen(pattern) && !hasScheme(pattern)) {
      judgeOpen(value, { pattern, at })
      return
    }
    const url = toText(pattern).trim()
    if (!hasScheme(url) && !(mayBeHost && startsWithHost(url))) return
    seen.add(value.place.index)
    const text = toUrlText(value, { url, at })
    if (isRejectedUrl(text)) {
      if (mayBeCalled(text)) addCalled(value, pattern)
      return
    }
    const { isSure, isBase, confidence } = rateUrl(text)
    found.push({
      ...{ url: pattern, method: undefined, via: isBase ? 'base' : 'literal' },
      ...{ line, column, confidence, needsCatalogue: !isSure },
    })
  }

  /** A link by its surroundings, of which calls of other files may make more. */
  function addCalled({ place: { line, column } }: Expression, url: Pattern): void {
    const place = { url, method: undefined, via: 'literal', line, column } as const
    found.push({ ...place, confidence: 0.4, needsCatalogue: true, needsCall: true })
  }

  function toUrlText(
    value: Expression,
    { url, at }: { readonly url: string; readonly at: Position },
  ): UrlText {
    const bare = withoutScheme(url)
    return {
      ...{ value, url, bare, isUrl: hasScheme(url) },
      ...{ names: at.names, callee: at.callee, role: at.role },
      ...{ isBound: at.isBound, isReturned: at.isReturned, isThing: at.isThing },
      isCalled: hasBeginning(called, bare.replace(/\/$/, '')),
      isExtended: at.isAppended === true && paths.has(withoutQuery(bare)),
      isCalledHost: hosts.has(authorityOf(bare).toLowerCase()),
      isSample: () => isSample(at.scope),
    }
  }

  /** A path below a name of another file, which may turn out to be a base. */
  function judgeOpen(
    value: Expression,
    { pattern, at }: { readonly pattern: Pattern; readonly at: Position },
  ): void {
    const isPath = startsWithReference(pattern) && onlyReference(pattern) === undefined
    if (!isPath || at.role !== 'other' || isNoiseContext(at)) return
    const name = at.names.at(-1) ?? ''
    const { index, line, column } = value.place
    seen.add(index)
    found.push({
      ...{ url: pattern, method: undefined, via: 'literal', line, column, confidence: 0.6 },
      needsCatalogue: !(isBaseName(name) || at.isReturned || isCaller(at.callee)),
    })
  }

  const ofThings = new Set(
    program.calls.flatMap(({ callee, named }) =>
      callee.startsWith('new ') && isThingRecord(named)
        ? Object.values(named).map(({ place }) => place.index)
        : [],
    ),
  )
  for (const { name, value, scope, kind } of program.bindings) {
    if (value.kind === 'name' || value.kind === 'unknown') continue
    const isReturned = kind === 'return'
    // What a function gives goes by the function's name.
    const given = isReturned ? program.scopes[scope]?.name || name : name
    const role = opened.has(name, scope) ? ('link' as const) : ('other' as const)
    const at = { names: [given], callee: '', role, scope, depth: 0 }
    const first = value.kind === 'join' ? value.parts[0] : undefined
    const isAppended = first?.kind === 'name' && first.name === name
    walk(value, {
      ...at,
      isBound: true,
      isReturned,
      isThing: ofThings.has(value.place.index),
      isAppended,
    })
  }
  for (const call of program.calls) {
    if (doubles.has(call)) continue
    const { callee, args, named, scope } = call
    const setting = findSettingName(call)
    const names = setting === undefined ? namesOfHeader(call) : [setting]
    const at = {
      ...{ names, callee, role: 'other' as const, scope, depth: 0 },
      ...{ isBound: setting !== undefined, isReturned: false },
      isThing: false,
    }
    for (const arg of args) walk(arg, at)
    for (const [key, arg] of Object.entries(named)) {
      walk(arg, {
        ...at,
        isThing: ofThings.has(arg.place.index),
        names: [/^(?:default|fallback)$/.test(key) ? (setting ?? key) : key],
      })
    }
  }
  for (const { value, role, scope } of program.loose) {
    const at = { names: [], callee: '', role, scope, depth: 0, isBound: false }
    walk(value, { ...at, isReturned: false, isThing: false })
  }
  return found
}

/** The header that a call sets, as names are written: `setHeader('Referer', url)`. */
function namesOfHeader({ callee, args: [first] }: Call): readonly string[] {
  const name = /header$/i.test(callee) && first?.kind === 'text' ? first.text : ''
  return name === '' ? [] : [name.replaceAll('-', '_')]
}

/** Where a text stands. */
interface Position {
  readonly names: readonly string[]
  readonly callee: string
  readonly role: TextRole
  readonly scope: number
  readonly depth: number
  readonly isBound: boolean
  /** Whether it is what a function gives back, or a part of it. */
  readonly isReturned: boolean
  /** Whether it is a name's own value with something behind it: `url += '/users'`. */
  readonly isAppended?: boolean
  /** Whether it is a member of a record that tells of something: `{ id, title, url }`. */
  readonly isThing: boolean
}

/** One level below, in the same place else. */
function below(at: Position): Position {
  return { ...at, depth: at.depth + 1 }
}

/** The same place, below the setting that one of several values reads. */
function withSetting(at: Position, values: readonly Expression[]): Position {
  const [setting] = values.flatMap((value) => findSettingOf(value) ?? [])
  return setting === undefined ? at : { ...at, names: [...at.names, setting] }
}

/** Whether a value has the form of a URL: a string with a scheme, a path, or one below a name. */
function mayBeUrl(
  value: Expression,
  { name, mayBeHost, at }: { name: string; mayBeHost: boolean; at: Position },
): boolean {
  if (value.kind === 'text') return mayBeHost || value.text.includes('://')
  return hasSlash(value, 0) || isBuiltOnName(value, { name, isReturned: at.isReturned })
}

/** Whether a value that is to be a URL begins with a name: `BASE + id`. */
function isBuiltOnName(
  value: Expression,
  { name, isReturned }: { readonly name: string; readonly isReturned: boolean },
): boolean {
  return (
    value.kind === 'join' && value.parts[0]?.kind === 'name' && (isReturned || isBaseName(name))
  )
}

const SAMPLES =
  /^(?:sample|example|fixture|dummy|fake|mock)s?(?:$|_|[A-Z])|_(?:sample|example|fixture)s?$/

const MAX_DEPTH = 12
const MAX_FOUND = 5000

const CONVERSIONS = new RegExp(
  `(?:^|[. ])${anyOf`
    URL URI Uri Url HttpUrl String str create parse Parse from valueOf freeze toHttpUrl get
    getenv optional default unwrap_or unwrap_or_else env fetch trim rtrim
  `}$`,
)
