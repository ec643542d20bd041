import * as v from 'valibot'

const integer = v.pipe(v.number(), v.integer())

/** Size and age of the loaded data. */
export const statusSchema = v.object({
  records: integer,
  rejected: integer,
  vendors: integer,
  products: integer,
  known_exploited: integer,
  epss_scores: integer,
  completeness: v.pipe(
    v.array(
      v.object({
        year: integer,
        records: integer,
        with_product: integer,
        with_configurations: integer,
        with_score: integer,
        with_neither: integer,
      }),
    ),
    v.description(
      'Number of records by year of publication, without rejected ones: with a product, with ' +
        'configurations of NVD, with a score, and with neither a product nor a score.',
    ),
  ),
  sources: v.array(
    v.object({
      name: v.string(),
      loaded_at: v.nullable(v.string()),
      age_seconds: v.pipe(v.nullable(integer), v.description('Seconds since it was loaded.')),
      data_at: v.pipe(
        v.nullable(v.string()),
        v.description(
          'Date of the data: the newest change of a record, the release of KEV, or the day of the ' +
            'EPSS scores; null if unknown.',
        ),
      ),
      data_age_seconds: v.pipe(v.nullable(integer), v.description('Seconds since that date.')),
      attempted_at: v.optional(
        v.pipe(v.nullable(v.string()), v.description('End of the last scheduled sync of it.')),
      ),
      error: v.optional(
        v.pipe(v.nullable(v.string()), v.description('Why that sync failed or was partial.')),
      ),
    }),
  ),
  sync: v.optional(
    v.pipe(
      v.object({ running: v.boolean(), next_at: v.nullable(v.string()) }),
      v.description('Scheduled syncs, if the service has any.'),
    ),
  ),
})
