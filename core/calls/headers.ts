import type { HeaderLine } from '../ports/egress.ts'
import { adoptContentType, type SerializedBody } from './body.ts'
import { compileFields } from './compiled.ts'
import type { Field } from './fields.ts'
import { type Issues, tryWrite } from './issues.ts'
import { createCookieWriter, createHeaderWriter } from './styles.ts'

/** Writes the headers of values and credentials, with names in lower case. */
export type HeadersWriter = (input: {
  readonly slots: readonly unknown[]
  /** Header lines and cookies that belong to no field. */
  readonly lines: readonly HeaderLine[]
  readonly cookies: readonly string[]
  readonly issues: Issues
}) => HeaderLine[]

/** Compiles the writer of headers and cookies. */
export function createHeadersWriter(list: readonly Field[]): HeadersWriter {
  const headers = compileFields(list, 'header', createHeaderWriter).map(({ field, write }) => ({
    field,
    name: field.name.toLowerCase(),
    write,
  }))
  const cookieFields = compileFields(list, 'cookie', createCookieWriter)

  return ({ slots, lines, cookies, issues }) => {
    const written: HeaderLine[] = []
    for (const { field, name, write } of headers) {
      const value = slots[field.index]
      if (value === undefined) continue
      const text = tryWrite(field.key, issues, () => write(value)) ?? ''
      pushHeader(written, [name, text], field.key, issues)
    }
    for (const line of lines) pushHeader(written, line, line[0], issues)
    if (cookieFields.length > 0 || cookies.length > 0) {
      writeCookies({ slots, cookies, issues }, written)
    }
    return written
  }

  function writeCookies(
    input: Pick<Parameters<HeadersWriter>[0], 'slots' | 'cookies' | 'issues'>,
    written: HeaderLine[],
  ): void {
    const { slots, cookies, issues } = input
    const at = written.findIndex(([name]) => name === 'cookie')
    const pairs = at < 0 ? [] : [written[at]?.[1] ?? '']
    for (const { field, write } of cookieFields) {
      const value = slots[field.index]
      const text = value === undefined ? '' : tryWrite(field.key, issues, () => write(value))
      if (text) pairs.push(text)
    }
    pairs.push(...cookies)
    if (pairs.length === 0) return
    if (at >= 0) written.splice(at, 1)
    pushHeader(written, ['cookie', pairs.join('; ')], 'cookie', issues)
  }
}

/** Sets the body's media type, or keeps the caller's if it matches the body. */
export function setContentType(lines: HeaderLine[], body: SerializedBody, issues: Issues): void {
  const at = lines.findIndex(([name]) => name === 'content-type')
  const given = lines[at]?.[1]
  const adopted = given === undefined ? body.contentType : adoptContentType(given, body)
  if (adopted === undefined) {
    const usual = body.contentType.split(';', 1)[0]
    issues.add('content-type', `must be compatible with ${usual}, the format of the body`)
    return
  }
  const line: HeaderLine = ['content-type', adopted]
  if (at >= 0) lines[at] = line
  else lines.push(line)
}

function pushHeader(lines: HeaderLine[], line: HeaderLine, key: string, issues: Issues): void {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(line[1])) lines.push(line)
  else
    issues.add(
      key,
      'must not contain line breaks, control characters or characters beyond Latin-1: it is a header',
    )
}
