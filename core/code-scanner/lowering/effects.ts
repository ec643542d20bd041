import { lastName } from '../model/name-patterns.ts'
import type { Call, Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import {
  below,
  builtFrom,
  eitherOf,
  isTextLike,
  memberOf,
  mergeRecords,
  plainText,
  separated,
  withSeparator,
} from './built-texts.ts'
import type { Draft } from './draft.ts'
import { joinOf, placeOf, unknownAt } from './lowered.ts'
import { READERS } from './readers.ts'

/** Arguments of a call, by position and by name. */
export type CallArguments = Pick<Call, 'args' | 'named'>

/** A call or construction whose parts are lowered. */
export interface LoweredCall extends Omit<Call, 'scope'> {
  /** Last part of the callee. */
  readonly method: string
  readonly node: SyntaxNode
}

/** The result of a call that only changes or builds a string; undefined if it does not apply. */
export type Effect = (call: LoweredCall, draft: Draft) => Expression | undefined

/** Builds `https://host/path` from its parts; undefined without a host. */
export function originOf(parts: {
  readonly scheme?: Expression | undefined
  readonly host?: Expression | undefined
  readonly path?: Expression | undefined
}): Expression | undefined {
  const { scheme, host, path } = parts
  if (!host) return undefined
  const { place } = host
  const first = scheme ?? { kind: 'text', text: 'https', place }
  const mark: Expression = { kind: 'text', text: '://', place }
  const origin: Expression = { kind: 'join', parts: [first, mark, host], place }
  return path ? { kind: 'path', parts: [origin, path], place } : origin
}

/** Effects of library functions on strings, by the names that language tables use. */
export const EFFECTS = {
  /**
   * Returns its first argument, which may be encoded or trimmed: `str(url)`, `Uri.parse(url)`; also
   * `stringifyUrl({ url })`.
   */
  same: ({ args: [first], named }) =>
    (first?.kind === 'record' ? first.entries.url : undefined) ??
    first ??
    named.url ??
    named.base_url,
  /** Builds a string that begins with its argument: `new StringBuilder(base)`, `Uri.parse(base)`. */
  built: ({ callee, args: [first], place }) =>
    first || /String\w+$/.test(callee)
      ? builtFrom(first ?? { kind: 'text', text: '', place })
      : undefined,
  /** Builds a string that begins with its receiver, unless that is a class: `url.newBuilder()`. */
  builtOn: ({ receiver }) => (receiver && !isClassName(receiver) ? builtFrom(receiver) : undefined),
  /** Returns its second argument: `cast(str, url)`. */
  sameSecond: ({ args }) => args[1],
  /** Returns its last argument: `str_replace('a', 'b', $url)`. */
  sameLast: ({ args }) => args.at(-1),
  /** Returns its receiver: `url.trim()`. */
  sameReceiver: ({ receiver }) => receiver,
  /** Returns its receiver unless that is a class, whose methods are factories. */
  sameObject: ({ receiver }) => (receiver && isClassName(receiver) ? undefined : receiver),
  /** Returns its receiver if that is built from literals. */
  sameText: ({ receiver }) => (receiver && isTextLike(receiver) ? receiver : undefined),
  /** Joins its arguments with slashes: `path.join(a, b)`. */
  path: ({ args }) => pathOf(args),
  /** Ends its first argument with one slash: `trailingslashit($url)`. */
  slashed: ({ args: [first] }) =>
    first && pathOf([first, { kind: 'text', text: '/', place: first.place }]),
  /** Appends path segments to its receiver: `base.resolve('/x')`. */
  pathOn: ({ receiver, args }) =>
    receiver && args.length > 0 ? pathOf([receiver, ...itemsOf(args)]) : undefined,
  /** Appends path segments to a receiver that is built from literals. */
  pathOnText: ({ receiver, args }) =>
    receiver && isTextLike(receiver) && args.length > 0
      ? pathOf([receiver, ...itemsOf(args)])
      : undefined,
  /** Appends a path to the base after it: `withBase(path, base)`. */
  pathOnSecond: ({ args: [path, base] }) => (path && base ? pathOf([base, path]) : path),
  /** Concatenates its arguments: `string.Concat(a, b)`. */
  join: ({ args }) => joinOf(args),
  /** Concatenates its receiver and arguments: `url.concat(x)`. */
  joinOn: ({ receiver, args }) =>
    receiver && receiver.kind !== 'list' && args.length > 0
      ? joinOf([receiver, ...args])
      : undefined,
  /** Concatenates a receiver that is built from literals and the first argument. */
  joinOnText: ({ receiver, args: [first] }) =>
    receiver && isTextLike(receiver) && first ? joinOf([receiver, first]) : undefined,
  /** Fills a format with the arguments after it; a locale may come first. */
  format: ({ args, named }) => {
    const [format, ...values] = isLocale(args[0]) ? args.slice(1) : args
    return format && { kind: 'format', format, values: itemsOf(values), named, place: format.place }
  },
  /** Fills a format; other names in it are variables: `format!("{base}/x")`. */
  formatNames: ({ args: [format, ...values], named, node }, draft) => {
    if (format?.kind !== 'text') return undefined
    const all = { ...named }
    for (const [, name = ''] of format.text.matchAll(/\{([A-Za-z_]\w*)(?::[^}]*)?\}/g)) {
      if (!Object.hasOwn(all, name)) all[name] = draft.name(name, node)
    }
    return { kind: 'format', format, values, named: all, place: format.place }
  },
  /** Fills its receiver: `'{}/x'.format(base)`, `'{a}'.format_map({…})`. */
  formatOn: ({ receiver, args, named }) => {
    const [first] = args
    const record = first?.kind === 'record' ? { values: [], named: first.entries } : undefined
    return (
      receiver && {
        kind: 'format',
        format: receiver,
        ...(record ?? { values: args, named }),
        place: receiver.place,
      }
    )
  },
  /** Joins a list with the separator after it: `strings.Join(list, "/")`. */
  joinList: ({ args: [list, separator] }) =>
    list && withSeparator(list, plainText(separator) ?? ''),
  /** Joins the arguments after a separator: `String.join("/", a, b)`, `implode('/', $list)`. */
  joinWith: ({ args: [separator, ...items] }) => {
    const [first] = items
    const list =
      items.length === 1 && first?.kind === 'list' ? first.items : first ? items : undefined
    return separator && list && separated(separator, list)
  },
  /** Joins its receiver, a list: `list.join('/')`. */
  joinListOn: ({ receiver, args: [separator] }) =>
    receiver?.kind === 'list' ? withSeparator(receiver, plainText(separator) ?? '') : undefined,
  /** Joins a list with its receiver: `'/'.join(list)`. */
  joinBy: ({ receiver, args: [list] }) => {
    const separator = plainText(receiver)
    return list && separator !== undefined ? withSeparator(list, separator) : undefined
  },
  /** Reads a setting by name, with a fallback as the second argument. */
  setting: settingOf,
  /** Reads a setting whose fallback is built from literals. */
  settingText: (call) => (call.args[1] && isTextLike(call.args[1]) ? settingOf(call) : undefined),
  ...READERS,
  /**
   * Builds a URL of named parts, of scheme, host and path, or of a base and a path:
   * `new URI("https", host, "/v1", null)`, `new Uri(base, p)`.
   */
  url: ({ callee, args: [first, ...rest], named }) => {
    const { scheme, Scheme = scheme, host, Host = host, path, Path = path } = named
    const isBuilder = callee.endsWith('Builder')
    const isSplit = isBuilder || rest.length > 1
    const known = rest.findIndex(({ kind }) => kind !== 'unknown')
    const at = isBuilder ? 0 : known
    const ends = rest.slice(at + 1)
    const part = isSplit
      ? (ends.find(isTextLike) ?? ends[isBuilder ? 1 : ends.length])
      : rest[known]
    // A scheme that is no literal is usually a setting.
    const knownScheme = first?.kind === 'text' ? first : undefined
    const split = isSplit ? originOf({ scheme: knownScheme, host: rest[at] }) : undefined
    const base = originOf({ scheme: Scheme, host: Host }) ?? split ?? first
    // `new Uri("…", UriKind.Absolute)` has one part.
    const isKind = part?.kind === 'name' && part.name.includes('UriKind.')
    const end = Path ?? (isKind ? undefined : part)
    if (!base || !end) return base
    return { ...below(base, end), place: end === rest[0] ? end.place : base.place }
  },
  /** Builds a URL of the parts in a record: `url.format({ host, pathname: '/x' })`. */
  originOfRecord: ({ args: [first] }) => {
    if (first?.kind !== 'record' && first?.kind !== 'name') return undefined
    const host = eitherOf([memberOf(first, 'host'), memberOf(first, 'hostname')])
    return originOf({ host, path: first.kind === 'record' ? first.entries.pathname : undefined })
  },
  /** Returns the name that its argument has: `nameof(Billing)`. */
  nameOf: ({ args: [first], place }) =>
    first?.kind === 'name' ? { kind: 'text', text: lastName(first.name), place } : undefined,
  /** Sets the field of its name: `base_uri 'https://…'`. */
  field: ({ method, args: [value], node }, draft) =>
    value && declareField({ name: method, value, node }, draft),
  /** Sets the field that its first argument names: `option :url, default: 'https://…'`. */
  namedField: ({ args: [first, second], named, node }, draft) => {
    const name = plainText(first)
    const value = named.default ?? second
    return name !== undefined && value ? declareField({ name, value, node }, draft) : undefined
  },
  /** Imports a module or a library: `require 'faraday'`, `include HTTParty`. */
  import: ({ args: [first], node }, draft) => {
    const module = first?.kind === 'name' ? first.name : plainText(first)
    if (!first || module === undefined) return undefined
    return draft.import({ module, local: '', imported: '*', place: first.place }) ?? unknownAt(node)
  },
  /** Imports a neighbouring file: `require_relative 'config'`. */
  importFile: ({ args: [first], node }, draft) => {
    const path = plainText(first)
    const module = `./${path}`
    if (path === undefined) return undefined
    draft.import({ module, local: '*', imported: '*', place: placeOf(node) })
    return unknownAt(node)
  },
  /** Calls the method that its first argument names: `client.send(:get, url)`. */
  callsMethod: ({ callee, receiver, args: [first, ...rest], named, place }, draft) => {
    const method = plainText(first)
    const owner = callee.slice(0, callee.lastIndexOf('.'))
    const args = method === undefined && first ? [first, ...rest] : rest
    const called = `${owner}.${method ?? 'send'}`
    return receiver && draft.call({ callee: called, receiver, args, named, place })
  },
  /** Returns its receiver; its arguments describe an error: `url.expect("…")`. */
  failsWith: ({ receiver, args }, draft) => {
    for (const value of args) draft.loose(value, 'error')
    return receiver
  },
  /** Returns the result of its argument, a function that runs on first use: `lazy(connect)`. */
  lazy: ({ args: [first], place }, draft) =>
    first?.kind === 'name' ? draft.resultOf({ callee: first.name, place }) : first,
  /** Returns its receiver or its argument: `a.orElse(b)`. */
  orElse: ({ receiver, args: [first] }) =>
    receiver && first
      ? { kind: 'either', options: [receiver, first], place: receiver.place }
      : undefined,
  /** Returns any of its arguments: `cmp.Or(a, b)`. */
  either: ({ args }) => eitherOf(args),
  /** Returns a list of its arguments: `List.of(a, b)`. */
  list: ({ args, place }) => ({ kind: 'list', items: args, place }),
  /** Returns a record of its named arguments: `dict(url=x)`. */
  record: ({ args, named, place }) =>
    args.length > 0 ? undefined : { kind: 'record', entries: named, place },
  /** Merges its arguments, of which later ones win: `array_merge($defaults, $options)`. */
  merge: ({ args }) => mergeRecords(args),
  /** Declares a field with a default: `Field(default=url)`, `Field(url)`. */
  preset: ({ args, named }) => named.default ?? named.server_default ?? args[0],
  /** Calls its first argument with the others: `pool.submit(requests.get, url)`. */
  callsFirst: ({ args, named }, draft) => callGiven({ args, named }, draft),
  /** Calls its second argument with later ones: `loop.run_in_executor(None, requests.get, url)`. */
  callsSecond: ({ args, named }, draft) => callGiven({ args: args.slice(1), named }, draft),
  /** Appends to the variable that it is called on: `url.push_str("/x")`. */
  appends: ({ receiver, args: [first] }, draft) => {
    if (receiver?.kind !== 'name' || !first) return undefined
    const value = { kind: 'join', parts: [receiver, first], place: first.place } as const
    draft.assign({ name: receiver.name, value, place: receiver.place })
    return receiver
  },
  /** Appends a path to the variable that it is called on: `url.set_path("/x")`. */
  setsPath: ({ receiver, args: [first] }, draft) => {
    if (receiver?.kind !== 'name' || !first) return undefined
    const value = below(receiver, first)
    draft.assign({ name: receiver.name, value, place: receiver.place })
    return receiver
  },
  /** Returns an unknown value: escaped parts, random values. */
  unknown: ({ node }) => unknownAt(node),
} satisfies Readonly<Record<string, Effect>>

