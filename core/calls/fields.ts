import type {
  Endpoint,
  Parameter,
  ParameterPlacement,
  ServerVariable,
} from '../catalogue/records.ts'
import type { BodyKind } from './body-kind.ts'
import { applyRule, Refusal, toRule, type ValueRule } from './rules.ts'

/** An input of an endpoint. */
export interface Field {
  /** Index in the list of fields and in the values of a call. */
  readonly index: number
  /** Name in the request to the target. */
  readonly name: string
  readonly placement: ParameterPlacement | 'server'
  /** Name for callers: the plain name, or `placement.name` if the name is ambiguous. */
  readonly key: string
  readonly isRequired: boolean
  readonly rule: ValueRule
  /** Sent if a required value is missing; undefined if there is no default. */
  readonly fallback: unknown
  readonly isSecret: boolean
  /** Why the field does not accept a value; undefined if it does. */
  readonly refusal: string | undefined
  /** The description; undefined for a field that comes from a security scheme or a server. */
  readonly parameter: Parameter | undefined
}

/** An ambiguous name, with the keys of the fields it may denote. */
export class Ambiguity {
  readonly keys: readonly string[]

  constructor(keys: readonly string[]) {
    this.keys = keys
  }
}

/** All inputs of an endpoint, and the names that select them. */
export interface Fields {
  readonly list: readonly Field[]
  readonly names: ReadonlyMap<string, Field | Ambiguity>
  /** Finds a field by its placement and name in the request. Used for credentials. */
  findByPlacement(placement: ParameterPlacement, name: string): Field | undefined
}

/**
 * Collects the described parameters, the security schemes without a matching parameter, and the
 * server variables. If names collide, described parameters come first.
 */
export function collectFields(input: {
  readonly endpoint: Pick<Endpoint, 'path' | 'parameters' | 'security'>
  readonly kind: BodyKind | undefined
  readonly variables: readonly ServerVariable[]
}): Fields {
  const { endpoint, kind, variables } = input
  const drafts: FieldDraft[] = []
  const places = new Set<string>()
  const add = (draft: FieldDraft): void => {
    const place = toPlacementKey(draft.placement, draft.name)
    if (places.has(place)) return
    places.add(place)
    drafts.push(draft)
  }
  const schemePlaces = collectSchemePlacements(endpoint.security, kind)
  const keyPlaces = new Set(schemePlaces.map(({ place }) => place))
  for (const parameter of endpoint.parameters) {
    add(toFieldDraft(parameter, { keyPlaces, path: endpoint.path, kind }))
  }
  for (const { placement, name } of schemePlaces) {
    const draft = { placement, name, isRequired: false, rule: STRING_RULE, fallback: undefined }
    const refusal = findHeaderRefusal(placement, name)
    add({ ...draft, isSecret: true, refusal, parameter: undefined, rank: 1 })
  }
  for (const { name } of variables) {
    const draft = {
      name,
      isRequired: false,
      rule: STRING_RULE,
      fallback: undefined,
      isSecret: false,
    }
    add({ ...draft, placement: 'server', refusal: undefined, parameter: undefined, rank: 2 })
  }
  return assignFieldKeys(drafts)
}

/** Builds a map key from placement and name. Header names are case-insensitive. */
function toPlacementKey(placement: string, name: string): string {
  if (placement === 'header') return `header ${name.toLowerCase()}`
  return `${placement === 'formData' ? 'body' : placement} ${name}`
}

/** Whether a field is in the body, under any of the placements that descriptions use. */
export function isInBody({ placement }: Pick<Field, 'placement'>): boolean {
  return placement === 'body' || placement === 'formData'
}

type FieldDraft = Omit<Field, 'index' | 'key'> & {
  /**
   * 0 for described parameters, 1 for schemes, 2 for servers. The lowest rank gets the plain name.
   */
  readonly rank: number
}

const STRING_RULE: ValueRule = {
  types: ['string'],
  allowed: undefined,
  range: undefined,
  items: undefined,
}

/** Headers that are derived from the message when it is sent. */
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

/** Names that denote a key, for descriptions without security schemes. */
const KEY_NAME =
  /^(?:x[-_])?(?:api[-_]?key|app[-_]?key|access[-_]?token|auth[-_]?token|api[-_]?token|authorization|cookie|password|client[-_]?secret|token|secret)$/i

