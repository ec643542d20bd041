import process from 'node:process'
import type { Logger, LogLevel, LogValue } from '../../core/index.ts'

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/** One JSON object a line on standard error, from `level` upwards. */
export function createJsonLogger(level: LogLevel): Logger {
  const least = ORDER.indexOf(level)
  return {
    log(eventLevel, event, fields) {
      if (ORDER.indexOf(eventLevel) < least) return
      process.stderr.write(toLine(eventLevel, event, fields))
    },
  }
}

function toLine(
  level: LogLevel,
  event: string,
  fields: Readonly<Record<string, LogValue>> = {},
): string {
  const time = new Date().toISOString()
  return `${JSON.stringify({ time, level, event, ...fields })}\n`
}
