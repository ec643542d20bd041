import process from 'node:process'
import { type Gauge, VERSION } from '../../core/index.ts'

/** Metrics of the server process. */
export interface ProcessGauges {
  /** Reads memory, CPU time, event loop delay, start time and version. */
  read(): readonly Gauge[]
  /** Stops measuring. */
  close(): void
}

/**
 * Creates gauges with the names that Prometheus clients use, alike on Node, Bun and Deno.
 * `countConnections` returns undefined if the listener cannot count them.
 */
export function createProcessGauges(countConnections: () => number | undefined): ProcessGauges {
  const startedAt = Date.now() / 1000 - process.uptime()
  const delays: number[] = []
  let due = performance.now() + SAMPLE_MS
  const timer = setInterval(() => {
    const now = performance.now()
    delays.push(Math.max(0, now - due))
    if (delays.length > WINDOW_MS / SAMPLE_MS) delays.shift()
    due = now + SAMPLE_MS
  }, SAMPLE_MS)
  timer.unref()
  return {
    close: () => clearInterval(timer),
    read() {
      const { user, system } = process.cpuUsage()
      // Includes the current delay of an overdue timer.
      const delayMs = Math.max(0, performance.now() - due, ...delays)
      const connections = countConnections()
      return [
        createGauge('build_info', 'Version of the service and of its runtime.', 1, {
          version: VERSION,
          runtime: describeRuntime(),
        }),
        createGauge(
          'process_start_time_seconds',
          'Start time of the process in seconds since the epoch.',
          startedAt,
        ),
        createGauge(
          'process_resident_memory_bytes',
          'Resident memory of the process in bytes.',
          process.memoryUsage().rss,
        ),
        {
          ...createGauge(
            'process_cpu_seconds_total',
            'User and system CPU time of the process in seconds.',
            (user + system) / 1e6,
          ),
          type: 'counter',
        },
        createGauge(
          'event_loop_delay_seconds',
          'Longest delay of a timer within the last 15 seconds, in seconds.',
          delayMs / 1000,
        ),
        ...(connections === undefined
          ? []
          : [createGauge('open_connections', 'Number of open client connections.', connections)]),
      ]
    },
  }
}

const SAMPLE_MS = 250
const WINDOW_MS = 15_000

function createGauge(
  name: string,
  help: string,
  value: number,
  labels: Readonly<Record<string, string>> = {},
): Gauge {
  return { name, help, samples: [{ labels, value }] }
}

function describeRuntime(): string {
  const { bun, deno, node } = process.versions
  if (bun) return `bun ${bun}`
  return deno ? `deno ${deno}` : `node ${node}`
}
