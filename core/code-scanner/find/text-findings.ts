import type { Candidate } from '../model/file-scan.ts'
import { hasScheme, startsOpen, toText } from '../model/pattern.ts'
import type { Call, Expression, Program, TextRole } from '../model/program.ts'
import {
  isBaseGroup,
  isBaseName,
  isHostName,
  isNoiseContext,
  isNoiseHost,
  isNoiseUrl,
  isProse,
  isServiceHost,
  isSiteHost,
  isSiteOf,
  isVagueName,
  looksLikeApi,
} from '../noise/noise.ts'
import { startsWithHost } from '../noise/url-hosts.ts'
import type { Evaluator } from '../resolve/evaluate.ts'
import { hasSlash } from '../resolve/expressions.ts'
import { findOpenedNames } from './opened-names.ts'
import { isPageOfThing, isThingRecord } from './thing-records.ts'
import { isBelowApiBase } from './untold-calls.ts'

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
  const hosts = new Set(called.map(authorityOf))
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
        for (const option of value.options) walk(option, below(at))
        return
      case 'list':
        for (const item of value.items) walk(item, below(at))
        return
      case 'record':
        walkRecord(value.entries, at)
        return
      case 'call':
        // What only makes a URL of a text leaves it what it is given to.
        if (CONVERSIONS.test(value.call.callee) && !doubles.has(value.call)) {
          for (const arg of value.call.args.slice(0, 2)) walk(arg, below(at))
        }
        return
      default:
        return
    }
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
    if (seen.has(value.place.index)) return
    const name = at.names.at(-1) ?? ''
    if (value.kind === 'text') {
      const isUrl = value.text.includes('://')
      if (!isUrl && !(isHostName(name) || isBaseName(name))) return
    }
    if (
      value.kind !== 'text' &&
      !hasSlash(value, 0) &&
      !isBuiltOnName(value, { name, isReturned: at.isReturned })
    )
      return
    const pattern = evaluator.text({ value, scope: at.scope })
    if (pattern === undefined) return
    const isAsked = at.isReturned || isBaseName(name) || CALLERS.test(at.callee)
    const isCode = at.role === 'other' && !isNoiseContext(at)
    if (isAsked && isCode && isBelowApiBase(value, toText(pattern))) {
      const { line, column } = value.place
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
    const isUrl = hasScheme(url)
    if (!isUrl && !((isHostName(name) || isBaseName(name)) && startsWithHost(url))) return
    seen.add(value.place.index)
    if (isUrl && isProse(url)) return
    if (at.role === 'error' || at.role === 'documentation' || isNoiseHost(url)) return
    const bare = withoutScheme(url)
    const isCalled = hasBeginning(called, bare.replace(/\/$/, ''))
    // An address with nothing but a question to add is where a browser is sent (RFC 6749 3.1).
    const isConsent = at.callee !== '' && /\/oauth2?\/authorize$/.test(bare)
    const isNoise = at.role === 'link' || isConsent || isNoiseContext(at) || isSample(at.scope)
    // Of a whole site, even if an API is below it.
    const isWhole = /^[^/]*\/?$/.test(bare)
    if (isNoise && (!isCalled || isWhole)) return
    const isSite = isVagueName(name) && isSiteHost(url) && !looksLikeApi(url)
    if (isSite && isWhole) return
    // What a property gives that is a whole site is a link, unless something is asked below it.
    const isReturnedSite =
      at.isReturned &&
      isWhole &&
      !isCalled &&
      isSiteHost(url) &&
      !looksLikeApi(url) &&
      !/api/i.test(name)
    if (at.isAppended && paths.has(withoutQuery(bare))) return
    if (!isCalled && isNoiseUrl(url)) return
    const isNamed =
      (isBaseName(name) || isHostName(name) || at.names.some(isBaseGroup)) &&
      (isUrl || looksLikeApi(url) || isServiceHost(url))
    const isSure =
      isCalled ||
      (isNamed &&
        !isSiteOf(at.names, url) &&
        !isPageOfThing(value, { url, ...at }) &&
        !isSite &&
        !isReturnedSite) ||
      looksLikeApi(url) ||
      hosts.has(authorityOf(bare)) ||
      CALLERS.test(at.callee)
    const isBase = (isCalled || isNamed) && at.isBound
    found.push({
      url: pattern.trim(),
      method: undefined,
      via: isBase ? 'base' : 'literal',
      line: value.place.line,
      column: value.place.column,
      confidence: isCalled ? 0.8 : isNamed || looksLikeApi(url) ? 0.7 : isSure ? 0.6 : 0.4,
      needsCatalogue: !isSure,
    })
  }

  /** A path below a name of another file, which may turn out to be a base. */
  function judgeOpen(
    value: Expression,
    { pattern, at }: { readonly pattern: string; readonly at: Position },
  ): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: marks of patterns
    const isPath = value.kind !== 'text' && /^\x01\d+\x02./.test(pattern)
    if (!isPath || at.role !== 'other' || isNoiseContext(at)) return
    const name = at.names.at(-1) ?? ''
    seen.add(value.place.index)
    found.push({
      url: pattern,
      method: undefined,
      via: 'literal',
      line: value.place.line,
      column: value.place.column,
      confidence: 0.6,
      needsCatalogue: !(isBaseName(name) || at.isReturned || CALLERS.test(at.callee)),
    })
  }

  for (const { name, value, scope, kind } of program.bindings) {
    if (value.kind === 'name' || value.kind === 'unknown') continue
    const isReturned = kind === 'return'
    // What a function gives goes by the function's name.
    const given = isReturned ? program.scopes[scope]?.name || name : name
    const role = opened.has(name, scope) ? ('link' as const) : ('other' as const)
    const at = { names: [given], callee: '', role, scope, depth: 0 }
    const first = value.kind === 'join' ? value.parts[0] : undefined
    const isAppended = first?.kind === 'name' && first.name === name
    walk(value, { ...at, isBound: true, isReturned, isThing: false, isAppended })
  }
  for (const call of program.calls) {
    if (doubles.has(call)) continue
    const at = {
      names: namesOfHeader(call),
      callee: call.callee,
      role: 'other' as const,
      scope: call.scope,
      depth: 0,
      isBound: false,
      isReturned: false,
      isThing: false,
    }
    for (const arg of call.args) walk(arg, at)
    for (const [key, arg] of Object.entries(call.named)) walk(arg, { ...at, names: [key] })
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

/** Whether some of sorted texts begins with another one. */
function hasBeginning(sorted: readonly string[], beginning: string): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < beginning) low = middle + 1
    else high = middle
  }
  return sorted[low]?.startsWith(beginning) ?? false
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

