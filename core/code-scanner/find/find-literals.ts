import { hasPrefix } from '../model/collections.ts'
import type { Candidate } from '../model/file-scan.ts'
import { anyOf } from '../model/name-patterns.ts'
import {
  firstSlot,
  hasScheme,
  onlyReference,
  type Pattern,
  startsOpen,
  startsWithReference,
  toText,
} from '../model/pattern.ts'
import type { Binding, Call, Expression, Program } from '../model/program.ts'
import { isBaseName, isHostName, isNoiseContext } from '../noise/noise.ts'
import { findOpenedNames } from '../noise/noise-calls.ts'
import { authorityOf, startsWithHost, withoutQuery, withoutScheme } from '../noise/url-hosts.ts'
import type { Constructions } from '../resolve/constructions.ts'
import type { Evaluator } from '../resolve/evaluate.ts'
import { hasSlash } from '../resolve/expressions.ts'
import { findSettingName, findSettingOf } from '../resolve/setting-names.ts'
import {
  isCaller,
  isListedHost,
  isRejected,
  type LiteralContext,
  mayBeCalled,
  ROWS,
  rateLiteral,
} from './rate-literal.ts'
import {
  isArticleRecord,
  isEntityRecord,
  isImagePattern,
  isPageBesideApi,
  isProxied,
} from './records.ts'
import { findEntityNames, findRequestedNames, isSample, sharesPosts } from './scope-names.ts'
import { isBelowApiBase } from './unresolved-calls.ts'

interface LiteralInput {
  readonly program: Program
  readonly evaluator: Evaluator
  readonly constructions: Constructions
  /** Calls that mock an API. */
  readonly doubles: ReadonlySet<Call>
  /** URLs of the program's calls; literals that are prefixes of them are bases. */
  readonly called: readonly string[]
  /** Lines and columns of those URLs. */
  readonly calledAt: ReadonlySet<string>
}

