import MarkdownIt from 'markdown-it'
import { type Html, html } from '../../../core/shared/html.ts'
import { externalLink } from './text.ts'

/** Longer texts are truncated; real descriptions have a few kilobytes. */
const MAX_LENGTH = 64 * 1024

/**
 * Above this number of bars tables are disabled: each row is padded to the width of the first one.
 */
const MAX_BARS = 4000

/** Raw HTML is shown as text; URLs become links only with Markdown syntax. */
const plainParser = new MarkdownIt('commonmark', { html: false }).enable('strikethrough')
const parser = new MarkdownIt('commonmark', { html: false }).enable(['table', 'strikethrough'])

/**
 * Renders untrusted Markdown: paragraphs, headings (from `h3` down, without gaps), lists, quotes,
 * tables, code, emphasis, and links to http(s) URLs. Images become links, so that a page loads
 * nothing from other sites. Everything else is shown as text. Only links have attributes.
 */
export function renderMarkdown(text: string): Html {
  const isCut = text.length > MAX_LENGTH
  const shown = isCut ? text.slice(0, MAX_LENGTH) : text
  const isBarred = shown.split('|', MAX_BARS + 1).length > MAX_BARS
  const body = renderTokens((isBarred ? plainParser : parser).parse(shown, {}))
  return isCut ? html`${body}<p>… (truncated)</p>` : body
}

/** The part of a parser's token that is used. */
interface Token {
  readonly type: string
  readonly tag: string
  /** 1 opens an element, -1 closes it, 0 is a leaf. */
  readonly nesting: number
  readonly content: string
  readonly hidden: boolean
  readonly children: readonly Token[] | null
  attrGet(name: string): string | number | null
}

/** An open element and its content so far. */
interface Frame {
  readonly close: (content: readonly Html[]) => Html
  readonly content: Html[]
}

function renderTokens(tokens: readonly Token[]): Html {
  const levels: number[] = []
  const outer: Frame = { close: (content) => html`${content}`, content: [] }
  const frames: Frame[] = [outer]
  for (const token of tokens) {
    const frame = frames.at(-1) ?? outer
    if (token.nesting === 1) frames.push({ close: toClosing(token, levels), content: [] })
    else if (token.nesting === 0) frame.content.push(renderLeaf(token))
    else if (frames.length > 1) {
      frames.pop()
      frames.at(-1)?.content.push(frame.close(frame.content))
    }
  }
  return outer.close(outer.content)
}

/** Returns the function that wraps the content of an opening token. */
function toClosing(token: Token, levels: number[]): Frame['close'] {
  if (token.type === 'heading_open') return toHeading(toDepth(Number(token.tag.slice(1)), levels))
  if (token.type === 'link_open') {
    const url = String(token.attrGet('href') ?? '')
    return (content) => externalLink(url, isBlank(content) ? undefined : content)
  }
  if (token.hidden) return (content) => html`${content}`
  return CONTAINERS[token.type] ?? ((content) => html`${content}`)
}

const CONTAINERS: Readonly<Record<string, Frame['close']>> = {
  paragraph_open: (content) => html`<p>${content}</p>\n`,
  blockquote_open: (content) => html`<blockquote>${content}</blockquote>\n`,
  bullet_list_open: (content) => html`<ul>${content}</ul>\n`,
  ordered_list_open: (content) => html`<ol>${content}</ol>\n`,
  list_item_open: (content) => html`<li>${content}</li>\n`,
  em_open: (content) => html`<em>${content}</em>`,
  strong_open: (content) => html`<strong>${content}</strong>`,
  s_open: (content) => html`<s>${content}</s>`,
  table_open: (content) => html`<table>${content}</table>\n`,
  thead_open: (content) => html`<thead>${content}</thead>`,
  tbody_open: (content) => html`<tbody>${content}</tbody>`,
  tr_open: (content) => html`<tr>${content}</tr>`,
  // Empty header cells become data cells.
  th_open: (content) => (isBlank(content) ? html`<td></td>` : html`<th>${content}</th>`),
  td_open: (content) => html`<td>${content}</td>`,
}

function renderLeaf(token: Token): Html {
  const { type, content } = token
  if (token.children && type !== 'image') return renderTokens(token.children)
  if (type === 'fence' || type === 'code_block') return html`<pre><code>${content}</code></pre>\n`
  if (type === 'code_inline') return html`<code>${content}</code>`
  if (type === 'hr') return html`<hr>\n`
  if (type === 'hardbreak') return html`<br>\n`
  if (type === 'softbreak') return html`\n`
  if (type === 'image')
    return externalLink(String(token.attrGet('src') ?? ''), content.trim() || undefined)
  return html`${content}`
}

/** Returns the nesting depth of a heading below the previous ones, without gaps between levels. */
function toDepth(level: number, levels: number[]): number {
  while ((levels.at(-1) ?? 0) >= level) levels.pop()
  levels.push(level)
  return levels.length
}

function toHeading(depth: number): Frame['close'] {
  if (depth === 1) return (content) => html`<h3>${content}</h3>\n`
  if (depth === 2) return (content) => html`<h4>${content}</h4>\n`
  if (depth === 3) return (content) => html`<h5>${content}</h5>\n`
  return (content) => html`<h6>${content}</h6>\n`
}

function isBlank(content: readonly Html[]): boolean {
  return content.every(({ text }) => text.trim() === '')
}
