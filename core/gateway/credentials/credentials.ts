import type { Api, Server } from '../../catalogue/records.ts'
import type { CatalogueStore } from '../../catalogue/store.ts'
import { createNotFoundError, type InputIssue, ServiceError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Account } from '../../shared/account.ts'
import { toBase62 } from '../../shared/base62.ts'
import { chain, type MaybePromise } from '../../shared/maybe-promise.ts'
import type { Credential } from '../records.ts'
import { createShortCache } from '../short-cache.ts'
import type { GatewayStore } from '../store.ts'
import { type AcceptedCredentials, listAcceptedCredentials } from './accepted-credentials.ts'
import {
  type CredentialRequest,
  type CredentialSecret,
  validateCredential,
} from './credential-request.ts'
import { listOrigins } from './list-origins.ts'
import type { SealedSecrets } from './sealed-secrets.ts'

/** A credential with its secret parts. */
export interface OpenedCredential extends Credential {
  readonly secret: CredentialSecret
}

/** A credential with the name of its vendor, if it belongs to one. */
export interface NamedCredential {
  readonly credential: Credential
  readonly vendor: string | undefined
}

/**
 * Credentials that accounts stored for targets. A change takes effect immediately in this process,
 * within a second in others.
 */
export interface Credentials {
  /**
   * Seals and stores a credential, replacing that of the same API or vendor, kind and name. Throws
   * `invalid_input`, also if `origins` is absent and the servers have several origins. Throws
   * `not_implemented` if the host has no sealer.
   */
  put(account: Account, request: CredentialRequest): Promise<NamedCredential>
  list(account: Account): Promise<readonly NamedCredential[]>
  /** Lists the credential types and origins that an API declares. */
  listAccepted(api: Pick<Api, 'id' | 'servers'>): Promise<AcceptedCredentials>
  /** Throws `not_found`. */
  remove(account: Account, credentialId: string): Promise<void>
  /**
   * Returns the opened credentials for an API: its own, then its vendor's. The same list is
   * returned for a second.
   */
  find(
    account: Account,
    target: { readonly apiId: number; readonly vendorId: number },
  ): MaybePromise<readonly OpenedCredential[]>
  /** Returns all secret parts of an account's credentials, for redaction. */
  listSecrets(account: Account): Promise<readonly string[]>
}

type CredentialCatalogue = Pick<
  CatalogueStore,
  'findApi' | 'findApisByName' | 'findVendor' | 'findVendors' | 'listApiEndpoints'
>

const MAX_ATTEMPTS = 3
/** Maximum per account: all credentials are opened to redact a recording. */
const MAX_CREDENTIALS = 1000
const NO_OPENED_CREDENTIALS: readonly OpenedCredential[] = []

