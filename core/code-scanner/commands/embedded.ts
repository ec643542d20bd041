import { readAssignments } from '../formats/assignments.ts'
import type { Entry } from '../formats/entries.ts'
import { readJson } from '../formats/json.ts'
import { blank, createEndFinder, mapLines } from './blanks.ts'

/*
 * Each function blanks everything in a text but its shell commands, which preserves positions.
 * Variables of the text become assignments.
 */

/** Finds `RUN`, `CMD`, `ENTRYPOINT` and `HEALTHCHECK CMD` of a Dockerfile; `ENV` and `ARG` assign. */
export function dockerCommands(text: string): string {
  let isOpen = false
  /** The word that ends a here-document. */
  let end: string | undefined
  return mapLines(text, (line) => {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined
      return end === undefined ? blank(line) : line
    }
    if (/^\s*#/.test(line)) return blank(line)
    const wasOpen = isOpen
    const run = DOCKER_RUN.exec(line)
    const set = DOCKER_SET.exec(line)
    isOpen = line.trimEnd().endsWith('\\') && (wasOpen || run !== null || set !== null)
    if (wasOpen) return line
    if (run) {
      const [, head = '', rest = ''] = run
      end = /^<<-?["']?(\w+)/.exec(rest)?.[1]
      if (end !== undefined) return blank(line)
      return blank(head) + (rest.startsWith('[') ? listCommand(rest) : rest)
    }
    if (!set) return blank(line)
    const [, head = '', name = '', sign = '', rest = ''] = set
    return `${blank(head)}${name}=${sign === ' ' ? rest.trimEnd().replaceAll(' ', '_') : rest}`
  })
}

const DOCKER_RUN =
  /^(\s*(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK(?:\s+--\S+)*\s+CMD)\s+(?:--\S+\s+)*)(.*)$/is

const DOCKER_SET = /^(\s*(?:ENV|ARG)\s+)(\w+)([ =])(.*)$/is

/** Removes the marks of a list: `["curl", "-f", "x"]`; of `["sh", "-c", "…"]`, the script remains. */
function listCommand(list: string): string {
  const shell = /^\[\s*["'](?:\/bin\/)?(?:ba|z|a)?sh["']\s*,\s*["']-\w*c["']\s*,\s*["']/.exec(list)
  if (!shell) return list.replaceAll(/[[\],]/g, ' ')
  const script = list.slice(shell[0].length).replace(/["']\s*\]\s*$/, blank)
  return blank(shell[0]) + script.replaceAll(/\\(.)/g, ' $1')
}

/** Finds the recipes of a Makefile. What follows `$$` moves by one column. */
export function makeCommands(text: string): string {
  let isOpen = false
  return mapLines(text, (line) => {
    if (line.startsWith('\t') || isOpen) {
      isOpen = line.trimEnd().endsWith('\\')
      const recipe = line.replace(/^\s*[@+-]+/, blank)
      return expandMake(recipe).replaceAll('$$', '$').padEnd(line.length)
    }
    const [, head, name = '', sign = '', rest = ''] = MAKE_SET.exec(line) ?? []
    if (head === undefined) return blank(line)
    const value = expandMake(rest).replace(/\s#.*$/, blank)
    return `${blank(head)}${blank(sign).slice(1)}${name}=${ONE_WORD.test(value) ? value : blank(value)}`
  })
}

const MAKE_SET = /^(\s*(?:export\s+|override\s+)?)([A-Za-z_]\w*)(\s*(?:\?|:{1,3})?=\s*)(\S.*)$/s

/** One word of the shell, quoted or not. */
const ONE_WORD = /^(?:"[^"]*"|'[^']*'|[^\s"'`;&|<>()]+)\s*$/

function expandMake(text: string): string {
  return text.replaceAll(/\$\((\w+)\)/g, '$${$1}')
}

/** Finds the recipes of a justfile, whose lines begin with any blanks. */
export function justCommands(text: string): string {
  return makeCommands(text.replaceAll(/^ (?=\s*\S)/gm, '\t'))
}

/** Finds the commands of a Procfile: `web: node server.js`. */
export function processCommands(text: string): string {
  return text.replaceAll(/^[\w-]+:/gm, blank)
}

/**
 * Finds the scripts that steps of a Jenkinsfile run (`sh 'make'`, `sh(script: """…""")`), its
 * requests, and its variables.
 */
export function jenkinsCommands(text: string): string {
  let result = ''
  for (const match of text.matchAll(JENKINS_PARTS)) {
    const { 0: whole, 1: head = '', 2: quotes = '', 3: name, 4: request, index } = match
    const end = index + whole.length
    const gap = (to: number) => blank(text.slice(result.length, to))
    if (name !== undefined) {
      const value = whole.replace(/^\w+\s*=\s*/, '')
      result += `${gap(end - value.length - name.length - 1)}${name}=${value}`
    } else if (request !== undefined) {
      result +=
        gap(index) +
        whole.replaceAll(/\b(\w+):(?=\s)/g, '-$1').replaceAll(/[(),](?=\s|["']|$)/g, ' ')
    } else {
      result += gap(index + head.length + quotes.length)
      result += text.slice(result.length, end - quotes.length)
    }
  }
  return result + blank(text.slice(result.length))
}

/** Scripts of steps, variables, and the step of the HTTP Request plugin. */
const JENKINS_PARTS = new RegExp(
  [
    String.raw`(\b(?:sh|bash|bat|powershell|pwsh)\s*(?:\(\s*)?(?:[^"'()\n]*\bscript\s*:\s*)?)("""|\'\'\'|"|')(?:[^\\]|\\.)*?\2`,
    String.raw`(?<=^[ \t]*|\bdef[ \t]+)(\w+)[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*')(?=[ \t]*$)`,
    String.raw`\b(httpRequest)\b[^\n]*`,
  ].join('|'),
  'gms',
)

/** Finds the scripts of JSON texts: of packages, builds and containers. */
export function jsonCommands(text: string): string {
  return entryCommands(text, readJson(text), JSON_KEYS)
}

const JSON_KEYS =
  /^(?:scripts|tasks|commands?|postdeploy|(?:build|install|dev|release|on\w+|post\w+|update\w+)Command)$/

/** Finds the commands of TOML texts: of builds, tasks and releases. */
export function tomlCommands(text: string): string {
  return entryCommands(text, readAssignments(text), TOML_KEYS)
}

const TOML_KEYS = /^(?:scripts?|run|cmd|shell|commands?|\w+[_-]command)$/

/** Finds the values that have such a key, as commands of their own. */
function entryCommands(text: string, entries: readonly Entry[], names: RegExp): string {
  let result = ''
  for (const { keys, value, index } of entries) {
    if (index < result.length || !keys.slice(-2).some((key) => names.test(key))) continue
    const raw = text.slice(index, index + value.length)
    result += `${blank(text.slice(result.length, index))}${raw.replaceAll(/\\(.)/g, ' $1')};`
  }
  return result.slice(0, text.length) + blank(text.slice(result.length))
}

/**
 * Turns scripts in strings and here-documents into commands: `docker exec web sh -c 'curl …'`,
 * `ssh host <<EOF`.
 */
export function stringCommands(text: string): string {
  return openHereDocuments(text).replaceAll(
    STRING_COMMAND,
    (whole: string, before: string, call: string, quote: string, script: string) => {
      const isFirst = /(?:^|[;&|({])\s*$/.test(before)
      const body = quote === '"' ? script.replaceAll(/\\(["$`])/g, ' $1') : script
      return `${before}${isFirst ? ' ' : ';'}${blank(call.slice(1))} ${body}`.padEnd(whole.length)
    },
  )
}

/** Blanks the marks of here-documents with scripts, whose lines are then commands. */
function openHereDocuments(text: string): string {
  let result = ''
  const findEnd = createEndFinder(text, String.raw`(?=[ \t]*$)`)
  const heads = new RegExp(HERE_SCRIPT)
  for (let match = heads.exec(text); match; match = heads.exec(text)) {
    const { 1: before = '', 2: mark = '', 3: name = '', index } = match
    const end = findEnd(name, heads.lastIndex)
    if (!end) continue
    const at = index + before.length
    result += text.slice(result.length, at) + blank(mark)
    result += text.slice(result.length, end.start) + blank(text.slice(end.start, end.stop))
    heads.lastIndex = end.stop
  }
  return result + text.slice(result.length)
}

/** The head of a here-document that a shell reads, or that is a script by its first line. */
const HERE_SCRIPT = new RegExp(
  String.raw`^([^\n#]{0,300}(?:\b(?:ssh|(?:ba|da|z|a)?sh)\b[^\n<|]{0,300}(?=<<)|(?=<<[^\n]*\n[ \t]*#!\S*sh\b)))` +
    String.raw`(<<-?[ \t]*["']?(\w+)["']?)[^\n]*\n`,
  'gm',
)

/** Shells before a script, and variables with a command. */
const SCRIPT_HEAD = [
  String.raw`((?:(?:\/bin\/)?(?:ba|da|z|a)?sh[ \t]+-\w*c|ssh[ \t]+[\w@.$\{\}-]+`,
  String.raw`(?:powershell|pwsh)(?:\.exe)?[ \t]+(?:-\w+[ \t]+)*-[cC]\w*)[ \t]+`,
  String.raw`\w+=(?=["'](?:curl|wget)\s))`,
].join('|')

const STRING_COMMAND = new RegExp(
  String.raw`(^[ \t]*|\S[ \t]+)${SCRIPT_HEAD}(["'])((?:(?!\3)[^\\]|\\.){0,4000})\3`,
  'gms',
)
