import MarkdownIt, { type Token } from 'markdown-it'
import { ServiceError } from '../../../core/errors.ts'
import { Html, html } from '../../../core/shared/html.ts'
import { readPackageFile } from '../package-files.ts'
import { copyableText } from '../parts/text.ts'
import { findServedPath, GUIDE_PICTURES, GUIDE_SUBJECTS, toGuideName } from './guide-list.ts'

/** A guide and its place in the list. */
export interface Guide extends RenderedGuide {
  readonly name: string
  readonly subject: string
}

/** The guides of this package. */
export interface Guides {
  /** Every guide, in reading order. Throws a `ServiceError` if the package has no guides. */
  list(): Promise<readonly Guide[]>
  /** Finds a guide by its name; undefined for other names. Throws like `list`. */
  find(name: string): Promise<Guide | undefined>
  /** Finds a PNG picture by its name; undefined for other names. Throws like `list`. */
  findPicture(name: string): Promise<Uint8Array | undefined>
}

/** A guide as HTML. */
interface RenderedGuide {
  readonly title: string
  /** First sentence. */
  readonly summary: string
  /** Headings of the second level; `id` is their anchor. */
  readonly sections: readonly { readonly id: string; readonly title: Html }[]
  /** Content below the title. */
  readonly body: Html
}

/** Folder `docs` of the repository, or of the built package. */
const FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../docs/' : '../docs/',
  import.meta.url,
)

/** Opens the guides. A guide is read and rendered on its first use, and cached. */
export function openGuides(folder = FOLDER): Guides {
  const guides = GUIDE_SUBJECTS.flatMap(({ title, files }) =>
    files.map((file) => ({
      name: toGuideName(file),
      load: cacheResult(async (): Promise<Guide> => {
        const text = new TextDecoder().decode(await readDocument(new URL(`${file}.md`, folder)))
        return { ...renderGuide(file, text), name: toGuideName(file), subject: title }
      }),
    })),
  )
  return {
    list: () => Promise.all(guides.map(({ load }) => load())),
    find: async (name) => guides.find((guide) => guide.name === name)?.load(),
    findPicture: async (name) =>
      GUIDE_PICTURES.includes(name)
        ? readDocument(new URL(`images/${name}.png`, folder))
        : undefined,
  }
}

async function readDocument(url: URL): Promise<Uint8Array> {
  const bytes = await readPackageFile(url)
  if (bytes === undefined) {
    throw new ServiceError(
      'not_found',
      'The guides are not installed: the folder "docs" of the package is missing',
    )
  }
  return bytes
}

/** Calls a function once, and again only after a failure. */
function cacheResult<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let cached: Promise<Result> | undefined
  return () => {
    cached ??= load().catch((error) => {
      cached = undefined
      throw error
    })
    return cached
  }
}

/** The guides are texts of this package, so their markup is trusted; they contain no HTML. */
const parser = new MarkdownIt('commonmark', { xhtmlOut: false }).enable('table')
const { rules } = parser.renderer

/** Comments are instructions to the tests of the guides. */
rules.html_block = (tokens, index) => renderHtml(tokens[index])
rules.html_inline = rules.html_block
rules.table_open = () => '<div class="scroll"><table role="table">\n'
rules.table_close = () => '</table></div>\n'
rules.fence = (tokens, index) => {
  const { content = '', info = '' } = tokens[index] ?? {}
  const text = content.trimEnd()
  const isCopied = COPIED.has(info.trim())
  return isCopied
    ? `${copyableText({ id: `block-${index}`, text }).text}\n`
    : html`<pre tabindex="0">${text}</pre>\n`.text
}

/** Languages of blocks that readers copy. Others show output. */
const COPIED = new Set(['caddy', 'ini', 'json', 'nginx', 'sh', 'ts', 'yaml'])

