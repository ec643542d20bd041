import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { CatalogueStore } from '../../../core/catalogue/store.ts'
import { foldName } from '../../../core/shared/text.ts'
import { toVendor } from './api-rows.ts'
import { inChunks } from './bulk.ts'
import { toCleanJson } from './clean-text.ts'
import type { Engine } from './engine.ts'
import { escapeLikePattern, isWithinDays, rejectLongName, toSearchableWords } from './filters.ts'
import { finishChange, startChange } from './generations.ts'
import type { Tables } from './tables.ts'

/** Stores vendors and their agreements. */
export function createVendorStore(
  engine: Engine,
  now: () => number,
): Pick<
  CatalogueStore,
  'findVendor' | 'findVendors' | 'searchVendors' | 'saveVendor' | 'listVendorAgreements'
> {
  const { db } = engine
  return {
    async findVendor(name) {
      const row = await db
        .selectFrom('vendor')
        .selectAll()
        .where('folded_name', '=', foldName(name))
        .executeTakeFirst()
      return row && toVendor(row)
    },

    async findVendors(ids) {
      const found = new Map<number, ReturnType<typeof toVendor>>()
      for (const piece of inChunks(ids)) {
        const rows = await db.selectFrom('vendor').selectAll().where('id', 'in', piece).execute()
        for (const row of rows) found.set(row.id, toVendor(row))
      }
      return ids.flatMap((id) => found.get(id) ?? [])
    },

    async searchVendors(filter, { size, page }) {
      const q = foldName((filter.q ?? '').slice(0, MAX_QUERY))
      const matching = db
        .selectFrom('vendor')
        .where((where) => where.and([...isWithinDays(where, filter, 'vendor.created_at')]))
        .$if(q !== '', (query) => query.where((where) => matchesVendorQuery(where, q)))
      const count = matching.select((select) => select.fn.countAll<number>().as('total'))
      const rows = await matching
        .selectAll()
        .select(count.as('total'))
        .$if(q !== '', (query) => query.orderBy(rankByName(q)))
        .orderBy('folded_name')
        .orderBy('id')
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      const total = rows[0]?.total ?? (await count.executeTakeFirst())?.total ?? 0
      return { items: rows.map(toVendor), total: Number(total) }
    },

    async saveVendor(vendor) {
      const foldedName = foldName(vendor.name)
      rejectLongName('vendor', foldedName)
      return engine.write(async (tx) => {
        const change = await startChange(engine, tx)
        const saved = await tx
          .insertInto('vendor')
          .values({
            id: change.vendorId,
            encrypted_id: vendor.encryptedId,
            name: vendor.name,
            folded_name: foldedName,
            homepage: vendor.homepage,
            host: toHomepageHost(vendor.homepage),
            description: vendor.description,
            words: toSearchableWords(`${vendor.name} ${vendor.description}`),
            is_public: Number(vendor.isPublic),
            image: vendor.image,
            countries: toCleanJson(vendor.countries),
            created_at: vendor.createdAt,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst()
        if (!saved) return undefined
        await finishChange(tx, { ...change, vendorId: change.vendorId + 1 }, now())
        return toVendor(saved)
      })
    },

    async listVendorAgreements(vendorId) {
      const rows = await db
        .selectFrom('vendor_agreement')
        .select(['name', 'link', 'kind'])
        .where('vendor_id', '=', vendorId)
        .orderBy('position')
        .execute()
      return rows.map((row) => ({ ...row }))
    },
  }
}

/** Maximum length of a search text, and maximum number of its words; the rest is ignored. */
const MAX_QUERY = 256
const MAX_WORDS = 16

type VendorExpression = ExpressionBuilder<Tables, 'vendor'>

function matchesVendorQuery(where: VendorExpression, q: string): Expression<SqlBool> {
  const words = toSearchableWords(q).split(' ').filter(Boolean).slice(0, MAX_WORDS)
  const isNamed = isLike('folded_name', `${escapeLikePattern(q)}%`)
  if (words.length === 0) return isNamed
  const everyWord = words.map((word) =>
    where.or([
      isLike('words', `% ${escapeLikePattern(word)}%`),
      isLike('host', `%${escapeLikePattern(word)}%`),
    ]),
  )
  return where.or([isNamed, where.and(everyWord)])
}

function rankByName(q: string): Expression<number> {
  return sql<number>`case when ${sql.ref('folded_name')} = ${q} then 0
    when ${isLike('folded_name', `${escapeLikePattern(q)}%`)} then 1 else 2 end`
}

function isLike(column: string, pattern: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '!'`
}

function toHomepageHost(homepage: string): string {
  return URL.canParse(homepage) ? new URL(homepage).hostname.toLowerCase() : ''
}
