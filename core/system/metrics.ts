import type { Gauge } from '../shared/gauges.ts'

/** Upper bounds of the duration histogram, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

interface Series {
  readonly buckets: number[]
  count: number
  seconds: number
}

/** Request counters since the start of the service. */
export interface Metrics {
  observe(event: { readonly operation: string; readonly status: number; readonly ms: number }): void
  /** Writes the Prometheus text exposition format 0.0.4; gauges come last. */
  render(gauges?: readonly Gauge[]): string
}

/**
 * Creates counters and histograms by operation and status. Memory is bounded by the number of
 * operations.
 */
export function createMetrics(): Metrics {
  const requests = new Map<string, Map<number, number>>()
  const durations = new Map<string, Series>()

  return {
    observe({ operation, status, ms }) {
      const byStatus = requests.get(operation) ?? new Map<number, number>()
      requests.set(operation, byStatus)
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      const series = durations.get(operation) ?? createSeries()
      durations.set(operation, series)
      const seconds = ms / 1000
      const bucket = BOUNDS.findIndex((bound) => seconds <= bound)
      if (bucket !== -1) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
      series.count += 1
      series.seconds += seconds
    },

    render(gauges = []) {
      const lines = [
        '# HELP api_discovery_requests_total Completed requests by operation and status.',
        '# TYPE api_discovery_requests_total counter',
      ]
      for (const [operation, byStatus] of requests) {
        for (const [status, count] of byStatus) {
          lines.push(
            `api_discovery_requests_total{operation="${operation}",status="${status}"} ${count}`,
          )
        }
      }
      lines.push(
        '# HELP api_discovery_request_seconds Time to the response headers by operation, in seconds.',
        '# TYPE api_discovery_request_seconds histogram',
      )
      for (const [operation, series] of durations) lines.push(...renderSeries(operation, series))
      for (const gauge of gauges) lines.push(...renderGauge(gauge))
      return `${lines.join('\n')}\n`
    },
  }
}

function createSeries(): Series {
  return { buckets: BOUNDS.map(() => 0), count: 0, seconds: 0 }
}

function renderGauge({ name, help, samples, type = 'gauge' }: Gauge): readonly string[] {
  const full = name.startsWith('process_') ? name : `api_discovery_${name}`
  const values = samples.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`)
    return `${full}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
  })
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...values]
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
}

function renderSeries(operation: string, series: Series): readonly string[] {
  const name = 'api_discovery_request_seconds'
  let sum = 0
  const buckets = BOUNDS.map((bound, index) => {
    sum += series.buckets[index] ?? 0
    return `${name}_bucket{operation="${operation}",le="${bound}"} ${sum}`
  })
  return [
    ...buckets,
    `${name}_bucket{operation="${operation}",le="+Inf"} ${series.count}`,
    `${name}_sum{operation="${operation}"} ${series.seconds.toFixed(6)}`,
    `${name}_count{operation="${operation}"} ${series.count}`,
  ]
}