export type EffectName = keyof typeof EFFECTS

/** `HttpRequest` of `HttpRequest.newBuilder()`. */
function isClassName(value: Expression): boolean {
  return value.kind === 'name' && /(?:^|\.)[A-Z]\w*[a-z]\w*$/.test(value.name)
}

function pathOf(parts: readonly Expression[]): Expression | undefined {
  const [first] = parts
  return first && { kind: 'path', parts, place: first.place }
}

function declareField(
  { name, value, node }: { readonly name: string; readonly value: Expression; node: SyntaxNode },
  draft: Draft,
): Expression {
  draft.bind({ name: `this.${name}`, value, isExported: true, place: placeOf(node) })
  return unknownAt(node)
}

/** Records the call of a function argument; the outer call is recorded as well. */
function callGiven({ args, named }: CallArguments, draft: Draft): undefined {
  const [called, ...rest] = args
  if (called?.kind !== 'name') return undefined
  const { name: callee, place } = called
  draft.call({ callee, receiver: ownerOf(called), args: rest, named, place })
  return undefined
}

/** Returns the owner in a member's name: `a.b` of `a.b.c`. */
export function ownerOf(value: Expression & { readonly kind: 'name' }): Expression | undefined {
  const at = value.name.lastIndexOf('.')
  return at < 0 ? undefined : { ...value, name: value.name.slice(0, at) }
}

function settingOf({ args: [, fallback, more] }: LoweredCall): Expression | undefined {
  return fallback && !more
    ? { kind: 'either', options: [fallback], place: fallback.place }
    : undefined
}

function itemsOf(args: readonly Expression[]): readonly Expression[] {
  return args.flatMap((value) => (value.kind === 'list' ? value.items : [value]))
}

/** Whether a value is a locale, which precedes a format: `Locale.ROOT`. */
function isLocale(value: Expression | undefined): boolean {
  return value?.kind === 'name' && /^(?:Locale|CultureInfo)\./.test(value.name)
}
