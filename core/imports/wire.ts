import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Specification 4.6's success, with the report of contract 4.6. */
export const uploadResultSchema = v.object({
  info: v.string(),
  result: v.literal('Success'),
  api_id: v.string(),
  report: v.object({
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
  }),
})
