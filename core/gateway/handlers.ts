import type { Handlers } from '../http/operation.ts'
import type { Gateway } from './gateway.ts'
import type { gatewayOperations } from './operations.ts'
import {
  toCallHistoryWire,
  toCredentialWire,
  toPolicyWire,
  toPublishedWire,
  toRecordingListWire,
  toRecordingWire,
} from './wire.ts'

/** Creates the handlers of the gateway's operations (Specification 4.1). */
export function createGatewayHandlers(deps: {
  readonly gateway: Gateway
}): Handlers<typeof gatewayOperations> {
  const { gateway } = deps
  const { credentials, policies, recordings } = gateway

  return {
    callEndpoint: (input, context) =>
      gateway.call(
        {
          endpointId: input.endpoint_id,
          values: input.body,
          server: input.server || undefined,
          followRedirects: input.follow_redirects,
          isDryRun: input.dry_run,
          isRecorded: input.record,
          accept: context.accept,
          header: (name) => context.header(name),
          signal: context.signal,
        },
        context,
      ),

    putCredential: async ({ body }, { account }) => {
      const { credential, vendor } = await credentials.put(account, {
        apiId: toOptionalString(body.api_id),
        vendor: body.vendor ?? undefined,
        kind: body.kind,
        name: body.name ?? undefined,
        value: body.value ?? undefined,
        username: body.username ?? undefined,
        password: body.password ?? undefined,
        clientId: body.client_id ?? undefined,
        clientSecret: body.client_secret ?? undefined,
        tokenUrl: body.token_url ?? undefined,
        scope: body.scope ?? undefined,
        origins: body.origins ?? undefined,
      })
      return toCredentialWire(credential, vendor)
    },

    listCredentials: async (_, { account }) => ({
      credentials: (await credentials.list(account)).map(({ credential, vendor }) =>
        toCredentialWire(credential, vendor),
      ),
    }),

    removeCredential: async (input, { account }) => {
      await credentials.remove(account, input.credential_id)
      return undefined
    },

    listCalls: async ({ size, page }, { account }) => {
      const request = { size, page }
      return toCallHistoryWire(await gateway.listCalls(account, request), request)
    },

    putPolicy: async ({ body }, { account }) => {
      const { policy, vendors } = await policies.put(account, {
        keyId: body.key_id,
        vendors: body.vendors ?? undefined,
        apiIds: body.api_ids?.map(String),
        methods: body.methods ?? undefined,
        dailyBudget: body.daily_budget ?? undefined,
      })
      return toPolicyWire(policy, vendors)
    },

    listPolicies: async (_, { account }) => ({
      policies: (await policies.list(account)).map(({ policy, vendors }) =>
        toPolicyWire(policy, vendors),
      ),
    }),

    removePolicy: async (input, { account }) => {
      await policies.remove(account, input.key_id)
      return undefined
    },

    listRecordings: async ({ size, page }, { account }) => {
      const request = { size, page }
      return toRecordingListWire(await recordings.list(account, request), request)
    },

    getRecording: async (input, { account }) =>
      toRecordingWire(await recordings.get(account, input.recording_id)),

    removeRecording: async (input, { account }) => {
      await recordings.remove(account, input.recording_id)
      return undefined
    },

    publishRecording: async ({ body }, { account }) =>
      toPublishedWire(await recordings.publish(account, body.recording_id)),

    unpublishRecording: async (input) => {
      await recordings.unpublish(input.endpoint_id)
      return undefined
    },
  }
}

function toOptionalString(id: string | number | null | undefined): string | undefined {
  return id === null || id === undefined ? undefined : String(id)
}
