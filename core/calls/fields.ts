import type {
  Endpoint,
  Parameter,
  ParameterPlacement,
  ServerVariable,
} from '../catalogue/records.ts'
import type { BodyKind } from './body-kind.ts'
import { applyRule, Refusal, toRule, type ValueRule } from './rules.ts'

/** One value that an endpoint takes. */
export interface Field {
  /** Its place in the list of fields, and in the list of values of a call. */
  readonly index: number
  /** As the target knows it. */
  readonly name: string
  readonly placement: ParameterPlacement | 'server'
  /** As a caller writes it: the name, `placement.name` where the name alone is not enough. */
  readonly key: string
  readonly isRequired: boolean
  readonly rule: ValueRule
  /** What is sent when a required value is missing; undefined when there is nothing. */
  readonly fallback: unknown
  readonly isSecret: boolean
  /** Why no value can be given; undefined when one can. */
  readonly refusal: string | undefined
  /** As described; undefined for what only a security scheme or a server names. */
  readonly parameter: Parameter | undefined
}

/** A name that stands for several fields, with what to write instead. */
export class Ambiguity {
  readonly keys: readonly string[]

  constructor(keys: readonly string[]) {
    this.keys = keys
  }
}

/** All that an endpoint takes, and by which names. */
export interface Fields {
  readonly list: readonly Field[]
  readonly names: ReadonlyMap<string, Field | Ambiguity>
  /** A field by where it goes: for credentials. */
  at(placement: ParameterPlacement, name: string): Field | undefined
}

/**
 * Gathers the described parameters, the places of the security schemes that no parameter names, and
 * the variables of the servers. Described ones come first where names meet.
 */
export function gatherFields(input: {
  readonly endpoint: Pick<Endpoint, 'path' | 'parameters' | 'security'>
  readonly kind: BodyKind | undefined
  readonly variables: readonly ServerVariable[]
}): Fields {
  const { endpoint, kind, variables } = input
  const drafts: Draft[] = []
  const places = new Set<string>()
  const add = (draft: Draft): void => {
    const place = toPlace(draft.placement, draft.name)
    if (places.has(place)) return
    places.add(place)
    drafts.push(draft)
  }
  const schemePlaces = toSchemePlaces(endpoint.security, kind)
  const keyPlaces = new Set(schemePlaces.map(({ place }) => place))
  for (const parameter of endpoint.parameters) {
    add(toDraft(parameter, { keyPlaces, path: endpoint.path, kind }))
  }
  for (const { placement, name } of schemePlaces) {
    const draft = { placement, name, isRequired: false, rule: TEXT, fallback: undefined }
    const refusal = refuseHeader(placement, name)
    add({ ...draft, isSecret: true, refusal, parameter: undefined, rank: 1 })
  }
  for (const { name } of variables) {
    const draft = { name, isRequired: false, rule: TEXT, fallback: undefined, isSecret: false }
    add({ ...draft, placement: 'server', refusal: undefined, parameter: undefined, rank: 2 })
  }
  return nameFields(drafts)
}

/** `placement` and name as one text; names of headers fold case. */
function toPlace(placement: string, name: string): string {
  if (placement === 'header') return `header ${name.toLowerCase()}`
  return `${placement === 'formData' ? 'body' : placement} ${name}`
}

/** True for the body's own fields, however the description calls them. */
export function isInBody({ placement }: Pick<Field, 'placement'>): boolean {
  return placement === 'body' || placement === 'formData'
}

type Draft = Omit<Field, 'index' | 'key'> & {
  /** 0 for what is described, 1 for schemes, 2 for servers: the lower one has the bare name. */
  readonly rank: number
}

const TEXT: ValueRule = {
  types: ['string'],
  allowed: undefined,
  range: undefined,
  items: undefined,
}

/** Headers that say how the message is sent: they follow from it, and are set when it is. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Plainly a key, in descriptions that name no security scheme. */
const KEY_NAME =
  /^(?:x[-_])?(?:api[-_]?key|app[-_]?key|access[-_]?token|auth[-_]?token|api[-_]?token|authorization|cookie|password|client[-_]?secret|token|secret)$/i

function toSchemePlaces(security: Endpoint['security'], kind: BodyKind | undefined) {
  const places = new Map<
    string,
    { readonly placement: ParameterPlacement; readonly name: string; readonly place: string }
  >()
  for (const use of security.flat()) {
    const placement = use.placement ?? (use.authType === 'query' ? 'query' : 'header')
    // A place in the path is a parameter anyway; one in a body needs a body with names.
    const isPlaceable = isInBody({ placement }) ? kind?.isFlattened === true : placement !== 'path'
    const place = toPlace(placement, use.name)
    if (use.name !== '' && isPlaceable && !places.has(place)) {
      places.set(place, { placement, name: use.name, place })
    }
  }
  return [...places.values()]
}