/** Renders a file of the folder `docs`, named `guides/import` for example. */
export function renderGuide(file: string, text: string): RenderedGuide {
  const [open, heading, close, ...tokens] = parser.parse(text, {})
  if (open?.tag !== 'h1' || !heading || !close) throw new Error(`${file} begins without a title`)
  markHeadings(tokens)
  markTables(tokens)
  for (const token of tokens) linkInline(token, file)
  const sections = tokens.flatMap((token, index) => {
    const isSection = token.type === 'heading_open' && token.tag === 'h2'
    if (!isSection) return []
    const title = parser.renderer.render([tokens[index + 1] as Token], parser.options, {})
    return [{ id: String(token.attrGet('id')), title: new Html(title) }]
  })
  const first = tokens.findIndex(({ type }) => type === 'paragraph_open')
  return {
    title: toPlainText(heading),
    summary: toFirstSentence(toPlainText(tokens[first + 1])),
    sections,
    body: new Html(parser.renderer.render(tokens, parser.options, {})),
  }
}

/** Adds an `id` to each heading, as GitHub does. */
function markHeadings(tokens: readonly Token[]): void {
  const counts = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const words = toPlainText(tokens[index + 1]).toLowerCase()
    const slug = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    token.attrSet('id', count === 0 ? slug : `${slug}-${count}`)
  }
}

/** Adds roles and titles to tables, so that phones show their rows as cards. */
function markTables(tokens: readonly Token[]): void {
  let titles: string[] = []
  let column = 0
  for (const [index, token] of tokens.entries()) {
    const { type } = token
    if (type === 'table_open') titles = []
    else if (type === 'tr_open') column = 0
    else if (type === 'th_open') {
      titles.push(toPlainText(tokens[index + 1]))
      token.attrs = [
        ['scope', 'col'],
        ['role', 'columnheader'],
      ]
    } else if (type === 'td_open') {
      token.attrs = [
        ['role', 'cell'],
        ['data-title', titles[column] ?? ''],
      ]
      column += 1
    }
    if (type === 'tr_open') token.attrs = [['role', 'row']]
    if (type === 'thead_open' || type === 'tbody_open') token.attrs = [['role', 'rowgroup']]
  }
}

/** Rewrites the links and images of a block. */
function linkInline(token: Token, file: string): void {
  let unserved: string | undefined
  for (const [index, child] of token.children?.entries() ?? []) {
    if (child.type === 'image') {
      const { href } = resolveLink(String(child.attrGet('src')), file)
      if (href === undefined) child.type = 'text'
      else child.attrSet('src', href)
    } else if (child.type === 'link_open') {
      const link = resolveLink(String(child.attrGet('href')), file)
      if (link.href === undefined) {
        unserved = link.path
        child.hidden = true
      } else {
        child.attrs = [['href', link.href], ...(link.isExternal ? EXTERNAL : [])]
      }
    } else if (child.type === 'link_close' && unserved !== undefined) {
      showPath(token.children?.[index - 1], child, unserved)
      unserved = undefined
    }
  }
}

const EXTERNAL: [string, string][] = [
  ['rel', 'noopener noreferrer nofollow'],
  ['target', '_blank'],
]

/** Resolves a link of a file. `path` is the path in the package of a file that is not served. */
function resolveLink(
  link: string,
  file: string,
): { readonly href?: string; readonly isExternal?: boolean; readonly path?: string } {
  if (/^https?:/.test(link)) return { href: link, isExternal: true }
  if (link.startsWith('#')) return { href: link }
  const { pathname, hash } = new URL(link, `http://package.invalid/docs/${file}.md`)
  const served = pathname.startsWith('/docs/') ? findServedPath(pathname.slice(6)) : undefined
  return served === undefined ? { path: pathname.slice(1) } : { href: served + hash }
}

/** Writes the path of a file in the place of a link to it, after the link's text if that differs. */
function showPath(label: Token | undefined, close: Token, path: string): void {
  close.type = 'code_inline'
  close.content = path
  close.nesting = 0
  if (label && path.endsWith(label.content)) label.content = ''
  else if (label) label.content += ': '
}

function renderHtml(token: Token | undefined): string {
  const content = token?.content ?? ''
  return content.startsWith('<!--') ? '' : html`${content}`.text
}

/** Returns the text of an inline token without markup. */
function toPlainText(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')
}

function toFirstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}
