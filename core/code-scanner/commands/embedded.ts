import { blank, isOneWord, mapLines, toListCommand } from './blanks.ts'

/**
 * Shell commands of other files, each function giving the text with everything else blanked, so that
 * places stay. Names that the file gives values to become assignments.
 */

/** `RUN`, `CMD`, `ENTRYPOINT` and `HEALTHCHECK CMD` of a Dockerfile; `ENV` and `ARG` are assignments. */
export function dockerCommands(text: string): string {
  let isOpen = false
  return mapLines(text, (line) => {
    const isComment = /^\s*#/.test(line)
    if (isComment) return blank(line)
    if (isOpen) {
      isOpen = line.trimEnd().endsWith('\\')
      return line
    }
    const run =
      /^(\s*(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK(?:\s+--\S+)*\s+CMD)\s+(?:--\S+\s+)*)(.*)$/is.exec(
        line,
      )
    if (run) {
      const [, head = '', rest = ''] = run
      // The form of a list is no shell, but reads as one once its brackets and commas are gone.
      if (rest.startsWith('[')) return blank(head) + toListCommand(rest)
      isOpen = line.trimEnd().endsWith('\\')
      return blank(head) + rest
    }
    const set = /^(\s*(?:ENV|ARG)\s+)(\w+)([ =])(.*)$/is.exec(line)
    if (!set) return blank(line)
    const [, head = '', name = '', sign = '', rest = ''] = set
    isOpen = line.trimEnd().endsWith('\\')
    return `${blank(head)}${name}=${sign === ' ' ? rest.trimEnd().replaceAll(' ', '_') : rest}`
  })
}

/** Recipes of a Makefile; its variables are assignments. What follows `$$` moves by one column. */
export function makeCommands(text: string): string {
  let isOpen = false
  return mapLines(text, (line) => {
    if (line.startsWith('\t') || isOpen) {
      isOpen = line.trimEnd().endsWith('\\')
      return line
        .replace(/^\s*[@+-]+/, blank)
        .replaceAll(/\$\((\w+)\)/g, '$${$1}')
        .replaceAll('$$', '$')
        .padEnd(line.length)
    }
    const set =
      /^(\s*(?:export\s+|override\s+)?)([A-Za-z_]\w*)(\s*(?:\?|:{1,3})?=\s*)(\S.*)$/s.exec(line)
    if (!set) return blank(line)
    const [, head = '', name = '', sign = '', rest = ''] = set
    const value = rest.replaceAll(/\$\((\w+)\)/g, '$${$1}').replace(/\s#.*$/, blank)
    return `${blank(head)}${blank(sign).slice(1)}${name}=${isOneWord(value) ? value : blank(value)}`
  })
}

/** Recipes of a justfile, which any blanks indent. */
export function justCommands(text: string): string {
  return makeCommands(text.replaceAll(/^ (?=\s*\S)/gm, '\t'))
}

/** Commands of a Procfile: `web: node server.js`. */
export function processCommands(text: string): string {
  return text.replaceAll(/^[\w-]+:/gm, blank)
}

/** Strings that steps of a Jenkinsfile run: `sh 'make'`, `sh(script: """…""")`. */
export function jenkinsCommands(text: string): string {
  let result = ''
  for (const match of text.matchAll(JENKINS_STEP)) {
    const [whole, head = '', quotes = ''] = match
    const end = match.index + whole.length
    result += blank(text.slice(result.length, match.index + head.length + quotes.length))
    result += text.slice(result.length, end - quotes.length)
  }
  return result + blank(text.slice(result.length))
}

const JENKINS_STEP =
  /(\b(?:sh|bash)\s*(?:\(\s*)?(?:[^"'()\n]*\bscript\s*:\s*)?)("""|'''|"|')(?:[^\\]|\\.)*?\2/gs

/** Scripts that commands run as strings, as commands: `docker exec web sh -c 'curl …'`. */
export function stringCommands(text: string): string {
  return text.replaceAll(
    STRING_COMMAND,
    (whole: string, before: string, call: string, quote: string, script: string) => {
      const isFirst = /(?:^|[;&|({])\s*$/.test(before)
      const body = quote === '"' ? script.replaceAll(/\\(["$`])/g, ' $1') : script
      return `${before}${isFirst ? ' ' : ';'}${blank(call.slice(1))} ${body}`.padEnd(whole.length)
    },
  )
}

/** `sh -c` and `ssh host` with a script, variables with a command. */
const SCRIPT_HEAD =
  /((?:(?:\/bin\/)?(?:ba|da|z|a)?sh[ \t]+-\w*c|ssh[ \t]+[\w@.${}-]+)[ \t]+|\w+=(?=["'](?:curl|wget)\s))/

const STRING_COMMAND = new RegExp(
  String.raw`(^[ \t]*|\S[ \t]+)${SCRIPT_HEAD.source}(["'])((?:(?!\3)[^\\]|\\.){0,4000})\3`,
  'gms',
)

/** The scripts of a `package.json` (or of `composer.json`, `deno.json`). */
export function packageCommands(text: string): string {
  const block = /"(?:scripts|tasks)"\s*:\s*\{/.exec(text)
  if (!block) return blank(text)
  const start = block.index + block[0].length
  const end = text.indexOf('}', start)
  const scripts = text.slice(start, end < 0 ? text.length : end)
  const commands = scripts.replaceAll(
    /("(?:[^"\\\n]|\\.)*"\s*:\s*)?"((?:[^"\\\n]|\\.)*)(?:"[^"\n]*|(?=\\?(?:\n|$)))/g,
    (whole: string, head: string | undefined, body: string) => {
      const lead = blank(`${head ?? ''} `)
      return `${lead}${body.replaceAll(/\\(.)/g, ' $1')};`
        .padEnd(whole.length)
        .slice(0, whole.length)
    },
  )
  return blank(text.slice(0, start)) + commands + blank(end < 0 ? '' : text.slice(end))
}