const CONVERSIONS =
  /(?:^|[. ])(?:URL|URI|Uri|Url|HttpUrl|String|str|create|parse|Parse|from|valueOf|freeze|toHttpUrl|get|getenv|optional|default|unwrap_or|unwrap_or_else|env|fetch|trim|rtrim)$/

/** Names of functions that call something, as far as names tell. */
const CALLERS =
  /(?:^|[._ ]|[a-z])(?:[Ff]etch|[Rr]equest|[Gg]et|[Pp]ost|[Pp]ut|[Pp]atch|[Dd]elete|[Cc]all|[Aa]pi|API|[Cc]lient|[Hh]ttp|HTTP|[Ss]end|[Dd]ownload|[Ii]nvoke|[Qq]uery|[Ww]ebhook|[Cc]onnect|[Rr]pc|[Gg]raphql|[Pp]rovider|[Ee]ndpoint|[Pp]roxy|[Ss]ocket|BaseUrl|BaseURL)\w*$/

function withoutScheme(url: string): string {
  return url.replace(/^(?:[a-z+]+:)?\/\//i, '')
}

function withoutQuery(bare: string): string {
  return bare.replace(/[?#].*$/s, '')
}

function authorityOf(bare: string): string {
  return /^[^/?#]*/.exec(bare)?.[0]?.toLowerCase() ?? ''
}
