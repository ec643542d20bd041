import type { ApiDiscovery } from '../../core/api-discovery.ts'
import type { Account } from '../../core/shared/account.ts'

/** Secret that only targets may receive; see `fillGateway`. */
const SEEDED_SECRET = 'skycast-secret'

const ORIGINS = ['eu', 'us', 'asia'].map((region) => `https://${region}.api.skycast.example`)

/** Short ID of the seeded recording's endpoint, which has a documented example. */
const FORECAST = 'qjTj4fG'

/**
 * Adds one entity of each gateway kind to an account: a credential for the weather API, a policy of
 * its key with the scope `review`, and a call of an endpoint with a published recording.
 */
export async function fillGateway(
  { accounts, gateway }: ApiDiscovery,
  account: Account,
): Promise<void> {
  await gateway.credentials.put(account, {
    apiId: '3',
    kind: 'query',
    name: 'appid',
    value: SEEDED_SECRET,
    origins: ORIGINS,
  })
  const keys = await accounts.listKeys(account)
  const reviewer = keys.find(({ scopes }) => scopes.length === 1 && scopes[0] === 'review')
  await gateway.policies.put(account, {
    keyId: reviewer?.id ?? '',
    vendors: ['Skycast'],
    methods: ['GET'],
    dailyBudget: 50,
  })
  const values = { lat: 46.95, lon: 7.45 }
  const { body } = await gateway.call(
    { endpointId: FORECAST, values, isRecorded: true, accept: '*/*', header: () => undefined },
    { account },
  )
  if (typeof body === 'object') for await (const _chunk of body);
  await gateway.flush()
  const [recording] = (await gateway.recordings.list(account, { size: 1, page: 1 })).items
  if (recording) await gateway.recordings.publish(account, recording.id)
}
