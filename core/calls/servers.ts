import type { Server, ServerVariable } from '../catalogue/records.ts'
import { ServiceError } from '../errors.ts'
import { encode } from './encode.ts'
import type { Issues } from './issues.ts'
import { findPathRefusal, hasDotSegment } from './template.ts'

/** The base URL of a call. */
export interface ServerTarget {
  /** `https://api.example.com`. */
  readonly origin: string
  /** Origin and path of the server, without a trailing slash. */
  readonly prefix: string
  /** Query of the server including `?`, or empty. */
  readonly query: string
}

/** The compiled servers of an endpoint. */
export interface Servers {
  /** Variables of all callable servers, unique by name. */
  readonly variables: readonly ServerVariable[]
  /**
   * Returns the selected server with its variables filled in; without a selection, the first
   * callable server. Returns undefined if it added to `issues`. Throws `no_server`.
   */
  choose(input: {
    readonly server: string | undefined
    /** By variable name; undefined if the caller set none. */
    readonly given: ReadonlyMap<string, string> | undefined
    readonly issues: Pick<Issues, 'add' | 'addToQuery'>
  }): ServerTarget | undefined
}

/** Name of the server option in issues. */
const SERVER_OPTION = 'server'

/**
 * Compiles servers. Variables accept their declared values. A variable without declared values also
 * accepts others, if they cannot lead to another host. It must be a complete host label below a
 * fixed domain (`{shop}.example.com`) or a path segment.
 */
export function compileServers(servers: readonly Server[]): Servers {
  const compiled = servers.map(compileServer)
  const first = compiled.find(({ isCallable }) => isCallable)
  const usual = new Map<CompiledServer, ServerTarget>()
  const variables = new Map<string, ServerVariable>()
  for (const { isCallable, slots } of compiled) {
    for (const { variable } of isCallable ? slots : []) {
      if (!variables.has(variable.name)) variables.set(variable.name, variable)
    }
  }

  const choose: Servers['choose'] = ({ server, given, issues }) => {
    if (!first) throw createNoServerError('none of its servers has an absolute http(s) URL')
    const chosen = server === undefined ? first : findServer(server)
    if (!chosen)
      return void issues.addToQuery(SERVER_OPTION, `must be one of: ${formatServerList()}`)
    if (!chosen.isCallable)
      throw createNoServerError('the selected server has no absolute http(s) URL')
    if (given !== undefined && given.size > 0) {
      for (const name of given.keys()) {
        const isKnown = chosen.slots.some(({ variable }) => variable.name === name)
        if (!isKnown)
          issues.add(`${SERVER_OPTION}.${name}`, 'is not a variable of the selected server')
      }
      return fillVariables(chosen, given, issues)
    }
    const known = usual.get(chosen)
    if (known) return known
    const target = fillVariables(chosen, new Map(), issues)
    if (target) usual.set(chosen, target)
    return target
  }
  return { variables: [...variables.values()], choose }

  function findServer(server: string): CompiledServer | undefined {
    const byName = servers.findIndex(({ name, url }) => url === server || (name && name === server))
    if (byName >= 0) return compiled[byName]
    return /^\d{1,4}$/.test(server) ? compiled[Number(server) - 1] : undefined
  }

  function formatServerList(): string {
    return servers.map(({ name, url }, index) => name || `${index + 1} (${url})`).join(', ')
  }
}

interface CompiledServer {
  readonly url: string
  readonly slots: readonly VariableSlot[]
  /** With its defaults, it is an absolute http(s) URL. */
  readonly isCallable: boolean
}

/** A variable in a URL template. */
interface VariableSlot {
  readonly variable: ServerVariable
  /** No default is declared, so the caller must set a value. */
  readonly isRequired: boolean
  /** Which undeclared values are accepted here. */
  readonly open: 'label' | 'path' | undefined
}

/** At least two fixed labels, such as `.example.com`, which cannot be part of an IP address. */
const FIXED_DOMAIN = /^(?:\.[a-z0-9-]+)+\.[a-z][a-z0-9-]*(?::\d+)?$/i
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

