import { plainText, resultOf } from '../lowering/built-texts.ts'
import type { Draft, Lowering } from '../lowering/draft.ts'
import { type Effect, type LoweredCall, originOf } from '../lowering/effects.ts'
import { placeOf } from '../lowering/lowered.ts'
import { keepRegistration } from '../lowering/registrations.ts'
import { urlBuilders } from '../lowering/url-builders.ts'
import { lastName } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import { toSettingName } from '../model/setting-keys.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** Methods that append a path, as name patterns. */
export const PATHS = '{,Set,With,Add,Append,Use}{,Absolute,Relative}Path{,Segment,Segments}'

/** `new { Url = "…" }`. */
export const lowerAnonymous: Lowering = (node, draft) => {
  const { children } = node
  const entries = children.flatMap((child, index) =>
    child?.type === '='
      ? [[children[index - 1]?.text ?? '', draft.lower(children[index + 1] ?? null)] as const]
      : [],
  )
  return { kind: 'record', entries: Object.fromEntries(entries), place: placeOf(node) }
}

/** `configuration["Geo:BaseUrl"]` is a setting; other elements are unknown. */
export const lowerElement: Lowering = (node, draft) => {
  const object = node.childForFieldName('expression')
  const owner = draft.lower(object)
  const key = node.childForFieldName('subscript')?.namedChild(0) ?? null
  return settingOf(owner, { key: plainText(draft.lower(key)), node, draft })
}

/** Returns the setting of a key in a configuration or in a section of it. */
function settingOf(
  owner: Expression | undefined,
  at: { readonly key: string | undefined; readonly node: SyntaxNode; readonly draft: Draft },
): Expression | undefined {
  const { key, node, draft } = at
  if (key === undefined || owner?.kind !== 'name') return undefined
  const bound = draft.localValue(owner.name)
  const section = SECTION.exec(bound?.kind === 'name' ? bound.name : owner.name)?.[1]
  if (section === undefined && !CONFIGURATION.test(owner.name)) return undefined
  const parts = [...(section?.split(':') ?? []), ...key.split(/[:.]|__/)]
  return draft.name(toSettingName(parts), node)
}

const SECTION = /^ENV\.([\w:]+)$/

const CONFIGURATION = /(?:^|[._])(?:config(?:uration)?|(?:app)?settings?)$|Configuration$/i

/** `config.GetSection("Geo")`, `section.GetValue<string>("BaseUrl")`, `section.Get<Options>()`. */
function readSetting(made: LoweredCall, draft: Draft): Expression | undefined {
  const { method, receiver, args, node, place } = made
  if (!/^Get(?:|Value|Section|RequiredSection)$/.test(method) || args.length > 1) return undefined
  const type = /\.Get<([\w.]+)>$/.exec(node.childForFieldName('function')?.text ?? '')?.[1]
  if (type !== undefined && receiver?.kind === 'name' && SECTION.test(receiver.name)) {
    return resultOf(`new ${lastName(type)}`, { place, scope: draft.scope })
  }
  return settingOf(receiver, { key: plainText(args[0]), node, draft })
}

const buildUrl = urlBuilders({
  begin: 'new:*.*{Uri,Url,Endpoint,Route}Builder',
  hosts: '',
  paths: PATHS,
})

/** Effects of C# on strings and settings. */
export const buildValue: Effect = (made, draft) => {
  const { callee, named, args, node, place } = made
  const [first, second, third] = args
  keepRegistration(node, draft)
  if (/^new (?:\w+\.)*UriBuilder$/.test(callee)) {
    const { Scheme, Host, Path } = named
    // `new UriBuilder("https", "api.example.com", 443, "/v1")`
    const parts = second ? { scheme: first, host: second } : { scheme: Scheme, host: Host }
    const origin = originOf(parts) ?? first
    const path = Path ?? args[3] ?? (third?.kind === 'text' ? third : undefined)
    return origin && path ? { kind: 'path', parts: [origin, path], place: origin.place } : origin
  }
  if (/^new (?:System\.)?Uri$/.test(callee) && first && second && second.kind !== 'unknown') {
    // `new Uri("…", UriKind.Absolute)` has one part.
    const isKind = second.kind === 'name' && second.name.includes('UriKind.')
    return isKind ? first : { kind: 'path', parts: [first, second], place: second.place }
  }
  if (callee === 'nameof') {
    return first?.kind === 'name' ? { kind: 'text', text: lastName(first.name), place } : undefined
  }
  return readSetting(made, draft) ?? buildUrl(made, draft)
}
