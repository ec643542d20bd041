import { lastName, matchNames } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import { toSettingName } from '../model/setting-keys.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { memberOf, plainText, toTokenName } from './built-texts.ts'
import type { Draft } from './draft.ts'
import type { Effect, LoweredCall } from './effects.ts'
import { partOf } from './names.ts'

/** Effects of calls that read settings and members; see `EFFECTS`. */
export const READERS = {
  /** Reads an environment variable, with a fallback: `getenv("X", "https://…")`. */
  environment: ({ receiver, args: [key, second], named }) => {
    const fallback = second ?? named.default ?? named.fallback
    const name = plainText(key)
    if (!key || name === undefined) return key?.kind === 'name' ? fallback : undefined
    const isOwner = receiver?.kind === 'name' && /env(?:iron)?$/i.test(receiver.name)
    const owner = isOwner ? receiver.name : 'ENV'
    return orElse({ kind: 'name', name: `${owner}.${name}`, place: key.place }, fallback)
  },
  /** Reads an entry of a receiver named like a mapping: `options.get("url", "https://…")`. */
  member: ({ receiver, args: [key, fallback], named }) => {
    const name = plainText(key)
    const owner = receiver?.kind === 'name' ? receiver.name.toLowerCase() : ''
    if (!receiver || Object.keys(named).length > 0) return undefined
    const isMapping = receiver.kind === 'record' || MAPPINGS(owner)
    if (isMapping && name !== undefined && !/[/:]/.test(name)) {
      return orElse(memberOf(receiver, name), fallback)
    }
    return ADDRESSES(owner) ? orElse(memberOf(receiver, '*'), fallback) : undefined
  },
  /** Exports the settings of a framework for all files: `defineNuxtConfig({ … })`. */
  frameworkSettings: ({ args: [value], place }, draft) => {
    if (value) draft.export({ name: '__settings', value, place })
    return value
  },
  /** Returns such settings: `useRuntimeConfig()`. */
  runtimeSettings: ({ place }) => ({ kind: 'name', name: '__settings.runtimeConfig', place }),
  /** Returns an object of the class, or the value of the token, that its first argument names. */
  instance: ({ args: [first], place }, draft) => {
    if (first?.kind !== 'name') return undefined
    if (/^[A-Z][A-Z\d_]+$/.test(first.name)) {
      return { kind: 'name', name: toTokenName(first.name), place }
    }
    return draft.resultOf({ callee: `new ${first.name}`, place })
  },
  /**
   * Reads a setting, or one of a section: `config.GetSection("Geo")`,
   * `section.GetValue<string>("BaseUrl")`, `section.Get<Options>()`.
   */
  section: ({ receiver, args: [key, fallback], node, place }, draft) => {
    if (fallback) return undefined
    const type = /\.Get<([\w.]+)>$/.exec(partOf(node, 'function')?.text ?? '')?.[1]
    if (type !== undefined && receiver?.kind === 'name' && SECTION.test(receiver.name)) {
      return draft.resultOf({ callee: `new ${lastName(type)}`, place })
    }
    return settingOf(receiver, key, { node, draft })
  },
  /** Reads a member of its first argument: `getattr(settings, "URL", "https://…")`. */
  memberOfFirst: ({ args: [owner, key, fallback] }) => {
    const name = plainText(key)
    return owner?.kind === 'name' && name ? orElse(memberOf(owner, name), fallback) : fallback
  },
  /** Reads an entry of any receiver, unless it is a request: `options.fetch(:url) { 'x' }`. */
  entry: ({ receiver, args, node }, draft) => {
    const [key, second] = args
    if (receiver?.kind !== 'name' || !key || isRequest(args)) return undefined
    const name = plainText(key)
    const fallback = second ?? lastOfBlock(node, draft)
    if (name === undefined && receiver.name === 'ENV') return fallback
    return orElse(memberOf(receiver, name ?? '*'), fallback)
  },
  /** Reads a nested entry: `D.dig(:a, :b)`. */
  dig: ({ receiver, args }) =>
    receiver?.kind === 'name'
      ? args.reduce<Expression>((value, key) => memberOf(value, plainText(key) ?? '*'), receiver)
      : undefined,
  /** Returns an object of the type that it is called on: `Args::parse()`. */
  ofType: ({ callee, args, place }, draft) => {
    const type = /^((?:\w+\.)*[A-Z]\w*)\.\w+$/.exec(callee)?.[1]
    return args.length === 0 && type !== undefined
      ? draft.resultOf({ callee: `new ${type}`, place })
      : undefined
  },
  /** Selects the vendor of a login by its name: `Socialite::driver('github')`. */
  login: ({ args: [first], place }, draft) => {
    const module = `login/${plainText(first)}`
    return draft.import({ module, local: '', imported: '*', place })
  },
} satisfies Readonly<Record<string, Effect>>

/** Returns the setting of a key in a configuration, or in a section of it. */
export function settingOf(
  owner: Expression | undefined,
  key: Expression | undefined,
  { node, draft }: { readonly node: SyntaxNode; readonly draft: Draft },
): Expression | undefined {
  if (key?.kind !== 'text' || owner?.kind !== 'name') return undefined
  const bound = draft.localValue(owner.name)
  const section = SECTION.exec(bound?.kind === 'name' ? bound.name : owner.name)?.[1]
  if (section === undefined && !CONFIGURATION.test(owner.name)) return undefined
  const parts = [...(section?.split(':') ?? []), ...key.text.split(/[:.]|__/)]
  return draft.name(toSettingName(parts), node)
}

const SECTION = /^ENV\.([\w:]+)$/

const CONFIGURATION = /(?:^|[._])(?:config(?:uration)?|(?:app)?settings?)$|Configuration$/i

/** Whether arguments are a URL or an HTTP method rather than a key. */
function isRequest([first, second]: LoweredCall['args']): boolean {
  const head = plainText(first?.kind === 'join' ? first.parts[0] : first)
  const verb = plainText(second)
  return /^https?:\/\//.test(head ?? '') || /^(?:get|post|put|patch|delete)$/i.test(verb ?? '')
}

/** Returns the last value of a call's block. */
function lastOfBlock(node: SyntaxNode, draft: Draft): Expression | undefined {
  const statements = node.childForFieldName('block')?.childForFieldName('body')?.namedChildren ?? []
  for (const statement of statements.slice(0, -1)) draft.statement(statement)
  const last = statements.at(-1)
  return last ? draft.lower(last) : undefined
}

/** Names of mappings, which are no clients. */
const MAPPINGS = matchNames(`
  *.*{environ,env,config,configuration,conf,cfg,setting,settings,secrets,options,opts,params,args}
  *.*{kwargs,kw,hash,data,headers,extra,credentials,creds,entry,payload,context,attrs}
  *.*{urls,endpoints,hosts}
`)
/** Names of tables of addresses: an unknown key reads any of them. */
const ADDRESSES = matchNames('*.*{urls,uris,hosts,endpoints,apis,bases,servers}')

function orElse(value: Expression, fallback: Expression | undefined): Expression {
  return fallback ? { kind: 'either', options: [value, fallback], place: value.place } : value
}
