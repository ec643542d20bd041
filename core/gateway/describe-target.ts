import { type CallShape, describeCall } from '../calls/describe-call.ts'
import type { Server } from '../catalogue/records.ts'
import type { Account } from '../shared/account.ts'
import { chooseCredentials, findSecretLocation } from './credentials/choose-credentials.ts'
import type { Credential } from './records.ts'
import type { GatewayStore } from './store.ts'
import type { GatewayTargets } from './targets.ts'

/** How an account can call an endpoint. */
export interface DescribedTarget extends CallShape {
  readonly servers: readonly Server[]
  /** Stored credentials that will be sent, unless the caller passes their value. */
  readonly credentials: readonly UsedCredential[]
  /** True if the host allows outgoing calls; otherwise only dry runs are possible. */
  readonly canSend: boolean
}

/** A stored credential without its secret parts, with its location in the request. */
export interface UsedCredential extends Pick<Credential, 'id' | 'kind' | 'name' | 'origins'> {
  /** True if it belongs to this API only, false if to all APIs of its vendor. */
  readonly isOfApi: boolean
  readonly placement: string
  readonly placeName: string
}

/** Describes an endpoint to an account. Throws `not_found`, and `no_server` for webhooks. */
export async function describeTarget(
  deps: {
    readonly targets: GatewayTargets
    readonly store: Pick<GatewayStore, 'findCredentials'>
    readonly canSend: boolean
  },
  { account, endpointId }: { readonly account: Account; readonly endpointId: string },
): Promise<DescribedTarget> {
  const target = await deps.targets.find(endpointId)
  const { endpoint, apiId, vendorId } = target
  const stored = await deps.store.findCredentials(account, { apiId, vendorId })
  const credentials = chooseCredentials(target, stored).flatMap((credential) => {
    const place = findSecretLocation(endpoint, credential)
    if (!place) return []
    const { id, kind, name, origins } = credential
    const used: UsedCredential = {
      id,
      kind,
      name,
      origins,
      isOfApi: credential.apiId !== undefined,
      placement: place.placement,
      placeName: place.name,
    }
    return [used]
  })
  return {
    ...describeCall(endpoint),
    servers: endpoint.servers,
    credentials,
    canSend: deps.canSend,
  }
}
