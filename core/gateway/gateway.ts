import type { AccountStore } from '../accounts/store.ts'
import type { CallMaker } from '../calls/call-maker.ts'
import { createCallPlan } from '../calls/call-plan.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Decode } from '../ports/decode.ts'
import {
  type Egress,
  EgressError,
  type EgressRequest,
  type EgressResponse,
} from '../ports/egress.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { Sealer } from '../ports/sealer.ts'
import type { Account } from '../shared/account.ts'
import type { Gauge } from '../shared/gauges.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import { createAudit } from './audit.ts'
import { createBudgets } from './budgets.ts'
import { createCallMaker } from './call-maker.ts'
import { createCallService, type GatewayCall, type GatewayCaller } from './call-service.ts'
import { createAccessTokens } from './credentials/access-tokens.ts'
import { createCredentialValues } from './credentials/credential-values.ts'
import { type Credentials, createCredentials } from './credentials/credentials.ts'
import { createSealedSecrets } from './credentials/sealed-secrets.ts'
import { type DescribedTarget, describeTarget } from './describe-target.ts'
import type { GatewayResponse } from './gateway-responses.ts'
import { createTargetGuard, type GuardLimits, type TargetGuard } from './guard/target-guard.ts'
import { observeBody } from './observe-body.ts'
import { createPolicies, type Policies } from './policies.ts'
import { createRecorder } from './recordings/recorder.ts'
import { createRecordings, type Recordings } from './recordings/recordings.ts'
import type { CallRecord } from './records.ts'
import type { GatewayStore } from './store.ts'
import { createTargets } from './targets.ts'

/** Calls catalogued endpoints on behalf of accounts (Specification 4.1). */
export interface Gateway {
  /**
   * Calls an endpoint. Rejects with a `ServiceError` for every failure except the target's own
   * responses. A call that is not permitted, valid or safe is rejected before anything is sent.
   */
  call(call: GatewayCall, caller: GatewayCaller): Promise<GatewayResponse>
  /**
   * Describes the inputs and credentials of an endpoint. Throws `not_found`, and `no_server` for
   * webhooks.
   */
  describe(account: Account, endpointId: string): Promise<DescribedTarget>
  readonly credentials: Pick<Credentials, 'put' | 'list' | 'listAccepted' | 'remove'>
  readonly policies: Pick<Policies, 'put' | 'list' | 'remove'>
  readonly recordings: Recordings
  /** Makes the calls of rate-limit tests, with the same policies and credentials. */
  readonly maker: CallMaker
  /** Newest first. */
  listCalls(account: Account, request: PageRequest): Promise<Page<CallRecord>>
  gauges(): readonly Gauge[]
  /** Stores buffered records and returns reserved calls. */
  flush(): Promise<void>
  /** Flushes a last time. Calls that end later are not recorded. */
  close(): Promise<void>
}

/** Dependencies of a gateway. */
export interface GatewayDeps {
  readonly store: GatewayStore
  readonly catalogue: CatalogueStore
  readonly accounts: Pick<AccountStore, 'listKeys'>
  /** Returns the revision of the catalogue's content. A hot read. */
  readonly revision: () => MaybePromise<string>
  /** Sends calls. Without it, only dry runs are possible. */
  readonly egress: Egress | undefined
  /** Seals credentials. Without it, none can be stored. */
  readonly sealer: Sealer | undefined
  /** Decodes recorded bodies. Without it, encoded bodies are not stored. */
  readonly decode: Decode | undefined
  readonly guardLimits?: Partial<GuardLimits> | undefined
  /** Total time of a call in milliseconds; default: the limit of the egress. */
  readonly totalMs?: number | undefined
  /** Allows token URLs with http, for targets in an internal network. */
  readonly allowsPlainTokenUrl?: boolean | undefined
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly userAgent: string
}

/**
 * Creates a gateway. It starts no background work; a timer runs only while audit rows are buffered.
 */
export function createGateway(deps: GatewayDeps): Gateway {
  const { store, catalogue, egress, sealer, clock, random, logger, userAgent } = deps
  const guard = createTargetGuard({ clock, limits: deps.guardLimits })
  const budgets = createBudgets({ store, clock, logger })
  const policies = createPolicies({
    store,
    catalogue,
    accounts: deps.accounts,
    clock,
    onChange: budgets.release,
  })
  const credentials = createCredentials({
    store,
    catalogue,
    secrets: sealer && createSealedSecrets(sealer, clock),
    clock,
    random,
    allowsPlainTokenUrl: deps.allowsPlainTokenUrl ?? false,
  })
  const tokens = createAccessTokens({
    send: (account, request) => sendGuarded({ guard, egress, account, request }),
    clock,
    userAgent,
  })
  const audit = createAudit({ store, clock, logger, onTimer: budgets.flush })
  const recorder = createRecorder({
    store,
    credentials,
    decode: deps.decode,
    clock,
    random,
    logger,
  })
  const targets = createTargets({
    catalogue,
    revision: deps.revision,
    createPlan: createCallPlan,
  })
  const making = {
    targets,
    policies,
    budgets,
    credentials,
    credentialValues: createCredentialValues(tokens),
    userAgent,
  }
  const call = createCallService({
    ...making,
    egress,
    tokens,
    guard,
    audit,
    recorder,
    clock,
    totalMs: deps.totalMs,
  })
  const flush = async () => {
    await Promise.all([audit.flush(), recorder.flush(), budgets.flush()])
  }
  return {
    call,
    describe: (account, endpointId) =>
      describeTarget({ targets, store, canSend: egress !== undefined }, { account, endpointId }),
    maker: createCallMaker({ ...making, accounts: deps.accounts, clock }),
    credentials,
    policies,
    recordings: createRecordings({ store, catalogue, recorder, clock }),
    async listCalls(account, request) {
      // Flush first, so that callers see their most recent calls.
      await audit.flush()
      return store.listCalls(account, request)
    },
    gauges: guard.gauges,
    flush,
    async close() {
      await flush()
      audit.close()
    },
  }
}

/** Sends a request of the gateway itself through the guard. */
async function sendGuarded(options: {
  readonly guard: TargetGuard
  readonly egress: Egress | undefined
  readonly account: Account
  readonly request: EgressRequest
}): Promise<EgressResponse> {
  const { guard, egress, account, request } = options
  if (!egress)
    throw new ServiceError(
      'not_implemented',
      'Outgoing calls are disabled: pass the "egress" option',
    )
  const pass = guard.enter({ origin: new URL(request.url).origin, account })
  try {
    const answer = await egress.send(request)
    pass.responded(answer.status, answer.headers)
    const body = observeBody(answer.body, {
      onEnd: ({ failure }) => {
        if (failure !== undefined) pass.failed(failure)
        pass.leave()
      },
    })
    const { status, headers, url } = answer
    const discard = () => {
      answer.discard()
      pass.leave()
    }
    return { status, headers, url, body, discard }
  } catch (error) {
    pass.failed(error instanceof EgressError ? error.failure : 'aborted')
    pass.leave()
    throw error
  }
}
