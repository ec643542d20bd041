import { ServiceError } from '../http/problems.ts'
import type { Account } from '../shared/account.ts'
import { type ConsentAnswer, type ConsentState, toTokenUrl } from './consent.ts'
import { toHost } from './hosts.ts'
import type { HostConsent } from './service.ts'

/** What is known of the consent of a host, with the token that would give it. */
export interface KnownConsent {
  readonly account: Account
  readonly origin: string
  readonly state: ConsentState
  readonly token: string
}

/** Tells an account how it stands with a host. */
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

/** The error for a test of a host that has not consented; its members say what is missing. */
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
  return `neither has the operator named it, nor does it answer the account's token at ${tokenUrl} (${ANSWERS[reason]}). ${tellOperator(host)}, or have the host answer the token there as one line of text`
}

function tellOperator(host: string): string {
  return `Have the operator of this service name ${host} among the hosts that may be tested`
}

const ANSWERS: Record<ConsentAnswer, string> = {
  not_found: 'there is nothing',
  other_content: 'there is something else',
  refused: 'it may not be read',
  redirected: 'it redirects, which is not followed',
  too_large: 'there is more than 1 KiB',
  busy: 'the host is too busy to answer',
  unreachable: 'there is no answer in 5 seconds',
  unpinned: 'this service cannot tell from which address, so that only its operator can consent',
}
