import { type Html, html } from '../../core/shared/html.ts'
import { GUIDES_PATH } from './guides/guide-list.ts'
import { CONSOLE, SECTIONS, type Section, type Viewer } from './page.ts'

/** A page of the console as a whole document. */
export interface Document {
  readonly title: string
  readonly body: Html
  readonly section: Section | undefined
  /** Guide to the page: a name, maybe with an anchor. */
  readonly guide: string | undefined
  /** Undefined if the user is not logged in: the page then has no navigation. */
  readonly viewer: Viewer | undefined
  readonly formToken: string
  /** URLs of style sheet and scripts, with their digests. */
  readonly assets: AssetLinks
  /** Sections that the host disables. */
  readonly hidden: ReadonlySet<Section>
  /** The console has its own login, so the page has a logout button. */
  readonly hasLogout: boolean
  /** URL of the API reference. */
  readonly docs: string
}

/** URLs of the static files. */
export interface AssetLinks {
  readonly style: string
  readonly scripts: readonly string[]
  readonly icon: string
}

/** Renders the document around a page. */
export function renderDocument(page: Document): Html {
  const { title, body, assets, guide } = page
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · API discovery</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="htmx-config" content='{"includeIndicatorCSS":false,"history":"reload"}'>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
${assets.scripts.map((script) => html`<script src="${script}" defer></script>\n`)}</head>
<body${page.viewer ? '' : html` class="alone"`}>
<a class="skip" href="#main">Skip to content</a>
${page.viewer ? renderHeader(page, page.viewer) : renderPlainHeader()}
<main id="main" tabindex="-1">
${guide === undefined ? '' : html`<a class="help" href="${GUIDES_PATH}/${guide}">Guide<span class="unseen"> to this page</span></a>\n`}${body}
</main>
<footer class="foot">${page.viewer ? html`<span>All times are in UTC.</span> ` : ''}<a href="${GUIDES_PATH}">Guides</a> <a href="${page.docs}">API reference</a></footer>
</body>
</html>
`
}

function renderHeader(page: Document, viewer: Viewer): Html {
  const { section, formToken, hidden, hasLogout } = page
  const links = SECTIONS.filter(({ id }) => !hidden.has(id)).map(
    ({ id, title, path }) =>
      html`<li><a href="${CONSOLE}${path || '/'}"${section === id ? html` aria-current="page"` : ''}>${title}</a></li>`,
  )
  return html`<header class="top">
<a class="brand" href="${CONSOLE}/">API discovery</a>
<nav aria-label="Main"><ul>${links}</ul></nav>
<div class="who"><span class="name">${viewer.name}</span>${
    hasLogout
      ? html`<form method="post" action="${CONSOLE}/logout"><input type="hidden" name="form_token" value="${formToken}"><button class="quiet">Log out</button></form>`
      : ''
  }</div>
</header>`
}

function renderPlainHeader(): Html {
  return html`<header class="top"><a class="brand" href="${CONSOLE}/">API discovery</a></header>`
}
