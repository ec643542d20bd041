import { type Caller, type KeySummary, ServiceError } from '../../../core/index.ts'
import type { Html } from '../../../core/shared/html.ts'
import { CONSOLE, type ViewedRequest } from '../page.ts'
import { badge } from '../parts/text.ts'
import { hasAll } from './scopes.ts'

/** Where a key is shown and changed. */
export function toKeyPath({ id }: Pick<KeySummary, 'id'>): string {
  return `${CONSOLE}/account/keys/${encodeURIComponent(id)}`
}

/** The key of the viewer's account that the path names. Throws `not_found`. */
export async function findKey({ app, viewer, params }: ViewedRequest): Promise<KeySummary> {
  const keys = await app.accounts.listKeys(viewer.caller.account)
  const key = keys.find(({ id }) => id === params.id)
  if (key) return key
  throw new ServiceError('not_found', 'Key not found')
}

/**
 * The same, when the viewer may do all that the key permits: who reads or renews a key can do as
 * much as the key. Throws `not_found`, `forbidden`.
 */
export async function findOwnKey(request: ViewedRequest): Promise<KeySummary> {
  const key = await findKey(request)
  if (hasAll(request.viewer.caller, key.scopes)) return key
  throw new ServiceError('forbidden', whyNot(request.viewer.caller, key))
}

/** Why a key is not shown. */
export function whyNot({ scopes }: Caller, key: KeySummary): string {
  const more = key.scopes.filter((scope) => !scopes.has(scope))
  return `The key permits more than you may do: ${more.join(', ')}`
}

/** Whether a key works at a time of the service's clock. */
export function isInForce({ revokedAt, expiresAt }: KeySummary, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now)
}

/** Whether a key works, in a word. */
export function keyState(key: KeySummary, now: number): Html {
  if (key.revokedAt !== undefined) return badge('revoked', 'bad')
  return isInForce(key, now) ? badge('in force', 'good') : badge('expired', 'warn')
}

/** The line that tries a key. */
export function toCurl(request: ViewedRequest, key: string): string {
  return `curl -s -H 'api-key: ${key}' \\\n  '${request.apiUrl}/endpoint_search?q=weather+forecast'`
}

/** How long a new key lives, by what the form says. */
export const LIFETIMES = [
  { value: '90', label: '90 days' },
  { value: '30', label: '30 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never expires' },
] as const

/** Hours for which a rotated key still works. */
export const OVERLAPS = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '1', label: '1 hour' },
  { value: '0', label: 'not at all: it ends now' },
] as const

/** The number that a list of choices stands for; the first where the value is not among them. */
export function readChoice(
  choices: readonly { readonly value: string }[],
  value: string,
): number | undefined {
  const chosen = choices.some((choice) => choice.value === value) ? value : choices[0]?.value
  return chosen === undefined || chosen === 'never' ? undefined : Number(chosen)
}
