import { anyOf } from '../model/name-patterns.ts'
import { blank, mapLines, unknownVariable } from './blanks.ts'

/*
 * Both functions rewrite commands of Windows as commands of the shell and blank all else, which
 * preserves lines.
 */

/** Finds the commands of a batch file. A variable moves the rest of its line by one column. */
export function batchCommands(text: string): string {
  return mapLines(text, (line) => {
    if (/^\s*(?:@?rem\b|::|:\w|@?echo\b)/i.test(line)) return blank(line)
    return line
      .replace(/^\s*@?(?:call\s)?/i, blank)
      .replace(/\^\s*$/, '\\')
      .replaceAll(/%~?(\w+)%/g, '$$$1')
      .replace(/^(\s*)set\s+"?(\w+)=([^"\s]+)"?\s*$/i, '$1$2=$3')
      .padEnd(line.length)
  })
}

/**
 * Finds the commands of a PowerShell script and its calls of .NET clients. Variables are
 * assignments, and tables of parameters (`$x = @{ Uri = … }`) are lists of options.
 */
export function powershellCommands(text: string): string {
  /** Whether the next line continues a command. */
  let isOpen = false
  /** Depth of the open table. */
  let depth = 0
  return mapLines(text.replaceAll(/<#[\s\S]*?(?:#>|$)/g, blank), (written) => {
    const line = toShellVariables(written)
    if (depth > 0) {
      depth += countBraces(line)
      return depth > 0 ? toOptions(line) : `)${blank(line).slice(1)}`
    }
    const [head = '', name, table] = ASSIGNMENT.exec(line) ?? []
    const value = line.slice(head.length)
    if (table !== undefined) {
      depth = Math.max(0, 1 + countBraces(value))
      const list = `${name}=(`.padStart(head.length) + toOptions(value)
      return depth > 0 ? list : `${list.slice(0, -1)})`
    }
    if (name !== undefined && WORD.test(value)) return `${name}=`.padStart(head.length) + value
    const found = findCommands(line, isOpen)
    isOpen = /\\\s*$/.test(found)
    return found
  })
}

/** `$name =`, or `$name = @{`. */
const ASSIGNMENT = /^\s*(?:\[[\w.[\]]+\]\s*)?\$(\w+)\s*=\s*(@\{)?/

/** A quoted word, or one without marks. */
const WORD = /^(?:"[^"]*"|'[^']*'|\$\w+)\s*$/

/** Rewrites `$env:NAME`, `$($x.y)`, the mark of a continued line and of a table; removes comments. */
function toShellVariables(line: string): string {
  return line
    .replace(/(?<=^|\s)#.*$/, blank)
    .replaceAll('\\', '/')
    .replaceAll(/`\S/g, blank)
    .replace(/`(?=\s*$)/, '\\')
    .replaceAll(/\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, ({ length }) =>
      unknownVariable(length),
    )
    .replaceAll(/\$\w+:(\w+)/g, (whole: string, name: string) => {
      return `\${${name}${'#'.padEnd(whole.length - name.length - 3, '_')}}`
    })
    .replaceAll(/(?<=\s)@(?=\w+)/g, '$')
}

function countBraces(line: string): number {
  return line.split('{').length - line.split('}').length
}

/** Rewrites `Uri = "x"; Method = "Post"` as options. */
function toOptions(line: string): string {
  let result = ''
  for (const { 0: whole, 1: key = '', 2: value = '', index } of line.matchAll(PAIRS)) {
    const start = index + whole.length - value.length
    const gap = blank(line.slice(result.length, Math.max(result.length, start - key.length - 2)))
    result += `${gap}-${key} ${value}`
  }
  return result + blank(line.slice(result.length))
}

const PAIRS = /(?<![\w.$-])(\w+)["']?\s*=\s*("[^"]*"|'[^']*'|\$\w+)/g

/** Finds the commands of a line; the first may continue the line before. */
function findCommands(line: string, isOpen: boolean): string {
  let result = isOpen ? readCommand(line, 0) : ''
  for (const match of line.matchAll(STARTS)) {
    const [whole, client] = match
    const start = match.index + whole.length
    if (start < result.length) continue
    const head = client === undefined ? '' : 'irm '
    const gap = blank(line.slice(result.length, start - head.length))
    result += `${result.trim() === '' ? gap : gap.replace(' ', ';')}${head}${readCommand(line, start)}`
  }
  return result + blank(line.slice(result.length))
}

const KEYWORDS = anyOf`if else\w* for\w* while switch function param return try catch throw using`

/** What comes before a command, or before the URL of a call of a .NET client. */
const STARTS = new RegExp(
  String.raw`(?:^|[|;&({=]|\breturn\b)\s*(?!${KEYWORDS}\b)(?=[A-Za-z][\w.-]*(?:\s|$))` +
    String.raw`|((?:\.(?:(?:Download|Upload)\w+|(?:Get|Post|Put|Delete)\w*Async)|::Create)\(\s*)(?=["'$])`,
  'gi',
)

/** Reads a command up to its end; arguments in brackets are unknown. */
function readCommand(line: string, start: number): string {
  let result = ''
  for (let at = start; at < line.length; ) {
    const [part = ''] = PART.exec(line.slice(at)) ?? []
    if (part === '') break
    result += /^[({]/.test(part)
      ? unknownVariable(part.length)
      : part.replaceAll(/[&<>]|,(?=\s|$)/g, ' ')
    at += part.length
  }
  return result
}

/** A string, a group, or other characters than ends of commands. */
const PART = /^(?:"[^"]*"|'[^']*'|\((?:[^()]|\([^()]*\))*\)|\$?\{[^{}]*\}|[^"'(){}|;]+)/
