import { ServiceError } from '../errors.ts'
import type { Account } from '../shared/account.ts'
import { type ConsentRefusal, type ConsentState, toTokenUrl } from './consent.ts'
import { toHostAndPort } from './hosts.ts'
import type { HostConsent } from './service.ts'

/** The consent state of a host, and the token it could publish. */
export interface CheckedConsent {
  readonly account: Account
  readonly origin: string
  readonly state: ConsentState
  readonly token: string
}

/** Describes the consent of a host to an account. */
export function toHostConsent({ account, origin, state, token }: CheckedConsent): HostConsent {
  const host = toHostAndPort(origin)
  const isGiven = state.by !== undefined
  const tokenUrl = toTokenUrl(account, origin)
  return {
    host,
    origin,
    isGiven,
    by: state.by,
    token,
    tokenUrl,
    reason: isGiven ? undefined : state.reason,
    missing: isGiven ? '' : describeMissingConsent({ host, tokenUrl, reason: state.reason }),
  }
}

/** Creates the error for a host without consent. Its members explain what is missing. */
export function createConsentMissingError(known: CheckedConsent): ServiceError {
  const { host, token, tokenUrl, reason, missing } = toHostConsent(known)
  return new ServiceError('consent_missing', `Cannot test ${host}: ${missing}`, {
    extra: { host, operator: describeOperatorPermission(host), token_url: tokenUrl, token, reason },
  })
}

function describeMissingConsent(
  known: Pick<HostConsent, 'host' | 'tokenUrl'> & { readonly reason: ConsentRefusal },
): string {
  const { host, tokenUrl, reason } = known
  return `the operator does not allow it, and the host does not publish the account's token at ${tokenUrl} (${REFUSAL_TEXTS[reason]}). ${describeOperatorPermission(host)}, or publish the token there as a single line of text`
}

function describeOperatorPermission(host: string): string {
  return `Ask the operator of this service to allow tests of ${host}`
}

const REFUSAL_TEXTS: Record<ConsentRefusal, string> = {
  not_found: 'not found',
  other_content: 'other content',
  refused: 'access refused',
  redirected: 'redirects are not followed',
  too_large: 'larger than 1 KiB',
  busy: 'the host is busy',
  unreachable: 'no response within 5 seconds',
  unpinned: 'this service cannot verify the address, so only its operator can allow the test',
}
