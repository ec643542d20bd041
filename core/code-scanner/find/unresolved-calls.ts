import { redactUrlSecrets } from '../../shared/url-secrets.ts'
import { isDownload } from '../model/downloads.ts'
import type { Candidate, FileScan } from '../model/file-scan.ts'
import type { Finding, UnresolvedCall } from '../model/finding.ts'
import { anyOf } from '../model/name-patterns.ts'
import { beginningOf, type Pattern, toRawText, toText } from '../model/pattern.ts'
import type { Expression } from '../model/program.ts'
import { isTestPath } from '../noise/path-roles.ts'
import { startsWithHost } from '../noise/url-hosts.ts'

/** Whether a URL has an unknown host and a known path: `{}/v1/users`, `https://{}/api/users`. */
export function isUnresolved(url: string): boolean {
  return UNRESOLVED.test(url)
}

/** The method of a request, lower case; undefined unless it is a plain word. */
export function toMethod(method: Pattern | undefined): string | undefined {
  const text = method === undefined ? '' : toText(method).toLowerCase()
  return /^[a-z]{3,10}$/.test(text) ? text : undefined
}

/** Whether a value is a path below the name of an API's base: `format!("{api_base}/models")`. */
export function isBelowApiBase(value: Expression, text: string): boolean {
  const first =
    value.kind === 'join'
      ? value.parts[0]
      : value.kind === 'format'
        ? (value.values[0] ?? Object.values(value.named)[0])
        : undefined
  return first?.kind === 'name' && API_BASE.test(first.name) && isUnresolved(text)
}

/** Whether a script belongs to a page by its path: it calls the server of the page. */
export function isPageScript({ path, language }: Pick<FileScan, 'path' | 'language'>): boolean {
  return language === 'javascript' && PAGES.test(path)
}

/** Whether a text is a path below the base of a client: `/v1/users`, `zones`. */
export function isClientPath(pattern: Pattern): boolean {
  if (!/^[\w/]/.test(beginningOf(pattern))) return false
  return PATH.test(toText(pattern)) && !startsWithHost(toRawText(pattern))
}

/**
 * Returns the calls of a file with unknown hosts, in order of the text: one per line without
 * findings. Tests call their own servers, and scripts of pages the server of the page.
 */
export function toUnresolvedCalls(
  scan: Pick<FileScan, 'path' | 'language' | 'isTest'>,
  results: { readonly candidates: readonly Candidate[]; readonly findings: readonly Finding[] },
): readonly UnresolvedCall[] {
  const { path: file } = scan
  if (scan.isTest || isTestPath(file) || isPageScript(scan)) return []
  const lines = new Set(results.findings.map(({ line }) => line))
  const found: UnresolvedCall[] = []
  for (const {
    url: pattern,
    method: sent,
    via,
    isGuess,
    hasApiName,
    line,
    column,
  } of results.candidates) {
    const isCall = (via === 'call' && !isGuess) || hasApiName
    const url = isCall ? toText(pattern).trim() : ''
    const method = toMethod(sent)
    const isFile = isDownload(url) || ((method ?? 'get') === 'get' && isAsset(url))
    if (!isUnresolved(url) || lines.has(line) || isFile) continue
    lines.add(line)
    found.push({
      file,
      line,
      column,
      url: redactUrlSecrets(url.replace(/[?#].*$/s, '').replace(/^\{\}(?=\w)/, '{}/')),
      method,
      via,
      confidence: hasApiName ? 0.4 : 0.5,
    })
  }
  return found.sort((a, b) => a.line - b.line || a.column - b.column)
}

/** Whether a URL leads to a part of a page, such as a font or a style sheet. */
function isAsset(url: string): boolean {
  return /\.(?:css|m?js|map|x?html?|[ot]tf|woff2?|png|jpe?g|svg|gif|webp|ico)(?:[?#]|$)/i.test(url)
}

/** Names of API bases. */
const API_BASE = /(?:^|[._])api_?(?:url|uri|base|host|endpoint|root)(?:_?ur[il])?$/i

/** An unknown host, then a path with letters, before any query. */
const UNRESOLVED =
  /^(?:(?:https?|wss?):\/\/)?\{\}(?::(?:\d+|\{\}))?(?:\/|(?=[A-Za-z][\w-]*\/))[^?#]*[A-Za-z]{2}/

const PATH = /^\/?(?:[\w{}][\w{}.-]*)(?:\/[\w{}.:~-]*)*(?:$|[?#])/

/** Scripts of pages, by folder and extension. */
const PAGES = new RegExp(
  String.raw`(?:^|\/)${anyOf`
    client(?:-?app)? front-?end web-?(?:app|ui)? ui public static assets components pages views
    wwwroot www browser src\/app
  `}\/|\.${anyOf`jsx tsx vue svelte html?`}$`,
  'i',
)
