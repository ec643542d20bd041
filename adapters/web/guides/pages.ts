import { ServiceError } from '../../../core/errors.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { Page, PageRequest, PageResult } from '../page.ts'
import { GUIDE_SUBJECTS, GUIDES_PATH } from './guide-list.ts'
import type { Guide } from './guides.ts'

/** Lists the guides by subject. */
async function renderGuideList({ guides }: PageRequest): Promise<PageResult> {
  const all = await guides.list()
  const body = html`<h1>Guides</h1>
${GUIDE_SUBJECTS.map(
  ({ title }) => html`<h2>${title}</h2>
<ul class="lines">${all.filter(({ subject }) => subject === title).map(renderItem)}</ul>
`,
)}`
  return { kind: 'page', title: 'Guides', body }
}

function renderItem({ name, title, summary }: Guide): Html {
  return html`<li><a href="${GUIDES_PATH}/${name}">${title}</a><br><span class="soft">${summary}</span></li>\n`
}

/** Shows a guide with its sections. */
async function renderGuidePage({ guides, params }: PageRequest): Promise<PageResult> {
  const guide = await guides.find(params.name ?? '')
  if (!guide) {
    const body = html`<h1>Guide not found</h1>\n<p><a href="${GUIDES_PATH}">All guides</a></p>`
    return { kind: 'page', status: 404, title: 'Guide not found', body }
  }
  const { title, subject, sections, body } = guide
  const contents = html`<nav class="contents" aria-label="On this page"><ul>${sections.map(
    (section) => html`<li><a href="#${section.id}">${section.title}</a></li>\n`,
  )}</ul></nav>\n`
  return {
    kind: 'page',
    title,
    body: html`<p class="crumbs"><a href="${GUIDES_PATH}">Guides</a> › ${subject}</p>
<h1>${title}</h1>
<div class="guide">${sections.length > 1 ? contents : ''}<div>
${body}</div></div>`,
  }
}

/** Serves a picture of a guide. */
async function servePicture({ guides, params }: PageRequest): Promise<PageResult> {
  const body = await guides.findPicture(params.name ?? '')
  if (!body) throw new ServiceError('not_found', 'Picture not found')
  return { kind: 'resource', mediaType: 'image/png', body }
}

/** Guides are public: they contain no data of the service. */
export const guidesPages: readonly Page[] = [
  { method: 'GET', path: '/guides', access: 'public', handle: renderGuideList },
  { method: 'GET', path: '/guides/:name', access: 'public', handle: renderGuidePage },
  { method: 'GET', path: '/guides/pictures/:name', access: 'public', handle: servePicture },
]
