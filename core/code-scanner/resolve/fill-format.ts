import { ownEntry } from '../model/collections.ts'
import { type Pattern, replaceInText, UNKNOWN } from '../model/pattern.ts'

/**
 * Fills a format of any language: `%s`, `%d`, `%v`, `%1$s`, `%(name)s`, `%{name}`, `{}`, `{0}`,
 * `{name}`, `:name`. A field without a value is unknown.
 */
export function fillFormat(
  format: Pattern,
  fields: {
    readonly values: readonly Pattern[]
    readonly named: Readonly<Record<string, Pattern>>
  },
): Pattern {
  const at = (index: number) => fields.values[index] ?? UNKNOWN
  const named = (name: string) => ownEntry(fields.named, name)
  let next = 0
  const replace = (match: RegExpExecArray): Pattern => {
    const [whole, percentAt, percentName, percent, brace, colon]: (string | undefined)[] = match
    if (whole === '%%') return '%'
    if (percentAt !== undefined) return at(Number(percentAt) - 1)
    if (percentName !== undefined) return named(percentName) ?? UNKNOWN
    if (percent !== undefined || brace === '' || brace?.startsWith(':')) return at(next++)
    if (brace === undefined) return named(colon ?? '') ?? whole ?? ''
    if (/^\d/.test(brace)) return at(Number.parseInt(brace, 10))
    // A query of a URI template (RFC 6570).
    if (/^[?&]/.test(brace)) return ''
    return named(brace.replace(/^\+|[:!.[*].*$/g, '')) ?? UNKNOWN
  }
  return replaceInText(format, { find: FORMAT_FIELD, replace })
}

const FORMAT_FIELD = new RegExp(
  [
    /%%|%(\d+)\$[-+0-9.]*[a-z]/,
    /%[({](\w+)[)}][a-z]?/,
    /(%[-+#0]?\d{0,3}(?:\.\d+)?[sdvqxifgu@])/,
    /\{([^{}/\s]{0,80})\}/,
    /(?<=\/):([A-Za-z_]\w*)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)
