import { type Kysely, sql } from 'kysely'
import type { Agreement, AgreementChange, NewAgreement } from '../../../core/agreements/records.ts'
import type { AgreementStore } from '../../../core/agreements/store.ts'
import type { Account } from '../../../core/shared/account.ts'
import { isUnchangedAgreement, matchAgreements } from '../../../core/shared/match-agreements.ts'
import {
  ENTERED,
  IMPORTED,
  listAgreementRows,
  toAgreement,
  toAgreementChange,
  toChangeRow,
} from './agreement-rows.ts'
import { inChunks, insertRows } from './bulk.ts'
import { cleanText } from './clean-text.ts'
import type { Engine, EngineKind } from './engine.ts'
import { isWithinDays } from './filters.ts'
import { finishChange, startChange } from './generations.ts'
import type { Tables } from './tables.ts'

/** The API whose agreements are replaced, within a transaction. */
interface AgreementScope {
  readonly kind: EngineKind
  readonly tx: Kysely<Tables>
  readonly apiId: number
  /** Account that enters the agreements; undefined for an import. */
  readonly by: Account | undefined
  readonly at: number
}

/** Stores agreements of APIs, their texts and their history. */
export function createAgreementStore(engine: Engine, now: () => number): AgreementStore {
  const { db } = engine
  return {
    listAgreements: async (apiId) => (await listAgreementRows(db, apiId)).map(toAgreement),

    async listTexts(apiId) {
      const rows = await db
        .selectFrom('agreement_text')
        .select(['digest', 'text'])
        .where('api_id', '=', apiId)
        .execute()
      return new Map(rows.map(({ digest, text }) => [digest, text]))
    },

    replaceEntered: (apiId, { agreements, texts, retainsOtherKinds, by, at }) =>
      engine.write(async (tx) => {
        const change = await startChange(engine, tx)
        const api = await tx
          .selectFrom('api')
          .select('id')
          .where('id', '=', apiId)
          .where('until', 'is', null)
          .executeTakeFirst()
        if (!api) return false
        const scope = { kind: engine.kind, tx, apiId, by, at }
        const wanted = retainsOtherKinds ? await mergeOtherKinds(scope, agreements) : agreements
        if (!(await replaceAgreements(scope, wanted))) return true
        const digests = wanted.flatMap(({ text }) => text?.digest ?? [])
        await tx
          .deleteFrom('agreement_text')
          .where('api_id', '=', apiId)
          .$if(digests.length > 0, (query) => query.where('digest', 'not in', digests))
          .execute()
        await insertRows(tx, {
          kind: engine.kind,
          table: 'agreement_text',
          columns: ['api_id', 'digest', 'text'],
          onConflict: 'on conflict (api_id, digest) do nothing',
          rows: [...texts].map(([digest, text]) => [apiId, digest, text]),
        })
        await finishChange(tx, change, now())
        return true
      }),

    async listChanges(apiId, { size, page }) {
      const matching = db.selectFrom('agreement_change').where('api_id', '=', apiId)
      const rows = await matching
        .selectAll()
        .orderBy('changed_at', 'desc')
        .orderBy('position', 'desc')
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      const count = await matching
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirst()
      return { items: rows.map(toAgreementChange), total: Number(count?.total ?? 0) }
    },

    async findChanges(apiIds, filter) {
      const found = new Map<number, AgreementChange[]>()
      for (const piece of inChunks(apiIds)) {
        const ranked = db
          .selectFrom('agreement_change')
          .selectAll()
          .select(
            sql<number>`row_number() over (partition by api_id
              order by changed_at desc, position desc)`.as('place'),
          )
          .where('api_id', 'in', piece)
          .where((where) => where.and(isWithinDays(where, filter, 'agreement_change.changed_at')))
        const rows = await db
          .selectFrom(ranked.as('ranked'))
          .selectAll()
          .where('place', '<=', filter.limit)
          .orderBy('api_id')
          .orderBy('place')
          .execute()
        for (const { place: _, ...row } of rows) {
          const changes = found.get(row.api_id) ?? []
          changes.push(toAgreementChange(row))
          found.set(row.api_id, changes)
        }
      }
      return found
    },
  }
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
async function mergeOtherKinds(
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
