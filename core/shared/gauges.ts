/** A value that goes up and down, as the metrics tell it. */
export interface Gauge {
  /** As `vulnerability_records`: the prefix `api_discovery_` is added, unless it starts with `process_`. */
  readonly name: string
  readonly help: string
  /** `counter` for a value that only grows; `gauge` when absent. */
  readonly type?: 'gauge' | 'counter'
  readonly samples: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly value: number
  }[]
}
