import type { Server } from '../catalogue/records.ts'
import { classifyClaim } from '../vendors/host-vendors.ts'
import { isAddress, isOwnable, literalSuffix } from './hosts.ts'
import { ANY_PORT, type Location, parseMarked, trimUrlText } from './locations.ts'
import { HOLE, joinHoles, markPlaceholders } from './placeholders.ts'

/** Maximum number of variable combinations per server. */
const MAX_EXPANSIONS = 128

/** Maximum number of servers per endpoint, and maximum length of a server URL. */
const MAX_SERVERS = 64
const MAX_URL = 2048

/** Maximum number of expanded variables per server; the others become holes. */
const MAX_VARIABLES = 16

/** How a host was derived; lower ranks are more literal. */
export type HostRank = 0 | 1 | 2

/** A location of an endpoint's server. */
export interface ServerLocation {
  /** Normalised host; holes for free variables and `*`. */
  readonly host: string
  /** Decimal digits, `ANY_PORT`, or empty for a default port. */
  readonly port: string
  /** 0: literal; 1: value of a variable; 2: with a hole or any port. */
  readonly rank: HostRank
  /** True if the holes are variables with an enumeration: only a placeholder matches them. */
  readonly isClosed: boolean
  /** Segments of the base path; holes for free variables. */
  readonly base: readonly string[]
}

/** A server location with the ownership of its host. */
export interface ClaimedLocation extends ServerLocation {
  /** The host has many owners: only exact endpoints of the API match. */
  readonly isShared: boolean
}

/** Filters the server locations of a vendor's API: removes those on hosts of other vendors. */
export function claimServerLocations(
  places: readonly ServerLocation[],
  vendorName: string,
): readonly ClaimedLocation[] {
  return places.flatMap((place) => {
    const { host } = place
    const claim = classifyClaim({ host, vendorName, isTemplate: host.includes(HOLE) })
    return claim === 'foreign' ? [] : [{ ...place, isShared: claim === 'shared' }]
  })
}

/**
 * Expands an endpoint's servers to locations. Enumerated variables get each value, free ones their
 * default and a hole. Relative servers have no location. Hosts with a hole that anyone may own
 * (`{host}`, `{tenant}.co.uk`) only get their default. After `room` locations, further servers keep
 * their variables as holes.
 */
export function expandServers(
  servers: readonly Server[],
  room = Number.POSITIVE_INFINITY,
): readonly ServerLocation[] {
  const places = new Map<string, ServerLocation>()
  for (const server of servers.slice(0, MAX_SERVERS)) {
    if (server.url.length > MAX_URL) continue
    const limit = Math.max(1, Math.min(MAX_EXPANSIONS, room - places.size))
    for (const place of expandServer(server, limit)) {
      const key = `${place.host}:${place.port}:${place.isClosed}/${place.base.join('/')}`
      const known = places.get(key)
      if (!known || known.rank > place.rank) places.set(key, place)
    }
  }
  return [...places.values()]
}

function expandServer(server: Server, limit: number): readonly ServerLocation[] {
  const parts = splitTemplate(trimUrlText(server.url))
  const all = parts.names.map((name, index) =>
    index < MAX_VARIABLES ? getVariableChoices(server, name) : [HOLE],
  )
  const choices = limitChoices(all, limit)
  const open = parseServerUrl(parts.literals.join(HOLE))
  const isVariable = open === undefined || open.host.includes(HOLE) || open.port === ANY_PORT
  const places: ServerLocation[] = []
  for (const values of combineChoices(choices)) {
    const place = toServerLocation(parseServerUrl(fillTemplate(parts.literals, values)), {
      isVariable,
      isClosed: false,
    })
    if (place) places.push(place)
  }
  const isEnumerated = choices.some((values) => !values.includes(HOLE))
  const closed =
    isEnumerated && open?.host.includes(HOLE)
      ? toServerLocation(open, { isVariable, isClosed: true })
      : undefined
  return closed ? [...places, closed] : places
}

function parseServerUrl(text: string): Location | undefined {
  return parseMarked(joinHoles(markPlaceholders(text)))
}

function toServerLocation(
  location: Location | undefined,
  kind: { readonly isVariable: boolean; readonly isClosed: boolean },
): ServerLocation | undefined {
  if (!location?.path) return undefined
  const { host, port } = location
  const isOpen = host.includes(HOLE)
  if (isOpen && (isAddress(host) || !isOwnable(literalSuffix(host)))) return undefined
  const rank = isOpen || port === ANY_PORT ? 2 : kind.isVariable ? 1 : 0
  return { host, port, rank, isClosed: kind.isClosed, base: location.path.segments }
}

interface TemplateParts {
  /** One more than `names`. */
  readonly literals: readonly string[]
  readonly names: readonly string[]
}

function splitTemplate(url: string): TemplateParts {
  const literals: string[] = []
  const names: string[] = []
  let start = 0
  for (;;) {
    const open = url.indexOf('{', start)
    const close = open < 0 ? -1 : url.indexOf('}', open)
    if (close < 0) break
    literals.push(url.slice(start, open))
    names.push(url.slice(open + 1, close))
    start = close + 1
  }
  literals.push(url.slice(start))
  return { literals: literals.map(openStars), names }
}

/** Treats `*.example.com` and `https://*.example.com` as open, like a variable. */
function openStars(text: string): string {
  return text.replace(/(^|\/\/|\.)\*(?=\.)/g, `$1${HOLE}`)
}

function getVariableChoices(server: Server, name: string): readonly string[] {
  const variable = server.variables.find((candidate) => candidate.name === name)
  if (!variable) return [HOLE]
  const preset = variable.default === '' ? [] : [trimUrlText(variable.default)]
  if (variable.values.length === 0) return [...preset, HOLE]
  // One value above the limit signals that there are too many.
  return [...new Set([...preset, ...variable.values.slice(0, MAX_EXPANSIONS + 1).map(trimUrlText)])]
}

/**
 * Replaces the variables with most values by holes until the number of combinations is within the
 * limit.
 */
function limitChoices(
  choices: readonly (readonly string[])[],
  limit: number,
): readonly (readonly string[])[] {
  const limited = [...choices]
  for (const size of [2, 1]) {
    while (limited.reduce((product, values) => product * values.length, 1) > limit) {
      const longest = Math.max(...limited.map((values) => values.length))
      if (longest <= size) break
      const index = limited.findIndex((values) => values.length === longest)
      limited[index] = size === 2 ? [limited[index]?.[0] ?? HOLE, HOLE] : [HOLE]
    }
  }
  return limited
}

function combineChoices(choices: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let combinations: readonly (readonly string[])[] = [[]]
  for (const values of choices) {
    combinations = combinations.flatMap((prefix) => values.map((value) => [...prefix, value]))
  }
  return combinations
}

function fillTemplate(literals: readonly string[], values: readonly string[]): string {
  return literals.map((literal, index) => literal + (values[index] ?? '')).join('')
}