/** Creates the credentials. Without `secrets`, none can be stored and none are used. */
export function createCredentials(deps: {
  readonly store: GatewayStore
  readonly catalogue: CredentialCatalogue
  readonly secrets: SealedSecrets | undefined
  readonly clock: Clock
  readonly random: Random
  readonly allowsPlainTokenUrl: boolean
}): Credentials {
  const { store, catalogue, secrets, clock, random } = deps
  const openedCache = createShortCache<readonly OpenedCredential[]>(clock)

  /**
   * If another request stores the same credential concurrently, its ID wins and the secret is
   * sealed again for it.
   */
  async function saveSealed(
    seals: SealedSecrets,
    account: Account,
    credential: Omit<Credential, 'id' | 'sealed'> & { readonly secret: CredentialSecret },
  ): Promise<Credential> {
    const { secret, ...rest } = credential
    const formerId = await store.findCredentialId(account, rest)
    if (formerId === undefined) await checkCredentialLimit(store, account)
    let id = formerId ?? `crd_${toBase62(random(16), 22)}`
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const sealed = await seals.seal(account, id, secret)
      await store.saveCredential(account, { ...rest, id, sealed })
      const storedId = await store.findCredentialId(account, rest)
      const stored = (await store.listCredentials(account)).find((each) => each.id === storedId)
      if (stored && stored.id === id) return stored
      id = storedId ?? id
    }
    throw new ServiceError(
      'conflict',
      'Cannot store the credential: other requests are storing it. Try again',
    )
  }

  function findOpened(
    account: Account,
    target: { readonly apiId: number; readonly vendorId: number },
  ): MaybePromise<readonly OpenedCredential[]> {
    return chain(store.findCredentials(account, target), (found) =>
      found.length === 0 || !secrets ? NO_OPENED_CREDENTIALS : openAll(secrets, account, found),
    )
  }

  return {
    async put(account, request) {
      if (!secrets) {
        throw new ServiceError(
          'not_implemented',
          'Cannot store credentials: the service has no secret to encrypt them',
        )
      }
      const issues: InputIssue[] = []
      const checked = validateCredential(request, {
        allowsPlainTokenUrl: deps.allowsPlainTokenUrl,
        issues,
      })
      if (issues.length > 0) throw createInvalidInputError(issues)
      const { apiId, vendorId, vendor, listServers } = await findApiOrVendor(catalogue, request)
      const now = clock()
      const credential = await saveSealed(secrets, account, {
        apiId,
        vendorId,
        kind: request.kind,
        name: checked.name,
        origins: checked.origins ?? requireSingleOrigin(listOrigins(await listServers())),
        tokenUrl: checked.tokenUrl,
        oauthScope: checked.oauthScope,
        createdAt: now,
        updatedAt: now,
        secret: checked.secret,
      }).finally(openedCache.forget)
      return { credential, vendor }
    },

    async list(account) {
      const all = await store.listCredentials(account)
      const ids = [...new Set(all.flatMap(({ vendorId }) => vendorId ?? []))]
      const names = new Map((await catalogue.findVendors(ids)).map(({ id, name }) => [id, name]))
      return all.map((credential) => ({
        credential,
        vendor: credential.vendorId === undefined ? undefined : names.get(credential.vendorId),
      }))
    },

    async listAccepted(api) {
      return listAcceptedCredentials(api, await catalogue.listApiEndpoints(api.id))
    },

    async remove(account, credentialId) {
      const isRemoved = await store
        .removeCredential(account, credentialId)
        .finally(openedCache.forget)
      if (isRemoved) return
      throw createNotFoundError('Credential')
    },

    find(account, target) {
      const key = `${account.id} ${target.apiId}`
      const entry = openedCache.peek(key)
      return entry ? entry.value : openedCache.get(key, () => findOpened(account, target))
    },

    async listSecrets(account) {
      if (!secrets) return []
      const all = await openAll(secrets, account, await store.listCredentials(account))
      // A user name is a secret only without a value.
      return all.map(({ secret }) => secret.value || secret.user)
    },
  }
}

/** Finds the API or vendor of a credential, with its current servers. */
async function findApiOrVendor(
  catalogue: CredentialCatalogue,
  { apiId, vendor: name }: CredentialRequest,
) {
  if (apiId !== undefined) {
    const api = await catalogue.findApi(apiId)
    if (!api) throw createIssueError('api_id', `does not exist: "${apiId}"`)
    const listServers = async () => {
      const endpoints = await catalogue.listApiEndpoints(api.id)
      return [...api.servers, ...endpoints.flatMap(({ servers }) => servers)]
    }
    return { apiId: api.id, vendorId: undefined, vendor: undefined, listServers }
  }
  const vendor = await catalogue.findVendor(name ?? '')
  if (!vendor) throw createIssueError('vendor', `does not exist: "${name}"`)
  const listServers = async (): Promise<readonly Server[]> => {
    const apis = await catalogue.findApisByName({ vendorName: vendor.name })
    return apis.flatMap(({ servers }) => servers)
  }
  return { apiId: undefined, vendorId: vendor.id, vendor: vendor.name, listServers }
}

async function checkCredentialLimit(store: GatewayStore, account: Account): Promise<void> {
  if ((await store.listCredentials(account)).length < MAX_CREDENTIALS) return
  throw new ServiceError(
    'conflict',
    `Cannot store the credential: the account already has ${MAX_CREDENTIALS}. Remove one first`,
  )
}

async function openAll(
  seals: SealedSecrets,
  account: Account,
  credentials: readonly Credential[],
): Promise<readonly OpenedCredential[]> {
  return Promise.all(
    credentials.map(async (credential) => ({
      ...credential,
      secret: await seals.open(account, credential),
    })),
  )
}

/** Any importer may have added one of several origins, so the account must choose explicitly. */
function requireSingleOrigin(present: readonly string[]): readonly string[] {
  if (present.length <= 1) return present
  const message = `is required if the servers have several origins: choose from ${present.join(', ')}`
  throw createIssueError('origins', message)
}

function createIssueError(name: string, message: string): ServiceError {
  return createInvalidInputError([{ in: 'body', name, message }])
}

function createInvalidInputError(issues: readonly InputIssue[]): ServiceError {
  const detail = issues.map(({ name, message }) => `${name} ${message}`).join('; ')
  return new ServiceError('invalid_input', detail, { issues })
}
