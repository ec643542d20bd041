import type { Kysely } from 'kysely'
import type { Agreement, AgreementChange, NewAgreement } from '../../../core/agreements/records.ts'
import type { Account } from '../../../core/shared/account.ts'
import { isUnchangedAgreement, matchAgreements } from '../../../core/shared/match-agreements.ts'
import { ENTERED, IMPORTED, toAgreement, toChangeRow } from './agreement-rows.ts'
import { insertRows } from './bulk.ts'
import { cleanText } from './clean-text.ts'
import type { EngineKind } from './engine.ts'
import type { Tables } from './tables.ts'

/** The API whose agreements are replaced, within a transaction. */
export interface AgreementScope {
  readonly kind: EngineKind
  readonly tx: Kysely<Tables>
  readonly apiId: number
  /** Account that enters the agreements; undefined for an import. */
  readonly by: Account | undefined
  readonly at: number
}

/**
 * Replaces the agreements from the same source and records the changes in the history. Returns
 * false if nothing changed.
 */
export async function replaceAgreements(
  scope: AgreementScope,
  wanted: readonly NewAgreement[],
): Promise<boolean> {
  const { tx, apiId, at } = scope
  const source = toStoredSource(scope)
  const former = await listFormerAgreements(scope)
  // Compares names as stored: a name that storage normalises would otherwise change with each
  // import.
  const { pairs, removed } = matchAgreements(former, wanted.map(cleanAgreement))
  const kept = pairs.map((pair) => mergeHistory(scope, pair))
  if (JSON.stringify(former.map(toVisibleFields)) === JSON.stringify(kept.map(toVisibleFields)))
    return false
  await tx
    .deleteFrom('agreement')
    .where('api_id', '=', apiId)
    .where('source', '=', source)
    .execute()
  await insertAgreements(scope, kept)
  const base = { apiId, source: SOURCES[source] ?? 'imported', by: scope.by, at } as const
  const changes: AgreementChange[] = [
    ...removed.map((before) => ({ ...base, change: 'removed' as const, before, after: undefined })),
    ...pairs.flatMap(({ former: before, wanted: after }) =>
      before && isUnchangedAgreement(before, after)
        ? []
        : [{ ...base, change: before ? ('changed' as const) : ('added' as const), before, after }],
    ),
  ]
  // The history is read backwards.
  for (const change of changes.reverse()) {
    await tx.insertInto('agreement_change').values(toChangeRow(change)).execute()
  }
  return true
}

/**
 * Prepends agreements of other kinds from the same source. Texts stay attached to their kind and
 * link.
 */
export async function mergeOtherKinds(
  scope: AgreementScope,
  wanted: readonly NewAgreement[],
): Promise<readonly NewAgreement[]> {
  const former = await listFormerAgreements(scope)
  const kinds = new Set(wanted.map(({ kind }) => kind))
  return [
    ...former.filter(({ kind }) => !kinds.has(kind)),
    ...wanted.map((each) => {
      const before = former.find(({ kind, link }) => kind === each.kind && link === each.link)
      return { ...each, text: each.text ?? before?.text }
    }),
  ]
}

async function listFormerAgreements(scope: AgreementScope): Promise<readonly Agreement[]> {
  const rows = await scope.tx
    .selectFrom('agreement')
    .selectAll()
    .where('api_id', '=', scope.apiId)
    .where('source', '=', toStoredSource(scope))
    .orderBy('position')
    .execute()
  return rows.map(toAgreement)
}

function toStoredSource({ by }: AgreementScope): number {
  return by ? ENTERED : IMPORTED
}

const SOURCES = ['imported', 'entered'] as const

function cleanAgreement(agreement: NewAgreement): NewAgreement {
  const { name, link, kind, spdxId } = agreement
  return {
    ...agreement,
    name: cleanText(name),
    link: cleanText(link),
    kind: cleanText(kind),
    spdxId: cleanText(spdxId),
  }
}

function mergeHistory(
  { by, at }: AgreementScope,
  pair: { readonly wanted: NewAgreement; readonly former: Agreement | undefined },
): Agreement {
  const { wanted, former } = pair
  const isSame = former !== undefined && isUnchangedAgreement(former, wanted)
  return {
    ...wanted,
    source: by ? 'entered' : 'imported',
    enteredBy: isSame ? former.enteredBy : by,
    firstSeenAt: former?.firstSeenAt ?? at,
    changedAt: isSame ? former.changedAt : at,
  }
}

/** Returns the properties of an agreement that clients see. */
function toVisibleFields(agreement: Agreement): readonly unknown[] {
  const { kind, name, link, spdxId, text, changedAt } = agreement
  return [kind, name, link, spdxId, text?.digest, text?.retrievedAt, changedAt]
}

async function insertAgreements(
  { kind, tx, apiId }: AgreementScope,
  agreements: readonly Agreement[],
): Promise<void> {
  await insertRows(tx, {
    kind,
    table: 'agreement',
    columns: [
      'api_id',
      'source',
      'position',
      'kind',
      'name',
      'link',
      'spdx_id',
      'text_digest',
      'text_size',
      'retrieved_at',
      'account_id',
      'account_name',
      'first_seen_at',
      'changed_at',
    ],
    rows: agreements.map((each, index) => [
      apiId,
      each.source === 'entered' ? ENTERED : IMPORTED,
      index,
      each.kind,
      each.name,
      each.link,
      each.spdxId,
      each.text?.digest ?? '',
      each.text?.size ?? 0,
      each.text?.retrievedAt ?? null,
      each.enteredBy?.id ?? '',
      each.enteredBy?.name ?? '',
      each.firstSeenAt,
      each.changedAt,
    ]),
  })
}
