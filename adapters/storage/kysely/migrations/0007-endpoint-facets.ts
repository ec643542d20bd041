import { type Kysely, sql } from 'kysely'
import type { ColumnTypes, Migration } from './migration.ts'

/** A flag for deprecated endpoints, and an index that counts endpoints by API and flags. */
export const endpointFacets: Migration = {
  name: 'endpoint-facets',
  async up(db: Kysely<unknown>, { small }: ColumnTypes) {
    await db.schema
      .alterTable('endpoint')
      .addColumn('is_deprecated', small, (column) => column.notNull().defaultTo(0))
      .execute()
    // Inside a JSON string, the quotes would be escaped by backslashes.
    await sql`update endpoint set is_deprecated = 1 where row_id in
      (select row_id from endpoint_detail where detail like '%"isDeprecated":true,"declaredStatuses"%')`.execute(
      db,
    )
    await sql`create index endpoint_counted
      on endpoint (api_id, is_inbound, is_deprecated) where until is null`.execute(db)
  },
}
