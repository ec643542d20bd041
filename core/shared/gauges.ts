/** A value that goes up and down, as the metrics tell it. */
export interface Gauge {
  /** As `vulnerability_records`; the service's own prefix is put before it. */
  readonly name: string
  readonly help: string
  readonly samples: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly value: number
  }[]
}
