import { openSync, writeSync } from 'node:fs'
import process from 'node:process'
import type { Logger, LogLevel, LogValue } from '../../core/index.ts'
import { CommandError } from './errors.ts'
import { describeSystemError } from './system-errors.ts'

const LEVEL_ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/** Level, format and target of log lines. */
export interface LogOptions {
  /** Lowest level to log. */
  readonly level: LogLevel
  /** Default: `json`. */
  readonly format?: 'json' | 'text' | undefined
  /** File to append to (default: standard error). */
  readonly file?: string | undefined
}

/**
 * Creates a logger that writes one line for each event. It appends lines, so that log rotation can
 * copy and truncate the file. Throws a `CommandError` if the file cannot be opened.
 */
export function createLogger({ level, format = 'json', file }: LogOptions): Logger {
  const least = LEVEL_ORDER.indexOf(level)
  const isEnabled = (eventLevel: LogLevel) => LEVEL_ORDER.indexOf(eventLevel) >= least
  const toLine = format === 'json' ? formatJsonLine : formatTextLine
  const write = file === undefined ? writeToStandardError : openLogWriter(file)
  return {
    isEnabled,
    log(eventLevel, event, fields = {}) {
      if (isEnabled(eventLevel)) write(toLine({ level: eventLevel, event, fields }))
    },
  }
}

interface LogEvent {
  readonly level: LogLevel
  readonly event: string
  readonly fields: Readonly<Record<string, LogValue>>
}

function formatJsonLine({ level, event, fields }: LogEvent): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`
}

/** Formats a log line: `2026-03-10T08:00:00.000Z info request method=GET path="/a b"`. */
function formatTextLine({ level, event, fields }: LogEvent): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return []
    const text = String(value)
    return [` ${name}=${/^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text)}`]
  })
  return `${new Date().toISOString()} ${level} ${event}${pairs.join('')}\n`
}

function writeToStandardError(line: string): void {
  process.stderr.write(line)
}

function openLogWriter(file: string): (line: string) => void {
  const descriptor = openLogFile(file)
  let hasFailed = false
  return (line) => {
    try {
      writeSync(descriptor, line)
      hasFailed = false
    } catch (error) {
      // A full disk must not stop a server.
      if (!hasFailed)
        writeToStandardError(`Cannot write the log file "${file}": ${describeSystemError(error)}\n`)
      hasFailed = true
    }
  }
}

function openLogFile(file: string): number {
  try {
    return openSync(file, 'a', 0o600)
  } catch (error) {
    throw new CommandError(`Cannot write the log file "${file}": ${describeSystemError(error)}`)
  }
}
