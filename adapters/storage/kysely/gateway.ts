import type { GatewayStore } from '../../../core/gateway/store.ts'
import type { Engine } from './engine.ts'
import { createBudgetStore } from './gateway-budgets.ts'
import { createCallStore } from './gateway-calls.ts'
import { createCredentialStore } from './gateway-credentials.ts'
import { createPolicyStore } from './gateway-policies.ts'
import { createRecordingStore } from './gateway-recordings.ts'
import { createPublishedResponseStore } from './published-responses.ts'

/** Stores the data of the gateway. */
export function createGatewayStore(engine: Engine, now: () => number): GatewayStore {
  return {
    ...createCredentialStore(engine),
    ...createPolicyStore(engine),
    ...createBudgetStore(engine),
    ...createCallStore(engine),
    ...createRecordingStore(engine),
    ...createPublishedResponseStore(engine, now),
  }
}