/** Finds URLs other than arguments of clients: bases, members of records, other arguments. */
export function findLiterals(input: LiteralInput): readonly Candidate[] {
  const { program, evaluator, constructions, doubles } = input
  const found: Candidate[] = []
  const seen = new Set<number>()
  const called = input.called.map(withoutScheme).sort()
  /** URLs of calls and of other findings, without their queries. */
  const paths = new Set(called.map(withoutQuery))
  const hosts = new Set(called.map((bare) => authorityOf(bare).toLowerCase()))

  function walk(value: Expression, at: Position): void {
    if (at.depth > MAX_DEPTH || found.length >= MAX_FOUND) return
    switch (value.kind) {
      case 'text':
      case 'join':
      case 'format':
      case 'path':
        visitLiteral(value, at)
        return
      case 'name':
        visitName(value, at)
        return
      case 'either':
        walkEach(value.options, withSetting(at, value.options))
        return
      case 'list': {
        // A call that requests one of several sites may request each.
        const mirrors = value.items.some(isCalledText) ? ['mirrors'] : []
        const isTable =
          at.isBound && value.items.length > 1 && value.items.every(({ kind }) => kind === 'record')
        walkEach(value.items, { ...at, names: [...at.names, ...(isTable ? [ROWS] : mirrors)] })
        return
      }
      case 'record': {
        if (isImagePattern(value.entries)) return
        const isEntity = at.isEntity || isEntityRecord(value.entries)
        const isArticle = isArticleRecord(value.entries)
        for (const [key, entry] of Object.entries(value.entries)) {
          // A key may contain the name of its group: `'mirror.eu'`.
          const group = key.slice(0, Math.max(0, key.indexOf('.')))
          const isLink = isEntity && isPageBesideApi(value.entries, key)
          const name = isProxied(value.entries, key) ? 'upstream' : isLink ? 'href' : key
          walk(entry, {
            ...at,
            depth: at.depth + 1,
            names: group === '' ? [...at.names, name] : [...at.names, group, name],
            isEntity,
            isArticle,
          })
        }
        return
      }
      case 'call':
        // The result of a conversion has the purpose of its argument.
        if (CONVERSIONS.test(value.call.callee) && !doubles.has(value.call)) {
          walkEach(value.call.args.slice(0, 2), withSetting(at, [value]))
        }
    }
  }

  function isCalledText(item: Expression): boolean {
    return item.kind === 'text' && hasScheme(item.text) && hasPrefix(called, baseOf(item.text))
  }

  function walkEach(values: readonly Expression[], at: Position): void {
    for (const value of values) walk(value, { ...at, depth: at.depth + 1 })
  }

  function add(
    { place: { line, column } }: Expression,
    candidate: Pick<Candidate, 'url' | 'confidence' | 'needsCatalogue'> & Partial<Candidate>,
  ): void {
    found.push({ method: undefined, via: 'literal', line, column, ...candidate })
  }

  /** A base that another file or a setting has. */
  function visitName(value: Expression & { readonly name: string }, at: Position): void {
    const isOwn = value.name.startsWith('this.')
    if (isOwn || !isBaseName(at.names.at(-1) ?? '') || seen.has(value.place.index)) return
    const url = evaluator.evaluate({ value, scope: at.scope })
    if (url === undefined || onlyReference(url) === undefined) return
    seen.add(value.place.index)
    add(value, { url, confidence: 0.6, needsCatalogue: true, via: 'base' })
  }

  function visitLiteral(value: Expression, at: Position): void {
    const name = at.names.at(-1) ?? ''
    const mayBeHost =
      isHostName(name) ||
      isBaseName(name) ||
      isListedHost(value, at) ||
      (at.isBound && hasPrefix(called, hostStart(value)))
    if (seen.has(value.place.index) || !mayBeUrl(value, { mayBeHost, at })) return
    const own = evaluator.evaluate({ value, scope: at.scope })
    if (own === undefined) return
    const pattern = firstSlot(own) ? constructions.toExternal(own) : own
    const isCode = () => at.role === 'other' && !isNoiseContext(at)
    const isAddress = at.isReturned || isBaseName(name) || isCaller(at.callee)
    if (isAddress && isBelowApiBase(value, toText(pattern)) && isCode()) {
      seen.add(value.place.index)
      add(value, { url: pattern, confidence: 0.4, needsCatalogue: true, hasApiName: true })
      return
    }
    if (startsOpen(pattern) && !hasScheme(pattern)) {
      // A path below a name of another file, which may be a base.
      const isPath = startsWithReference(pattern) && onlyReference(pattern) === undefined
      if (!isPath || !isCode()) return
      seen.add(value.place.index)
      add(value, { url: pattern, confidence: 0.6, needsCatalogue: !isAddress })
      return
    }
    const url = toText(pattern).trim()
    if (!hasScheme(url) && !(mayBeHost && startsWithHost(url))) return
    seen.add(value.place.index)
    addRated(value, { pattern, context: toContext(value, { url, at }) })
  }

  function addRated(
    value: Expression,
    { pattern: url, context }: { readonly pattern: Pattern; readonly context: LiteralContext },
  ): void {
    if (isRejected(context)) {
      // Calls of other files may build on a constant with the name of a link.
      const isBase = mayBeCalled(context)
      if (isBase) add(value, { url, confidence: 0.4, needsCatalogue: true, needsCall: true })
      return
    }
    paths.add(withoutQuery(context.bare))
    const { isSure, isBase, confidence } = rateLiteral(context)
    add(value, { url, confidence, needsCatalogue: !isSure, via: isBase ? 'base' : 'literal' })
  }

  function toContext(
    value: Expression,
    { url, at }: { readonly url: string; readonly at: Position },
  ): LiteralContext {
    const bare = withoutScheme(url)
    return {
      ...{ ...at, value, url, bare, isUrl: hasScheme(url) },
      isCalled: at.isRequested || hasPrefix(called, baseOf(url)),
      isExtended: at.isAppended && paths.has(withoutQuery(bare)),
      isCalledHost: hosts.has(authorityOf(bare).toLowerCase()),
      isSample: () => isSample(program, at.scope),
      sharesPosts: () => sharesPosts(program, { scope: at.scope, url }),
    }
  }

  for (const [value, position] of listPositions(input)) {
    walk(value, { ...NOWHERE, ...position })
  }
  return found
}

/** Bindings, then arguments of calls, then other strings. */
function* listPositions({
  program,
  doubles,
  calledAt,
}: LiteralInput): Generator<readonly [Expression, Partial<Position>]> {
  const opened = findOpenedNames(program)
  const isRequestedName = findRequestedNames(program, calledAt)
  const ofEntities = new Set(
    program.calls.flatMap(({ callee, named }) =>
      callee.startsWith('new ') && isEntityRecord(named)
        ? Object.values(named).map(({ place }) => place.index)
        : [],
    ),
  )
  const isEntityName = findEntityNames(program)
  const isEntity = ({ place }: Expression) => ofEntities.has(place.index)
  for (const { name, value, scope, kind } of program.bindings) {
    if (value.kind === 'unknown') continue
    const isReturned = kind === 'return'
    const names = [isReturned ? program.scopes[scope]?.name || name : name]
    const role = opened.has(name, scope) ? 'link' : 'other'
    const isAppended = isExtension({ name, value })
    const isMember = isEntityName({ name, scope })
    const flags = { isBound: true, isReturned, isEntity: isMember || isEntity(value), isAppended }
    const isRequested = kind === 'variable' && isRequestedName(name, scope)
    yield [value, { names, role, scope, ...flags, isRequested }]
  }
  for (const call of program.calls) {
    if (doubles.has(call)) continue
    const { callee, args, named, scope } = call
    const setting = findSettingName(call)
    const names = setting === undefined ? findSetNames(call) : [setting]
    const position = { names, callee, scope, isBound: setting !== undefined }
    const [first, ...rest] = args
    if (first) yield [first, { ...position, role: CUTS.test(callee) ? 'documentation' : 'other' }]
    const isLink = first?.kind === 'text' && ENTRIES.test(callee) && LINK_KEY.test(first.text)
    for (const value of rest) yield [value, isLink ? { ...position, role: 'link' } : position]
    for (const [key, value] of Object.entries(named)) {
      const name = /^(?:default|fallback)$/.test(key) ? (setting ?? key) : key
      yield [value, { ...position, isEntity: isEntity(value), names: [name] }]
    }
  }
  for (const { value, role, scope } of program.loose) yield [value, { role, scope }]
}

