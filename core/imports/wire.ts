import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const reportEntries = {
  operations: count,
  webhooks: count,
  callbacks: count,
  parameters: count,
  added: count,
  changed: count,
  removed: count,
  unchanged: count,
  skipped: count,
  warnings: v.array(v.object({ pointer: v.string(), message: v.string() })),
}

/** Successful response of Specification 4.6, with the report of contract 4.6. */
export const uploadResultSchema = v.object({
  info: v.string(),
  result: v.literal('Success'),
  api_id: v.string(),
  report: v.object(reportEntries),
})

/** Stored imports. Members that do not apply to a failed import are null. */
export const importListSchema = v.object({
  num_results: count,
  num_pages: count,
  current_page: count,
  page_size: count,
  imports: v.array(
    v.object({
      id: count,
      imported_at: v.string(),
      /** Name of the account; null for the operator. */
      imported_by: v.nullable(v.string()),
      file_name: v.string(),
      vendor_name: v.string(),
      api_id: v.nullable(v.string()),
      api_name: v.nullable(v.string()),
      state: v.picklist(['imported', 'failed']),
      report: v.nullable(v.object({ ...reportEntries, num_warnings: count })),
      /** `where`: line and column, a JSON pointer, or empty. */
      failure: v.nullable(v.object({ code: v.string(), message: v.string(), where: v.string() })),
    }),
  ),
})
