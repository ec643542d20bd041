/** Formats a duration: `850 ms`, `6.2 s`, `90 s`, `15 min`, `2 h`, `30 days`. */
export function formatMs(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`
  return `${Math.round(ms / 86_400_000)} days`
}

/** Formats a size: `512 B`, `64 KiB`, `1 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${roundToTenth(bytes / 1024)} KiB`
  return `${roundToTenth(bytes / 1024 / 1024)} MiB`
}

/** Formats a limit: `30 calls in 60 s`, `30 calls`, `10,000 calls in 30 days`. */
export function formatLimit(limit: {
  readonly calls: number
  readonly windowMs: number | undefined
}): string {
  const isWhole = Number.isSafeInteger(limit.calls)
  const count = isWhole ? `${limit.calls}`.replace(/\B(?=(\d{3})+$)/g, ',') : limit.calls
  const calls = `${count} ${limit.calls === 1 ? 'call' : 'calls'}`
  return limit.windowMs === undefined ? calls : `${calls} in ${formatMs(limit.windowMs)}`
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}
