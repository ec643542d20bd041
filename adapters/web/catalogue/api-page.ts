import { type Api, CATEGORIES, formatApiKind } from '../../../core/catalogue/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import {
  findKnownVulnerabilities,
  type KnownVulnerability,
} from '../../../core/vulnerabilities/index.ts'
import { CONSOLE, type Page, type ViewedRequest } from '../page.ts'
import { renderMarkdown } from '../parts/markdown.ts'
import { table } from '../parts/table.ts'
import { badge, externalLink, factList, formatNumber, note, timeElement } from '../parts/text.ts'
import { renderAgreementHistory, renderAgreementsSection } from './agreements-section.ts'
import { assessmentSection, renderEndpointsSection, renderUsagesSection } from './api-sections.ts'
import { createExcerpt, formatAuthType } from './labels.ts'
import { APIS_PATH, toCredentialsPath } from './links.ts'

/** Shows an API with its facts, endpoints, agreements, assessment, vulnerabilities and usages. */
export const apiPage: Page = {
  method: 'GET',
  path: '/apis/:id',
  access: 'read',
  section: 'catalogue',
  async handle(request) {
    const api = await request.app.catalogue.getApi(request.params.id ?? '')
    const [vulnerabilities, uses, agreements, changes, assessment, endpoints] = await Promise.all([
      vulnerabilitiesSection(request, api),
      renderUsagesSection(request, api),
      renderAgreementsSection(request, api),
      renderAgreementHistory(request, api),
      assessmentSection(request, api),
      renderEndpointsSection(request, api),
    ])
    const body = html`<p class="crumbs"><a href="${APIS_PATH}">Catalogue</a> › <a href="${APIS_PATH}?vendor=${api.vendor.id}">${api.vendor.name}</a></p>
<h1>${api.name}</h1>
${renderFacts(request, api)}
<nav aria-label="On this page"><ul class="tabs"><li><a href="#endpoints">Endpoints</a></li><li><a href="#terms">Terms</a></li><li><a href="#assessment">Assessment</a></li><li><a href="#vulnerabilities">Vulnerabilities</a></li><li><a href="#uses">Used by</a></li><li><a href="#history">History</a></li></ul></nav>
${renderDescription(api)}
${endpoints}
${agreements}
${assessment}
${vulnerabilities}
${uses}
${renderHistory(request, api)}
${changes}`
    return { kind: 'page', title: api.name, body }
  },
}

function renderFacts({ viewer }: ViewedRequest, api: Api): Html {
  const { vendor, contact } = api
  const category = getCategoryName(api.categoryId)
  const homepage = api.homepage || vendor.homepage
  const host = (url: string) => (URL.canParse(url) ? new URL(url).host : url)
  return factList([
    ['Vendor', html`<a href="${APIS_PATH}?vendor=${vendor.id}">${vendor.name}</a>`],
    ['Kind', api.kind === 'http' ? '' : badge(formatApiKind(api.kind))],
    ['Version', api.version],
    [
      'Category',
      category && html`<a href="${APIS_PATH}?category=${api.categoryId}">${category}</a>`,
    ],
    ['Homepage', homepage && externalLink(homepage, host(homepage))],
    ['Contact', renderContact(contact)],
    [
      'Authentication',
      api.authTypes.map(
        (type, index) =>
          html`${index > 0 ? ', ' : ''}<a href="${APIS_PATH}?auth=${encodeURIComponent(type)}">${formatAuthType(type)}</a>`,
      ),
    ],
    [
      'Credentials',
      viewer.caller.scopes.has('call') &&
        html`<a href="${toCredentialsPath(api)}">Store or remove credentials</a>`,
    ],
    ['Servers', renderServers(api)],
    [
      'Licence',
      api.licenses.length > 0
        ? api.licenses.map(
            ({ name, url }, index) =>
              html`${index > 0 ? ', ' : ''}${url ? externalLink(url, name || url) : name}`,
          )
        : html`<span class="soft">not stated</span>`,
    ],
    ['Countries', api.countries.join(', ')],
    ['Access', api.isPublic ? '' : badge('Private')],
    ['Id', html`<code>${api.encryptedId}</code>`],
  ])
}

