import { blank, createEndFinder, unknownVariable } from './blanks.ts'

/**
 * Finds the scripts of a Terraform text: commands of provisioners, and here-documents that begin
 * with `#!` or start a machine.
 */
export function terraformCommands(text: string): string {
  let result = ''
  const findEnd = createEndFinder(text, String.raw`\b`)
  const scripts = new RegExp(SCRIPTS)
  let listEnd = -1
  for (let match = scripts.exec(text); match; match = scripts.exec(text)) {
    const { 1: marker, 2: command, index } = match
    const from = scripts.lastIndex
    let script = unescapeQuotes(command ?? '')
    let start = from - 1 - script.length
    if (marker === undefined && command === undefined) {
      // Searched once for all lists before it: a text may consist of lists that do not end.
      if (listEnd < from) listEnd = toIndex(text.indexOf(']', from))
      if (listEnd - from > MAX_LIST) continue
      scripts.lastIndex = listEnd + 1
      script = readList(text.slice(from, listEnd))
      start = from
    } else if (marker !== undefined) {
      const end = findEnd(marker, from)
      if (!end) continue
      scripts.lastIndex = end.stop
      script = text.slice(from, end.start - 1)
      start = from
      if (!isScript(script, text.slice(Math.max(0, index - MAX_KEY), index))) continue
    }
    result += blank(text.slice(result.length, start)) + maskTemplates(script)
  }
  return result + blank(text.slice(result.length))
}

function toIndex(found: number): number {
  return found < 0 ? Number.POSITIVE_INFINITY : found
}

/** Maximum length of a list of commands. */
const MAX_LIST = 5000

/** Heads of here-documents, the command of a `local-exec`, and the head of a list of a `remote-exec`. */
const SCRIPTS = new RegExp(
  [
    String.raw`<<[-~]?(\w+)[ \t]*\r?\n`,
    String.raw`\bcommand\s{0,9}=\s{0,9}"((?:[^"\\]|\\.)*)"`,
    String.raw`\binline\s{0,9}=\s{0,9}\[`,
  ].join('|'),
  'g',
)

/** Maximum number of characters between a key and its here-document: `base64encode(`. */
const MAX_KEY = 80

function isScript(body: string, before: string): boolean {
  const key = /([\w-]+)"?\s*[:=]\s*(?:\w+\()*$/.exec(before)?.[1] ?? ''
  return /^\s*#!\S*(?:sh\b|env )/.test(body) || SCRIPT_KEYS.test(key)
}

const SCRIPT_KEYS = /^(?:command|inline|user_data|custom_data|(?:metadata_)?startup[_-]script)$/

/** Reads a list of commands as one command after the other. */
function readList(list: string): string {
  return list.replaceAll(/"((?:[^"\\]|\\.)*)"(,?)/g, (_, item: string, comma: string) =>
    [' ', unescapeQuotes(item), ';', comma && ' '].join(''),
  )
}

function unescapeQuotes(text: string): string {
  return text.replaceAll(/\\(["\\])/g, ' $1')
}

/** Replaces `${var.name}` by an unknown variable; `$${name}` is a variable of the shell. */
function maskTemplates(text: string): string {
  return text.replaceAll(/\$\$\{|\$\{[^{}\n]*\}/g, (whole) =>
    whole === '$${' ? ' ${' : unknownVariable(whole.length),
  )
}