/** Where a value occurs in a program. */
interface Position
  extends Pick<
    LiteralContext,
    'names' | 'callee' | 'role' | 'isBound' | 'isReturned' | 'isEntity' | 'isArticle'
  > {
  readonly scope: number
  readonly depth: number
  /** Whether the value is appended to the name's own value: `url += '/users'`. */
  readonly isAppended: boolean
  /** Whether the value belongs to a variable that a call in its function requests. */
  readonly isRequested: boolean
}

const NOWHERE: Position = {
  ...{ names: [], callee: '', role: 'other', scope: 0, depth: 0 },
  ...{ isBound: false, isReturned: false, isEntity: false, isArticle: false, isAppended: false },
  isRequested: false,
}

/** Adds the name of the setting that one of several values reads. */
function withSetting(at: Position, values: readonly Expression[]): Position {
  const [setting] = values.flatMap((value) => findSettingOf(value) ?? [])
  return setting === undefined ? at : { ...at, names: [...at.names, setting] }
}

function isExtension({ name, value }: Pick<Binding, 'name' | 'value'>): boolean {
  const first = value.kind === 'join' ? value.parts[0] : undefined
  return first?.kind === 'name' && first.name === name
}

/** The header or base that a call sets, as a name: `setHeader('Referer', url)`, `setBase(url)`. */
function findSetNames({ callee, args: [first] }: Call): readonly string[] {
  if (/headers?(?:\.\w+)?$/i.test(callee)) {
    return first?.kind === 'text' ? [first.text.replaceAll('-', '_')] : []
  }
  const [, name] = /\.set_?((?:\w*_)?(?:[bB]ase|[eE]ndpoint|[aA]pi)\w*)$/.exec(callee) ?? []
  return name === undefined ? [] : [name]
}

/** Whether a value has the form of a URL: a string with a scheme, a path, or a path below a name. */
function mayBeUrl(
  value: Expression,
  { mayBeHost, at }: { readonly mayBeHost: boolean; readonly at: Position },
): boolean {
  if (value.kind === 'text') return mayBeHost || value.text.includes('://')
  if (hasSlash(value, 0) || (mayBeHost && value.kind === 'format')) return true
  const [first] = value.kind === 'join' ? value.parts : []
  if (first?.kind !== 'name') return false
  return at.isReturned || isBaseName(at.names.at(-1) ?? '') || isBaseName(first.name)
}

/** A URL without its scheme and a slash at its end. */
function baseOf(url: string): string {
  return withoutScheme(url).replace(/\/$/, '')
}

/** The text that a value begins with, if it may be a host: `link=api.acme.io/$1`; else no URL's. */
function hostStart(value: Expression): string {
  const first = value.kind === 'join' ? value.parts[0] : value
  return first?.kind === 'text' && /^[\w-]+\.\w/.test(first.text) ? first.text : ' '
}

/** Calls that remove their first argument. */
const CUTS = /\.(?:replace\w*|split|removePrefix|removeprefix|trimStart|sub|gsub|delete_prefix)$/

/** Calls that add an entry to a record or to headers: `put('homepage', url)`. */
const ENTRIES = /\.(?:put|set|add|append|value|addProperty|setHeader|addHeader|header)$/

/** Keys of links in records and headers. */
const LINK_KEY = /^(?:home[_-]?page|(?:http[_-]?)?referr?er|original[_-]?ur[il])$/i

const MAX_DEPTH = 12
const MAX_FOUND = 5000

const CONVERSIONS = new RegExp(
  `(?:^|[. ])${anyOf`
    URL URI Uri Url HttpUrl String str create parse Parse from valueOf freeze toHttpUrl get
    getenv optional default unwrap_or unwrap_or_else env fetch trim rtrim
  `}$`,
)
