/** A metric whose value can increase and decrease. */
export interface Gauge {
  /**
   * For example `vulnerability_records`. The prefix `api_discovery_` is added unless the name
   * starts with `process_`.
   */
  readonly name: string
  readonly help: string
  /** `counter` for a value that only increases; default `gauge`. */
  readonly type?: 'gauge' | 'counter'
  readonly samples: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly value: number
  }[]
}
