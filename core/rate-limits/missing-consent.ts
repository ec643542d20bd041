import { ServiceError } from '../http/problems.ts'
import type { Account } from '../shared/account.ts'
import { type ConsentAnswer, type ConsentState, toTokenUrl } from './consent.ts'
import { toHost } from './hosts.ts'
import type { HostConsent } from './service.ts'

/** The consent state of a host, and the token it could publish. */
export interface KnownConsent {
  readonly account: Account
  readonly origin: string
  readonly state: ConsentState
  readonly token: string
}

/** Describes the consent of a host to an account. */
export function toHostConsent({ account, origin, state, token }: KnownConsent): HostConsent {
  const host = toHost(origin)
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
    missing: isGiven ? '' : tellMissing({ host, tokenUrl, reason: state.reason }),
  }
}

/** Creates the error for a host without consent. Its members explain what is missing. */
export function toConsentMissing(known: KnownConsent): ServiceError {
  const { host, token, tokenUrl, reason, missing } = toHostConsent(known)
  return new ServiceError('consent_missing', `Cannot test ${host}: ${missing}`, {
    extra: { host, operator: tellOperator(host), token_url: tokenUrl, token, reason },
  })
}

function tellMissing(
  known: Pick<HostConsent, 'host' | 'tokenUrl'> & { readonly reason: ConsentAnswer },
): string {
  const { host, tokenUrl, reason } = known
  return `the operator does not allow it, and the host does not publish the account's token at ${tokenUrl} (${ANSWERS[reason]}). ${tellOperator(host)}, or publish the token there as a single line of text`
}

function tellOperator(host: string): string {
  return `Ask the operator of this service to allow tests of ${host}`
}

const ANSWERS: Record<ConsentAnswer, string> = {
  not_found: 'not found',
  other_content: 'other content',
  refused: 'access refused',
  redirected: 'redirects are not followed',
  too_large: 'larger than 1 KiB',
  busy: 'the host is busy',
  unreachable: 'no response within 5 seconds',
  unpinned: 'this service cannot verify the address, so only its operator can allow the test',
}
