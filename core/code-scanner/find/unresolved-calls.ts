import { redactUrlSecrets } from '../../shared/url-secrets.ts'
import type { Candidate, FileScan } from '../model/file-scan.ts'
import type { Finding, UnresolvedCall } from '../model/finding.ts'
import { anyOf } from '../model/name-patterns.ts'
import { beginningOf, type Pattern, toRawText, toText } from '../model/pattern.ts'
import type { Expression } from '../model/program.ts'
import { isTestPath } from '../noise/path-roles.ts'
import { startsWithHost } from '../noise/url-hosts.ts'

/**
 * Whether nothing is known of a URL's host, but a part of its path is: `{}/v1/users`,
 * `https://{}/api/users`.
 */
export function isUnresolved(url: string): boolean {
  return UNRESOLVED.test(url)
}

/** Whether a value is a path below what is called an API's base: `format!("{api_base}/models")`. */
export function isBelowApiBase(value: Expression, text: string): boolean {
  const first =
    value.kind === 'join'
      ? value.parts[0]
      : value.kind === 'format'
        ? (value.values[0] ?? Object.values(value.named)[0])
        : undefined
  return first?.kind === 'name' && API_BASE.test(first.name) && isUnresolved(text)
}

/** Whether a text is a path as clients take it that have a base: `/v1/users`, `zones`. */
export function isClientPath(pattern: Pattern): boolean {
  if (!/^[\w/]/.test(beginningOf(pattern))) return false
  return PATH.test(toText(pattern)) && !startsWithHost(toRawText(pattern))
}

/**
 * The calls of a file's clients whose hosts no file tells, in the order of the text: one for each
 * line of which nothing else is known. Tests ask what they began themselves, and pages the server
 * that they come from.
 */
export function toUnresolvedCalls(
  { path: file, language }: Pick<FileScan, 'path' | 'language'>,
  given: { readonly candidates: readonly Candidate[]; readonly findings: readonly Finding[] },
): readonly UnresolvedCall[] {
  if (isTestPath(file) || (language === 'javascript' && PAGES.test(file))) return []
  const lines = new Set(given.findings.map(({ line }) => line))
  const found: UnresolvedCall[] = []
  for (const { url: pattern, method, via, isGuess, isOfApi, line, column } of given.candidates) {
    const isCall = (via === 'call' && !isGuess) || isOfApi
    const url = isCall ? toText(pattern).trim() : ''
    if (!isUnresolved(url) || lines.has(line)) continue
    lines.add(line)
    const sent = method === undefined ? '' : toText(method).toLowerCase()
    found.push({
      file,
      line,
      column,
      url: redactUrlSecrets(url.replace(/[?#].*$/s, '').replace(/^\{\}(?=\w)/, '{}/')),
      method: /^[a-z]{3,10}$/.test(sent) ? sent : undefined,
      via,
      confidence: isOfApi ? 0.4 : 0.5,
    })
  }
  return found.sort((a, b) => a.line - b.line || a.column - b.column)
}

/** Names of bases that are APIs'. */
const API_BASE = /(?:^|[._])api_?(?:url|uri|base|host|endpoint|root)(?:_?ur[il])?$/i

/** What is not known, then a path that says something, before any query. */
const UNRESOLVED =
  /^(?:(?:https?|wss?):\/\/)?\{\}(?::(?:\d+|\{\}))?(?:\/|(?=[A-Za-z][\w-]*\/))[^?#]*[A-Za-z]{2}/

const PATH = /^\/?(?:[\w{}][\w{}.-]*)(?:\/[\w{}.:~-]*)*(?:$|[?#])/

/** Scripts of pages, by their folders and their kinds. */
const PAGES = new RegExp(
  String.raw`(?:^|\/)${anyOf`
    client(?:-?app)? front-?end web-?(?:app|ui)? ui public static assets components pages views
    wwwroot www browser src\/app
  `}\/|\.${anyOf`jsx tsx vue svelte html?`}$`,
  'i',
)