function renderContact({ name, url, email }: Api['contact']): Html | undefined {
  const who = url === '' ? html`${name}` : externalLink(url, name || url)
  return name === '' && url === '' && email === ''
    ? undefined
    : html`${who}${email === '' ? '' : html` <span class="mono">${email}</span>`}`
}

/** Renders the first servers; an API may have a hundred. */
function renderServers({ servers: all, isImplemented, kind }: Api): Html {
  const shown = all.slice(0, 5)
  return html`${shown.map(({ url, name }) => html`<div><span class="mono">${url}</span>${name ? html` <span class="soft">${name}</span>` : ''}</div>`)}${
    all.length > shown.length
      ? html`<div class="soft">and ${all.length - shown.length} more</div>`
      : ''
  }${isImplemented || (kind !== 'http' && all.length > 0) ? '' : badge('No callable address', 'warn')}`
}

function renderDescription({ description: text, vendor }: Api): Html {
  if (text.trim() === '') {
    return html`<p class="soft">No description available.</p>${vendor.description ? html`<p>${vendor.name}: ${vendor.description}</p>` : ''}`
  }
  const isLong = text.length > 1200
  const drawn = html`<div class="prose">${renderMarkdown(text)}</div>`
  return html`<h2>Description</h2>${isLong ? html`<details><summary>${formatNumber(text.length)} characters</summary>${drawn}</details>` : drawn}`
}

function renderHistory({ viewer, command }: ViewedRequest, api: Api): Html {
  return html`<h2 id="history">History</h2>
${factList([
  ['First seen', timeElement(api.createdAt)],
  ['Last changed', timeElement(api.updatedAt)],
  [
    'Source',
    api.sourceDigest && html`<code>${api.sourceDigest}</code> <span class="soft">(SHA-256)</span>`,
  ],
])}
${viewer.caller.scopes.has('import') ? html`<p class="soft">To update the API, import a newer description. Its IDs do not change. <code>${command} import FILE</code></p>` : ''}`
}

/**
 * Returns the name of a category by its position from 1; undefined for an API without a category.
 */
function getCategoryName(id: number | undefined): string | undefined {
  return id === undefined ? undefined : CATEGORIES[id - 1]
}

const MAX_SHOWN_CVES = 10

/** Renders CVEs of products with the names of an API or its vendor, known exploited ones first. */
async function vulnerabilitiesSection(
  { app }: ViewedRequest,
  api: Pick<Api, 'name' | 'vendor'>,
): Promise<Html> {
  const named = { name: api.name, vendorName: api.vendor.name }
  const known = await findKnownVulnerabilities(app.vulnerabilities, {
    api: named,
    limit: MAX_SHOWN_CVES,
  })
  const heading = html`<h2 id="vulnerabilities">Known vulnerabilities</h2>`
  if (known.count === 0) {
    return html`${heading}<p class="soft">No CVE mentions a product of “${api.vendor.name}” with a similar name. This does not mean that the API is secure.</p>`
  }
  const { exploited } = known
  return html`${heading}
${note(html`<strong>Unconfirmed:</strong> ${formatNumber(known.count)} ${known.count === 1 ? 'CVE mentions' : 'CVEs mention'} a product named like this API or its vendor${exploited > 0 ? html`, ${formatNumber(exploited)} of them known exploited` : ''}. The version that the vendor runs is unknown.`, exploited > 0 ? 'bad' : 'warn')}
${table({
  caption: known.count > known.found.length ? `The first ${known.found.length}` : 'All of them',
  columns: [
    {
      title: 'CVE',
      isHead: true,
      cell: ({ id, isExploited }: KnownVulnerability) =>
        html`<a href="${CONSOLE}/vulnerabilities/${id}">${id}</a>${isExploited ? html` ${badge('Exploited', 'worst')}` : ''}`,
    },
    { title: 'Product', cell: ({ vendor, product }) => `${vendor} ${product}` },
    { title: 'Score', isNumber: true, cell: ({ metric }) => metric?.score.toFixed(1) ?? '–' },
    { title: 'Published', isTight: true, cell: ({ publishedAt }) => timeElement(publishedAt) },
    { title: 'Description', cell: ({ description }) => createExcerpt(description, 160) },
  ],
  rows: known.found,
})}`
}
