import type { Kysely } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type { Credential, CredentialKind } from '../../../core/gateway/records.ts'
import type { GatewayStore } from '../../../core/gateway/store.ts'
import type { Account } from '../../../core/shared/account.ts'
import { chain } from '../../../core/shared/maybe-promise.ts'
import { toCleanJson } from './clean-text.ts'
import type { Engine } from './engine.ts'
import { rejectLongName } from './filters.ts'
import type { GatewayCredentialTable } from './gateway-tables.ts'
import type { Tables } from './tables.ts'

/** Stores encrypted credentials for targets. */
export function createCredentialStore(
  engine: Engine,
): Pick<
  GatewayStore,
  | 'saveCredential'
  | 'findCredentialId'
  | 'listCredentials'
  | 'findCredentials'
  | 'listSealedCredentials'
  | 'replaceSealed'
  | 'removeCredential'
> {
  const { db } = engine
  const findForTarget = engine.prepare<CredentialRow>((kysely) =>
    selectCredentials(kysely)
      .where((where) =>
        where.or([
          where.and({ account_id: '', api_id: 0, vendor_id: 0 }),
          where.and({ account_id: '', api_id: 0, vendor_id: 0 }),
        ]),
      )
      // Credentials of the API have vendor 0.
      .orderBy('vendor_id')
      .orderBy('position'),
  )
  return {
    async saveCredential(account, credential) {
      rejectLongName('credential', foldCase(credential.name))
      const values = toCredentialValues(credential)
      await engine.write(async (tx) => {
        const saved =
          (await tx
            .updateTable('gateway_credential')
            .set(values)
            .where((where) => where.and(toCredentialKey(account, credential)))
            .where('id', '=', credential.id)
            .returning('id')
            .executeTakeFirst()) ??
          (await tx
            .insertInto('gateway_credential')
            .values({
              ...toCredentialKey(account, credential),
              ...values,
              id: credential.id,
              created_at: credential.createdAt,
            })
            .onConflict((conflict) => conflict.doNothing())
            .returning('id')
            .executeTakeFirst())
        if (!saved) {
          throw new ServiceError(
            'conflict',
            'Cannot save the credential: it was changed concurrently. Try again',
          )
        }
      })
    },

    async findCredentialId(account, place) {
      const row = await db
        .selectFrom('gateway_credential')
        .select('id')
        .where((where) => where.and(toCredentialKey(account, place)))
        .executeTakeFirst()
      return row?.id
    },

    async listCredentials(account) {
      const rows = await selectCredentials(db)
        .where('account_id', '=', account.id)
        .orderBy('position')
        .execute()
      return rows.map(toCredential)
    },

    findCredentials: (account, { apiId, vendorId }) =>
      chain(findForTarget([account.id, apiId, 0, account.id, 0, vendorId]), (rows) =>
        rows.map(toCredential),
      ),

    async listSealedCredentials() {
      const rows = await db
        .selectFrom('gateway_credential')
        .select(['account_id as accountId', 'id', 'sealed'])
        .orderBy('position')
        .execute()
      return rows.map((row) => ({ ...row }))
    },

    async replaceSealed(account, credentialId, { from, to }) {
      return engine.write(async (tx) => {
        const changed = await tx
          .updateTable('gateway_credential')
          .set({ sealed: to })
          .where('account_id', '=', account.id)
          .where('id', '=', credentialId)
          .where('sealed', '=', from)
          .returning('id')
          .executeTakeFirst()
        return changed !== undefined
      })
    },

    async removeCredential(account, credentialId) {
      return engine.write(async (tx) => {
        const removed = await tx
          .deleteFrom('gateway_credential')
          .where('account_id', '=', account.id)
          .where('id', '=', credentialId)
          .returning('id')
          .executeTakeFirst()
        return removed !== undefined
      })
    },
  }
}

type CredentialTarget = Parameters<GatewayStore['findCredentialId']>[1]

const COLUMNS = [
  'id',
  'api_id',
  'vendor_id',
  'kind',
  'name',
  'origins',
  'token_url',
  'oauth_scope',
  'sealed',
  'created_at',
  'updated_at',
] as const

type CredentialRow = Pick<GatewayCredentialTable, (typeof COLUMNS)[number]>

function selectCredentials(db: Kysely<Tables>) {
  return db.selectFrom('gateway_credential').select(COLUMNS)
}

/** Returns the unique key of a credential. */
function toCredentialKey(account: Account, { apiId, vendorId, kind, name }: CredentialTarget) {
  return {
    account_id: account.id,
    api_id: apiId ?? 0,
    vendor_id: vendorId ?? 0,
    kind,
    folded_name: foldCase(name),
  }
}

function toCredentialValues(credential: Credential) {
  return {
    name: credential.name,
    origins: toCleanJson(credential.origins),
    token_url: credential.tokenUrl,
    oauth_scope: credential.oauthScope,
    sealed: credential.sealed,
    updated_at: credential.updatedAt,
  }
}

function toCredential(row: CredentialRow): Credential {
  return {
    id: row.id,
    apiId: row.api_id === 0 ? undefined : row.api_id,
    vendorId: row.vendor_id === 0 ? undefined : row.vendor_id,
    // The casts are safe: `saveCredential` wrote both values.
    kind: row.kind as CredentialKind,
    origins: JSON.parse(row.origins) as string[],
    name: row.name,
    tokenUrl: row.token_url,
    oauthScope: row.oauth_scope,
    sealed: row.sealed,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function foldCase(name: string): string {
  return name.toLowerCase()
}