function collectSchemePlacements(security: Endpoint['security'], kind: BodyKind | undefined) {
  const places = new Map<
    string,
    { readonly placement: ParameterPlacement; readonly name: string; readonly place: string }
  >()
  for (const use of security.flat()) {
    const placement = use.placement ?? (use.authType === 'query' ? 'query' : 'header')
    // A path placement is a parameter anyway. A body placement needs a body with named fields.
    const isPlaceable = isInBody({ placement }) ? kind?.isFlattened === true : placement !== 'path'
    const place = toPlacementKey(placement, use.name)
    if (use.name !== '' && isPlaceable && !places.has(place)) {
      places.set(place, { placement, name: use.name, place })
    }
  }
  return [...places.values()]
}

function toFieldDraft(
  parameter: Parameter,
  more: {
    readonly keyPlaces: ReadonlySet<string>
    readonly path: string
    readonly kind: BodyKind | undefined
  },
): FieldDraft {
  const { name, placement } = parameter
  const isWhole = isInBody(parameter) && more.kind?.isFlattened === false
  const rule = (isWhole ? toWholeBodyRule(more.kind) : undefined) ?? toRule(parameter)
  const isLost = placement === 'path' && !more.path.includes(`{${name}}`)
  const refusal = isLost
    ? `cannot be sent: the path has no {${name}}`
    : findHeaderRefusal(placement, name)
  // A parameter that cannot be sent is not required, unless its placeholder would remain in the
  // path.
  const canGive = refusal === undefined || hasUnparsedPlaceholder(more.path, name)
  return {
    name,
    placement,
    rule,
    isRequired:
      parameter.isRequired && canGive && canBeRequired(parameter, more.kind !== undefined),
    fallback: toFallback(parameter, rule),
    isSecret:
      more.keyPlaces.has(toPlacementKey(placement, name)) ||
      parameter.format === 'password' ||
      KEY_NAME.test(name),
    refusal,
    parameter,
    rank: 0,
  }
}

/**
 * Whether the path contains a placeholder in another syntax than OpenAPI's: `/:id`, `/*path`,
 * `/<id>`.
 */
function hasUnparsedPlaceholder(path: string, name: string): boolean {
  return [':', '*', '<'].some((mark) => path.includes(mark + name))
}

function findHeaderRefusal(placement: ParameterPlacement, name: string): string | undefined {
  if (placement !== 'header' && placement !== 'cookie') return undefined
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'cannot be sent: its name is invalid in HTTP'
  const isFraming = placement === 'header' && FRAMING.has(name.toLowerCase())
  return isFraming ? 'is set automatically: omit it' : undefined
}

/** Headers that are set automatically are not required, even if the description says so. */
function canBeRequired({ placement, name }: Parameter, hasBody: boolean): boolean {
  if (placement !== 'header') return true
  const folded = name.toLowerCase()
  return folded !== 'accept' && !FRAMING.has(folded) && !(folded === 'content-type' && hasBody)
}

/** Returns the rule for a non-JSON body, whose schema does not describe its input format. */
function toWholeBodyRule(kind: BodyKind | undefined): ValueRule | undefined {
  if (kind?.family === 'content') return { ...STRING_RULE, types: ['file'] }
  if (kind?.family === 'multipart') return { ...STRING_RULE, types: ['object'] }
  return kind?.family === 'urlencoded' ? { ...STRING_RULE, types: ['object', 'string'] } : undefined
}

function toFallback({ defaultValue }: Parameter, rule: ValueRule): unknown {
  if (defaultValue === undefined) return undefined
  const value = applyRule(defaultValue, rule)
  // Ignores a default that violates the parameter's own rules.
  return value instanceof Refusal ? undefined : value
}

function assignFieldKeys(drafts: readonly FieldDraft[]): Fields {
  const names = new Map<string, Field | Ambiguity>()
  const byPlace = new Map<string, Field>()
  const owners = new Map<string, FieldDraft[]>()
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
  // Adds alternative names that are not in use: the qualified name, and headers in lower case.
  for (const field of list) {
    byPlace.set(toPlacementKey(field.placement, field.name), field)
    const full = `${field.placement}.${field.name}`
    const spellings = field.placement === 'header' ? [full, field.key.toLowerCase()] : [full]
    for (const spelling of spellings) if (!names.has(spelling)) names.set(spelling, field)
  }
  return {
    list,
    names,
    findByPlacement: (placement, name) => byPlace.get(toPlacementKey(placement, name)),
  }
}
