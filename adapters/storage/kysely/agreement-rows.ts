import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Agreement, AgreementChange, NewAgreement } from '../../../core/agreements/records.ts'
import type { AgreementChangeTable, AgreementTable } from './agreement-tables.ts'
import { inChunks } from './bulk.ts'
import { toCleanJson } from './clean-text.ts'
import type { Tables } from './tables.ts'

/** Stored values of the sources. */
export const IMPORTED = 0
export const ENTERED = 1

/** Lists the agreements of an API, in the order of `listAgreementRowsOf`. */
export async function listAgreementRows(
  db: Kysely<Tables>,
  apiId: number,
): Promise<readonly Selectable<AgreementTable>[]> {
  return (await listAgreementRowsOf(db, [apiId])).get(apiId) ?? []
}

/**
 * Lists the agreements of several APIs, by API. The order is: imported ones that are not also
 * entered, then the entered ones. APIs without agreements are omitted.
 */
export async function listAgreementRowsOf(
  db: Kysely<Tables>,
  apiIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Selectable<AgreementTable>[]>> {
  const ofApis = new Map<number, Selectable<AgreementTable>[]>()
  for (const piece of inChunks(apiIds)) {
    const rows = await db
      .selectFrom('agreement')
      .selectAll()
      .where('api_id', 'in', piece)
      .orderBy('api_id')
      .orderBy('source')
      .orderBy('position')
      .execute()
    for (const row of rows) {
      const ofApi = ofApis.get(row.api_id) ?? []
      ofApis.set(row.api_id, ofApi)
      ofApi.push(row)
    }
  }
  return new Map([...ofApis].map(([apiId, rows]) => [apiId, removeOverriddenImports(rows)]))
}

/** Removes imported agreements that were also entered. */
function removeOverriddenImports(
  rows: readonly Selectable<AgreementTable>[],
): readonly Selectable<AgreementTable>[] {
  const entered = rows.filter(({ source }) => source === ENTERED)
  return rows.filter(
    (row) =>
      row.source === ENTERED ||
      !entered.some(({ kind, link }) => kind === row.kind && link === row.link),
  )
}

/** Converts a row to an agreement. */
export function toAgreement(row: Selectable<AgreementTable>): Agreement {
  const isEntered = row.source === ENTERED
  return {
    name: row.name,
    link: row.link,
    kind: row.kind,
    spdxId: row.spdx_id,
    source: isEntered ? 'entered' : 'imported',
    enteredBy: isEntered ? { id: row.account_id, name: row.account_name } : undefined,
    firstSeenAt: row.first_seen_at,
    changedAt: row.changed_at,
    text:
      row.text_digest === ''
        ? undefined
        : {
            digest: row.text_digest,
            size: row.text_size,
            retrievedAt: row.retrieved_at ?? undefined,
          },
  }
}

/** Converts a row to a change. */
export function toAgreementChange(row: Selectable<AgreementChangeTable>): AgreementChange {
  const isEntered = row.source === ENTERED
  return {
    apiId: row.api_id,
    // The cast is safe: `toChangeRow` wrote it.
    change: row.change as AgreementChange['change'],
    source: isEntered ? 'entered' : 'imported',
    by: isEntered ? { id: row.account_id, name: row.account_name } : undefined,
    at: row.changed_at,
    before: fromAgreementJson(row.before),
    after: fromAgreementJson(row.after),
  }
}

/** Converts a change to a row. */
export function toChangeRow(change: AgreementChange): Insertable<AgreementChangeTable> {
  return {
    api_id: change.apiId,
    changed_at: change.at,
    change: change.change,
    source: change.source === 'entered' ? ENTERED : IMPORTED,
    account_id: change.by?.id ?? '',
    account_name: change.by?.name ?? '',
    before: toAgreementJson(change.before),
    after: toAgreementJson(change.after),
  }
}

function toAgreementJson(agreement: NewAgreement | undefined): string {
  if (!agreement) return ''
  const { name, link, kind, spdxId, text } = agreement
  return toCleanJson({ name, link, kind, spdxId, text })
}

function fromAgreementJson(json: string): NewAgreement | undefined {
  if (json === '') return undefined
  // The cast is safe: `toCleanJson` wrote it, without an absent text or date.
  const { text, ...rest } = JSON.parse(json) as NewAgreement
  return { ...rest, text: text && { ...text, retrievedAt: text.retrievedAt } }
}