function toDraft(
  parameter: Parameter,
  more: {
    readonly keyPlaces: ReadonlySet<string>
    readonly path: string
    readonly kind: BodyKind | undefined
  },
): Draft {
  const { name, placement } = parameter
  const isWhole = isInBody(parameter) && more.kind?.isFlattened === false
  const rule = (isWhole ? toWholeRule(more.kind) : undefined) ?? toRule(parameter)
  const isLost = placement === 'path' && !more.path.includes(`{${name}}`)
  const refusal = isLost
    ? `cannot be sent: the path has no {${name}}`
    : refuseHeader(placement, name)
  // What nobody can give is not asked for, unless the path would be sent without it as it stands.
  const canGive = refusal === undefined || hasMarked(more.path, name)
  return {
    name,
    placement,
    rule,
    isRequired: parameter.isRequired && canGive && isDemanded(parameter, more.kind !== undefined),
    fallback: toFallback(parameter, rule),
    isSecret:
      more.keyPlaces.has(toPlace(placement, name)) ||
      parameter.format === 'password' ||
      KEY_NAME.test(name),
    refusal,
    parameter,
    rank: 0,
  }
}

/** True for a placeholder that is not spelt as OpenAPI spells it: `/:id`, `/*path`, `/<id>`. */
function hasMarked(path: string, name: string): boolean {
  return [':', '*', '<'].some((mark) => path.includes(mark + name))
}

function refuseHeader(placement: ParameterPlacement, name: string): string | undefined {
  if (placement !== 'header' && placement !== 'cookie') return undefined
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'cannot be sent: its name is not valid in HTTP'
  const isFraming = placement === 'header' && FRAMING.has(name.toLowerCase())
  return isFraming ? 'is set when the call is sent: leave it out' : undefined
}

/** What is set anyway need not be given, whatever the description says. */
function isDemanded({ placement, name }: Parameter, hasBody: boolean): boolean {
  if (placement !== 'header') return true
  const folded = name.toLowerCase()
  return folded !== 'accept' && !FRAMING.has(folded) && !(folded === 'content-type' && hasBody)
}

/** Of a body that is no JSON, whose schema says nothing of how it is given. */
function toWholeRule(kind: BodyKind | undefined): ValueRule | undefined {
  if (kind?.family === 'content') return { ...TEXT, types: ['file'] }
  if (kind?.family === 'multipart') return { ...TEXT, types: ['object'] }
  return kind?.family === 'urlencoded' ? { ...TEXT, types: ['object', 'string'] } : undefined
}

function toFallback({ defaultValue }: Parameter, rule: ValueRule): unknown {
  if (defaultValue === undefined) return undefined
  const value = applyRule(defaultValue, rule)
  // A default that breaks the description's own rules is none.
  return value instanceof Refusal ? undefined : value
}

function nameFields(drafts: readonly Draft[]): Fields {
  const names = new Map<string, Field | Ambiguity>()
  const byPlace = new Map<string, Field>()
  const owners = new Map<string, Draft[]>()
  for (const draft of drafts) {
    const rivals = owners.get(draft.name) ?? []
    const best = rivals[0]
    if (!best || best.rank === draft.rank) owners.set(draft.name, [...rivals, draft])
  }
  const list = drafts.map(({ rank: _, ...draft }, index): Field => {
    const own = owners.get(draft.name) ?? []
    const isAlone = own.length === 1 && own[0] === drafts[index]
    const key = isAlone ? draft.name : `${draft.placement}.${draft.name}`
    return { ...draft, index, key }
  })
  for (const [name, rivals] of owners) {
    if (rivals.length > 1) {
      names.set(name, new Ambiguity(rivals.map(({ placement }) => `${placement}.${name}`)))
    }
  }
  for (const field of list) names.set(field.key, field)
  // Further spellings, where they are free: in full, and headers in lower case.
  for (const field of list) {
    byPlace.set(toPlace(field.placement, field.name), field)
    const full = `${field.placement}.${field.name}`
    const spellings = field.placement === 'header' ? [full, field.key.toLowerCase()] : [full]
    for (const spelling of spellings) if (!names.has(spelling)) names.set(spelling, field)
  }
  return { list, names, at: (placement, name) => byPlace.get(toPlace(placement, name)) }
}
