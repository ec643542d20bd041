import type { KeySummary } from '../../../core/accounts/index.ts'
import { type Caller, ServiceError } from '../../../core/index.ts'
import type { Html } from '../../../core/shared/html.ts'
import { CONSOLE, type ViewedRequest } from '../page.ts'
import { badge } from '../parts/text.ts'
import { hasAllScopes } from './scopes.ts'

/** Returns the path of the page of a key. */
export function toKeyPath({ id }: Pick<KeySummary, 'id'>): string {
  return `${CONSOLE}/account/keys/${encodeURIComponent(id)}`
}

/** Finds the key in the path, within the viewer's account. Throws `not_found`. */
export async function findKey({ app, viewer, params }: ViewedRequest): Promise<KeySummary> {
  const keys = await app.accounts.listKeys(viewer.caller.account)
  const key = keys.find(({ id }) => id === params.id)
  if (key) return key
  throw new ServiceError('not_found', 'API key not found')
}

/**
 * Finds a key like `findKey`, but requires that the viewer has all its scopes, because reading or
 * rotating a key grants its permissions. Throws `not_found` or `forbidden`.
 */
export async function findOwnKey(request: ViewedRequest): Promise<KeySummary> {
  const key = await findKey(request)
  if (hasAllScopes(request.viewer.caller, key.scopes)) return key
  throw new ServiceError('forbidden', explainMissingScopes(request.viewer.caller, key))
}

/** Explains why the viewer may not see a key. */
export function explainMissingScopes({ scopes }: Caller, key: KeySummary): string {
  const more = key.scopes.filter((scope) => !scopes.has(scope))
  return `The key has scopes that you do not have: ${more.join(', ')}`
}

/** True if a key is active at a time of the service's clock. */
export function isActiveKey({ revokedAt, expiresAt }: KeySummary, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now)
}

/** Shows the status of a key. */
export function renderKeyState(key: KeySummary, now: number): Html {
  if (key.revokedAt !== undefined) return badge('revoked', 'bad')
  return isActiveKey(key, now) ? badge('active', 'good') : badge('expired', 'warn')
}

/** Formats a command that tries a key. */
export function formatTryCommand(request: ViewedRequest, key: string): string {
  return `curl -s -H 'api-key: ${key}' \\\n  '${request.apiUrl}/endpoint_search?q=weather+forecast'`
}

/** Lifetimes of a new key in days, as form values. */
export const LIFETIMES = [
  { value: '90', label: '90 days' },
  { value: '30', label: '30 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never expires' },
] as const

/** Hours for which a rotated key keeps working. */
export const OVERLAPS = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '1', label: '1 hour' },
  { value: '0', label: 'not at all (expires now)' },
] as const

/** Returns the number of the selected choice; the first choice if the value is not among them. */
export function readChoice(
  choices: readonly { readonly value: string }[],
  value: string,
): number | undefined {
  const chosen = choices.some((choice) => choice.value === value) ? value : choices[0]?.value
  return chosen === undefined || chosen === 'never' ? undefined : Number(chosen)
}
