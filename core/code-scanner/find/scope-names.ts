import type { Binding, Expression, Program } from '../model/program.ts'
import { hostOf } from '../noise/url-hosts.ts'
import { isEntityRecord } from './records.ts'

/** Whether a scope is part of a function that returns samples. */
export function isSample(program: Program, scope: number): boolean {
  return isWithin(program, scope, (name) => SAMPLES.test(name))
}

/**
 * Whether a scope is part of a function or class that opens pages of social networks, or of the one
 * of the URL: `TumblrSharingService` with `www.tumblr.com`.
 */
export function sharesPosts(program: Program, at: { scope: number; url: string }): boolean {
  const labels = (hostOf(at.url) ?? '').split('.').slice(0, -1)
  return isWithin(program, at.scope, (name) => {
    const network = SHARING.exec(name)?.[1]?.toLowerCase()
    if (network === undefined) return SHARES.test(name)
    return labels.some(
      (label) => label === network || (label.length > 3 && network.includes(label)),
    )
  })
}

/**
 * Finds the variables that calls of their own functions request, of which only one value is known
 * at the call: `if (a) url = …; else url = …; get(url)`. `calledAt` has lines and columns of URLs.
 */
export function findRequestedNames(
  { calls }: Program,
  calledAt: ReadonlySet<string>,
): (name: string, scope: number) => boolean {
  const found = new Set<string>()
  for (const { args, scope } of calls) {
    for (const arg of args) {
      const isUrl = calledAt.has(`${arg.place.line}:${arg.place.column}`)
      if (arg.kind === 'name' && isUrl) found.add(`${scope}|${arg.name}`)
    }
  }
  return (name, scope) => found.has(`${scope}|${name}`)
}

/**
 * Finds the URLs of objects whose members describe an entity: `entry.title = …; entry.url = …`.
 * `this` is a client as often.
 */
export function findEntityNames({
  bindings,
}: Program): (binding: Pick<Binding, 'name' | 'scope'>) => boolean {
  const objects = new Map<string, Record<string, Expression>>()
  const toObject = (name: string, scope: number) => `${scope}|${name.replace(/\.\w+$/, '')}`
  for (const { name, value, scope } of bindings) {
    const [, member] = /^(?!this\.)\w+\.(\w+)$/.exec(name) ?? []
    const isEntry = value.kind === 'call' && /(?:Entry|Item)$/.test(value.call.callee)
    const key = member ?? (isEntry ? 'title' : undefined)
    if (key === undefined) continue
    const at = toObject(name, scope)
    objects.set(at, { ...objects.get(at), [key]: value })
  }
  return ({ name, scope }) =>
    /^\w+\.url$/i.test(name) && isEntityRecord(objects.get(toObject(name, scope)) ?? {})
}

function isWithin({ scopes }: Program, scope: number, fits: (name: string) => boolean): boolean {
  for (let at = scopes[scope]; at; at = scopes[at.parent]) {
    if (fits(at.name)) return true
  }
  return false
}

const SAMPLES =
  /^(?:sample|example|fixture|dummy|fake|mock)s?(?:$|_|[A-Z])|_(?:sample|example|fixture)s?$/

/** Classes that share posts, and those that build the addresses of pages. */
const SHARES =
  /^SocialSharing|^(?:Social)?Share(?:Button|Link)s?$|External(?:Url|Link)s?(?:Builder|Provider)?$/
const SHARING = /^(\w{1,40})SharingService$/
