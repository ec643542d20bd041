/** Receiver of log events. The core never writes to a console. */
export interface Logger {
  log(level: LogLevel, event: string, fields?: Readonly<Record<string, LogValue>>): void
  /**
   * Returns false for dropped levels, so that their events need not be built. Default: all levels
   * are logged.
   */
  isEnabled?(level: LogLevel): boolean
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogValue = string | number | boolean | null | undefined