function compileServer(server: Server): CompiledServer {
  const url = server.url.split('#', 1)[0] ?? ''
  const slots: VariableSlot[] = []
  for (const match of url.matchAll(/\{([^{}]*)\}/g)) {
    const name = match[1] ?? ''
    const declared = server.variables.find((variable) => variable.name === name)
    slots.push({
      variable: declared ?? { name, default: '', values: [] },
      isRequired: declared === undefined,
      open: findOpenPosition(url, match.index, match.index + match[0].length),
    })
  }
  const isCallable = /^https?:\/\/[^/]/i.test(
    substitute(url, slots, ({ isRequired, variable }) => (isRequired ? 'x' : variable.default)),
  )
  return { url, slots, isCallable }
}

function findOpenPosition(url: string, start: number, end: number): VariableSlot['open'] {
  const before = url.slice(0, start)
  const authority = before.indexOf('://')
  if (authority < 0 || url.indexOf('?') >= 0) return undefined
  const isInPath = before.indexOf('/', authority + 3) >= 0
  if (isInPath) return 'path'
  const rest = url.slice(end).split('/', 1)[0] ?? ''
  const isWholeLabel = /[/.]$/.test(before)
  return isWholeLabel && FIXED_DOMAIN.test(rest) ? 'label' : undefined
}

function substitute(
  url: string,
  slots: readonly VariableSlot[],
  toValue: (slot: VariableSlot) => string,
): string {
  let at = 0
  return url.replace(/\{[^{}]*\}/g, (whole) => {
    const slot = slots[at]
    at += 1
    return slot ? toValue(slot) : whole
  })
}

function fillVariables(
  { url, slots }: CompiledServer,
  values: ReadonlyMap<string, string>,
  issues: Pick<Issues, 'add'>,
): ServerTarget | undefined {
  let isRefused = false
  const filled = substitute(url, slots, (slot) => {
    const { variable } = slot
    const value = values.get(variable.name)
    const problem =
      value === undefined
        ? slot.isRequired
          ? 'is required: the server has no default for it'
          : undefined
        : findValueRefusal(value, slot)
    if (problem !== undefined) {
      isRefused = true
      issues.add(`${SERVER_OPTION}.${variable.name}`, problem)
      return ''
    }
    const text = value ?? variable.default
    return slot.open === 'path' && !isDeclared(text, slot) ? encode(text) : text
  })
  return isRefused ? undefined : toTarget(filled)
}

function isDeclared(value: string, { variable, isRequired }: VariableSlot): boolean {
  return variable.values.includes(value) || (!isRequired && value === variable.default)
}

function findValueRefusal(value: string, slot: VariableSlot): string | undefined {
  if (isDeclared(value, slot)) return undefined
  const { variable, open, isRequired } = slot
  if (variable.values.length === 0 && open === 'path') return findPathRefusal(value)
  if (variable.values.length === 0 && open === 'label') {
    return LABEL.test(value)
      ? undefined
      : 'must be a host label: letters and digits, with hyphens only in between'
  }
  const declared = new Set(isRequired ? variable.values : [variable.default, ...variable.values])
  return `must be one of: ${[...declared].join(', ') || '(no values are declared)'}`
}

function toTarget(url: string): ServerTarget {
  if (!URL.canParse(url)) throw createNoServerError('its server URL is invalid')
  const { protocol, origin, pathname, search, username, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw createNoServerError('its server URL is neither http nor https')
  if (username !== '' || password !== '')
    throw createNoServerError('its server URL contains a user name or password')
  if (hasDotSegment(pathname)) throw createNoServerError('its server URL is invalid')
  return { origin, prefix: origin + pathname.replace(/\/+$/, ''), query: search }
}

function createNoServerError(reason: string): ServiceError {
  return new ServiceError('no_server', `Cannot call the endpoint: ${reason}`)
}
