import type { Server } from '../catalogue/records.ts'
import { judgeClaim } from '../vendors/vendor-of-host.ts'
import { isAddress, isOwnable, literalSuffix } from './hosts.ts'
import { ANY_PORT, type Location, parseMarked, tidy } from './locations.ts'
import { HOLE, joinHoles, markPlaceholders } from './placeholders.ts'

/** Most combinations of variables that one server is expanded to. */
const MAX_EXPANSIONS = 128

/** Most servers of one endpoint that are looked at, and the longest. */
const MAX_SERVERS = 64
const MAX_URL = 2048

/** Most variables of a server whose values are tried; the others are open. */
const MAX_VARIABLES = 16

/** How a host came about; the lower, the more literal. */
export type HostRank = 0 | 1 | 2

/** One place where an endpoint's server can be found. */
export interface ServerPlace {
  /** Normalised host; a hole stands for what a free variable or `*` leaves open. */
  readonly host: string
  /** Empty for a default port, or `ANY_PORT`. */
  readonly port: string
  /** 0: as written; 1: a variable's value; 2: with a hole or any port. */
  readonly rank: HostRank
  /** Holes are enumerated variables: only a placeholder fits them. */
  readonly isClosed: boolean
  /** Segments of the base path; a free variable is a hole. */
  readonly base: readonly string[]
}

/** A server place with what it proves about its host. */
export interface ClaimedPlace extends ServerPlace {
  /** Many owners have the host: only the very endpoints of the API count there. */
  readonly isShared: boolean
}

/** The places that count for an API of a vendor: not those at hosts of other vendors. */
export function claimPlaces(
  places: readonly ServerPlace[],
  vendorName: string,
): readonly ClaimedPlace[] {
  return places.flatMap((place) => {
    const { host } = place
    const claim = judgeClaim({ host, vendorName, isTemplate: host.includes(HOLE) })
    return claim === 'foreign' ? [] : [{ ...place, isShared: claim === 'shared' }]
  })
}

/**
 * The places that an endpoint's servers stand for: enumerated variables with each value, free ones
 * with their default and open. Relative servers have no place; hosts that are open where anybody
 * may own them (`{host}`, `{tenant}.co.uk`) count with their default only. Once there are `room`
 * places, further servers have theirs with open variables only.
 */
export function toServerPlaces(
  servers: readonly Server[],
  room = Number.POSITIVE_INFINITY,
): readonly ServerPlace[] {
  const places = new Map<string, ServerPlace>()
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

function expandServer(server: Server, limit: number): readonly ServerPlace[] {
  const parts = splitTemplate(tidy(server.url))
  const all = parts.names.map((name, index) =>
    index < MAX_VARIABLES ? choicesOf(server, name) : [HOLE],
  )
  const choices = limitChoices(all, limit)
  const open = locate(parts.literals.join(HOLE))
  const isVariable = open === undefined || open.host.includes(HOLE) || open.port === ANY_PORT
  const places: ServerPlace[] = []
  for (const values of combine(choices)) {
    const place = toPlace(locate(fill(parts.literals, values)), { isVariable, isClosed: false })
    if (place) places.push(place)
  }
  const isEnumerated = choices.some((values) => !values.includes(HOLE))
  const closed =
    isEnumerated && open?.host.includes(HOLE)
      ? toPlace(open, { isVariable, isClosed: true })
      : undefined
  return closed ? [...places, closed] : places
}

function locate(text: string): Location | undefined {
  return parseMarked(joinHoles(markPlaceholders(text)))
}

function toPlace(
  location: Location | undefined,
  kind: { readonly isVariable: boolean; readonly isClosed: boolean },
): ServerPlace | undefined {
  if (!location?.path) return undefined
  const { host, port } = location
  const isOpen = host.includes(HOLE)
  if (isOpen && (isAddress(host) || !isOwnable(literalSuffix(host)))) return undefined
  const rank = isOpen || port === ANY_PORT ? 2 : kind.isVariable ? 1 : 0
  return { host, port, rank, isClosed: kind.isClosed, base: location.path.segments }
}

interface TemplateParts {
  /** One more than names. */
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

/** `*.example.com` and `https://*.example.com` are open like a variable. */
function openStars(text: string): string {
  return text.replace(/(^|\/\/|\.)\*(?=\.)/g, `$1${HOLE}`)
}

function choicesOf(server: Server, name: string): readonly string[] {
  const variable = server.variables.find((candidate) => candidate.name === name)
  if (!variable) return [HOLE]
  const preset = variable.default === '' ? [] : [tidy(variable.default)]
  if (variable.values.length === 0) return [...preset, HOLE]
  // One more than can be tried tells that there are too many.
  return [...new Set([...preset, ...variable.values.slice(0, MAX_EXPANSIONS + 1).map(tidy)])]
}

/** Opens the variables with the most values until the combinations are few enough. */
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

function combine(choices: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let combinations: readonly (readonly string[])[] = [[]]
  for (const values of choices) {
    combinations = combinations.flatMap((prefix) => values.map((value) => [...prefix, value]))
  }
  return combinations
}

function fill(literals: readonly string[], values: readonly string[]): string {
  return literals.map((literal, index) => literal + (values[index] ?? '')).join('')
}
