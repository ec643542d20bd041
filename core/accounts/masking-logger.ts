import type { Logger, LogValue } from '../ports/logger.ts'
import { maskKeys } from './keys.ts'

const SILENT: Logger = { log() {} }

/**
 * Creates a logger that masks API keys in all texts, for example in a mistyped path. Without a
 * logger, it is silent.
 */
export function createMaskingLogger(logger: Logger | undefined): Logger {
  if (!logger) return SILENT
  return {
    log(level, event, fields) {
      logger.log(level, event, fields && maskFields(fields))
    },
    isEnabled: (level) => logger.isEnabled?.(level) ?? true,
  }
}

function maskFields(fields: Readonly<Record<string, LogValue>>): Record<string, LogValue> {
  const masked: Record<string, LogValue> = {}
  for (const name in fields) {
    const value = fields[name]
    masked[name] = typeof value === 'string' ? maskKeys(value) : value
  }
  return masked
}
