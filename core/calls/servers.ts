import type { Server, ServerVariable } from '../catalogue/records.ts'
import { ServiceError } from '../http/problems.ts'
import { encode } from './encode.ts'
import type { Issues } from './issues.ts'
import { hasDotSegment, refusePathText } from './template.ts'

/** Where a call goes. */
export interface Target {
  /** `https://api.example.com`. */
  readonly origin: string
  /** The origin and the server's own path, without a slash at its end. */
  readonly prefix: string
  /** The server's own query with its `?`, or empty. */
  readonly query: string
}

/** The servers of an endpoint, made ready. */
export interface Servers {
  /** Distinct by name, of all servers that can be called. */
  readonly variables: readonly ServerVariable[]
  /**
   * The chosen server, the first that can be called when none is, with its variables filled in.
   * Undefined when `issues` were told why not. Throws `no_server`.
   */
  choose(input: {
    readonly server: string | undefined
    /** By the variables' names; undefined when the caller gave none. */
    readonly given: ReadonlyMap<string, string> | undefined
    readonly issues: Pick<Issues, 'add' | 'addToQuery'>
  }): Target | undefined
}

/** The name of the choice among the servers in what is told of it. */
const CHOICE = 'server'

/**
 * Makes servers ready. Variables take declared values. One without a list of values takes others
 * too where these cannot lead elsewhere: a whole label of a host below a fixed domain
 * (`{shop}.example.com`), or a step of the path.
 */
export function compileServers(servers: readonly Server[]): Servers {
  const compiled = servers.map(compile)
  const first = compiled.find(({ isCallable }) => isCallable)
  const usual = new Map<Compiled, Target>()
  const variables = new Map<string, ServerVariable>()
  for (const { isCallable, slots } of compiled) {
    for (const { variable } of isCallable ? slots : []) {
      if (!variables.has(variable.name)) variables.set(variable.name, variable)
    }
  }

  const choose: Servers['choose'] = ({ server, given, issues }) => {
    if (!first) throw noServer('none of its servers has an absolute http(s) URL')
    const chosen = server === undefined ? first : find(server)
    if (!chosen) return void issues.addToQuery(CHOICE, `must be one of: ${list()}`)
    if (!chosen.isCallable) throw noServer('the chosen server has no absolute http(s) URL')
    if (given !== undefined && given.size > 0) {
      for (const name of given.keys()) {
        const isKnown = chosen.slots.some(({ variable }) => variable.name === name)
        if (!isKnown) issues.add(`${CHOICE}.${name}`, 'is no variable of the chosen server')
      }
      return fill(chosen, given, issues)
    }
    const known = usual.get(chosen)
    if (known) return known
    const target = fill(chosen, new Map(), issues)
    if (target) usual.set(chosen, target)
    return target
  }
  return { variables: [...variables.values()], choose }

  function find(server: string): Compiled | undefined {
    const byName = servers.findIndex(({ name, url }) => url === server || (name && name === server))
    if (byName >= 0) return compiled[byName]
    return /^\d{1,4}$/.test(server) ? compiled[Number(server) - 1] : undefined
  }

  function list(): string {
    return servers.map(({ name, url }, index) => name || `${index + 1} (${url})`).join(', ')
  }
}

interface Compiled {
  readonly url: string
  readonly slots: readonly Slot[]
  /** Its defaults make an absolute http(s) URL. */
  readonly isCallable: boolean
}

/** A variable where it stands in a URL template. */
interface Slot {
  readonly variable: ServerVariable
  /** No default is declared: the caller must give a value. */
  readonly isRequired: boolean
  /** Values beyond the declared ones that may stand here. */
  readonly open: 'label' | 'path' | undefined
}

/** At least two labels that no caller can change: `.example.com`, and no part of an address. */
const FIXED_DOMAIN = /^(?:\.[a-z0-9-]+)+\.[a-z][a-z0-9-]*(?::\d+)?$/i
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

function compile(server: Server): Compiled {
  const url = server.url.split('#', 1)[0] ?? ''
  const slots: Slot[] = []
  for (const match of url.matchAll(/\{([^{}]*)\}/g)) {
    const name = match[1] ?? ''
    const declared = server.variables.find((variable) => variable.name === name)
    slots.push({
      variable: declared ?? { name, default: '', values: [] },
      isRequired: declared === undefined,
      open: toOpening(url, match.index, match.index + match[0].length),
    })
  }
  const isCallable = /^https?:\/\/[^/]/i.test(
    substitute(url, slots, ({ isRequired, variable }) => (isRequired ? 'x' : variable.default)),
  )
  return { url, slots, isCallable }
}

function toOpening(url: string, start: number, end: number): Slot['open'] {
  const before = url.slice(0, start)
  const authority = before.indexOf('://')
  if (authority < 0 || url.indexOf('?') >= 0) return undefined
  const isInPath = before.indexOf('/', authority + 3) >= 0
  if (isInPath) return 'path'
  const rest = url.slice(end).split('/', 1)[0] ?? ''
  const isWholeLabel = /[/.]$/.test(before)
  return isWholeLabel && FIXED_DOMAIN.test(rest) ? 'label' : undefined
}

function substitute(url: string, slots: readonly Slot[], toValue: (slot: Slot) => string): string {
  let at = 0
  return url.replace(/\{[^{}]*\}/g, (whole) => {
    const slot = slots[at]
    at += 1
    return slot ? toValue(slot) : whole
  })
}

function fill(
  { url, slots }: Compiled,
  given: ReadonlyMap<string, string>,
  issues: Pick<Issues, 'add'>,
): Target | undefined {
  let isRefused = false
  const filled = substitute(url, slots, (slot) => {
    const { variable } = slot
    const value = given.get(variable.name)
    const problem =
      value === undefined
        ? slot.isRequired
          ? 'is required: the server has no default for it'
          : undefined
        : refuseValue(value, slot)
    if (problem !== undefined) {
      isRefused = true
      issues.add(`${CHOICE}.${variable.name}`, problem)
      return ''
    }
    const text = value ?? variable.default
    return slot.open === 'path' && !isDeclared(text, slot) ? encode(text) : text
  })
  return isRefused ? undefined : toTarget(filled)
}

function isDeclared(value: string, { variable, isRequired }: Slot): boolean {
  return variable.values.includes(value) || (!isRequired && value === variable.default)
}

function refuseValue(value: string, slot: Slot): string | undefined {
  if (isDeclared(value, slot)) return undefined
  const { variable, open, isRequired } = slot
  if (variable.values.length === 0 && open === 'path') return refusePathText(value)
  if (variable.values.length === 0 && open === 'label') {
    return LABEL.test(value)
      ? undefined
      : 'must be one host label: letters, digits and inner hyphens'
  }
  const declared = new Set(isRequired ? variable.values : [variable.default, ...variable.values])
  return `must be one of: ${[...declared].join(', ') || '(no values are declared)'}`
}

function toTarget(url: string): Target {
  if (!URL.canParse(url)) throw noServer('the URL of its server is not valid')
  const { protocol, origin, pathname, search, username, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw noServer('its server is not http(s)')
  if (username !== '' || password !== '') throw noServer('the URL of its server holds a password')
  if (hasDotSegment(pathname)) throw noServer('the URL of its server is not valid')
  return { origin, prefix: origin + pathname.replace(/\/+$/, ''), query: search }
}

function noServer(reason: string): ServiceError {
  return new ServiceError('no_server', `Cannot call the endpoint: ${reason}`)
}
