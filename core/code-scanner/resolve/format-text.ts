import { type Pattern, replaceInText, UNKNOWN } from '../model/pattern.ts'

/** The values of a format. */
export interface FormatValues {
  readonly values: readonly Pattern[]
  readonly named: Readonly<Record<string, Pattern>>
}

/**
 * Fills a format of any of the languages: `%s`, `%d`, `%v`, `%1$s`, `%(name)s`, `%{name}`, `{}`,
 * `{0}`, `{name}`, `:name`. What has no value is unknown.
 */
export function fillFormat(format: Pattern, { values, named }: FormatValues): Pattern {
  let next = 0
  const replace = (match: RegExpExecArray): Pattern => {
    const [whole, percentAt, percentName, percent, brace, colon]: (string | undefined)[] = match
    if (whole === '%%') return '%'
    if (percentAt !== undefined) return values[Number(percentAt) - 1] ?? UNKNOWN
    if (percentName !== undefined) return member(named, percentName) ?? UNKNOWN
    if (percent !== undefined) return values[next++] ?? UNKNOWN
    if (brace !== undefined) {
      if (brace === '' || brace.startsWith(':')) return values[next++] ?? UNKNOWN
      if (/^\d+/.test(brace)) return values[Number.parseInt(brace, 10)] ?? UNKNOWN
      return member(named, brace.replace(/[:!.[].*$/, '')) ?? UNKNOWN
    }
    return member(named, colon ?? '') ?? whole ?? ''
  }
  return replaceInText(format, { find: FIELD, replace })
}

const FIELD =
  /%%|%(\d+)\$[-+0-9.]*[a-z]|%[({](\w+)[)}][a-z]?|(%[-+#0]?\d{0,3}(?:\.\d+)?[sdvqxifgu@])|\{([^{}/\s]{0,80})\}|(?<=\/):([A-Za-z_]\w*)/gi

function member(named: Readonly<Record<string, Pattern>>, name: string): Pattern | undefined {
  return Object.hasOwn(named, name) ? named[name] : undefined
}
