import {
  type AffectedProduct,
  type CveConfiguration,
  type CveNode,
  toAffectedProducts,
  toVersionText,
} from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { table } from '../parts/table.ts'
import { formatNumber } from '../parts/text.ts'
import { SEARCH_PATH } from './filter-form.ts'

/** Limits on the rows and versions that are shown; the rest is counted. */
const MAX_PRODUCTS = 200
const MAX_VERSIONS = 60

/** Renders the affected products with their versions and version ranges. */
export function affectedSection(configurations: readonly CveConfiguration[]): Html {
  const products = toAffectedProducts(configurations)
  if (products.length === 0) {
    return html`<h2>Affected</h2><p>The record lists no products. See its references.</p>`
  }
  const isConditional = configurations.some(
    ({ operator, nodes }) => operator === 'AND' || nodes.some(hasPlatforms),
  )
  return html`<h2>Affected</h2>
${table({
  caption: `${formatNumber(products.length)} affected ${products.length === 1 ? 'product' : 'products'}`,
  columns: [
    {
      title: 'Product',
      isHead: true,
      cell: ({ vendor, product }: AffectedProduct) => {
        const query = new URLSearchParams({ vendor, product })
        return html`<a href="${SEARCH_PATH}?${query}">${product}</a>`
      },
    },
    { title: 'Versions', cell: ({ versions }) => versionsCell(versions) },
    {
      title: 'Vendor',
      cell: ({ vendor }) =>
        html`<a href="${SEARCH_PATH}?${new URLSearchParams({ vendor })}">${vendor}</a>`,
    },
  ],
  rows: products.slice(0, MAX_PRODUCTS),
})}
${products.length > MAX_PRODUCTS ? html`<p>${formatNumber(products.length - MAX_PRODUCTS)} more are not shown; <code>GET /cvesearch/cve/products</code> returns all.</p>` : ''}
${isConditional ? html`<p class="soft">Some of these are affected only on certain platforms or together with other products. Platforms that are not vulnerable themselves are omitted.</p>` : ''}`
}

function versionsCell(versions: AffectedProduct['versions']): Html {
  const shown = versions.slice(0, MAX_VERSIONS).map(formatVersion)
  const rest = versions.length - shown.length
  return html`<div class="wide">${shown.map((each, index) => html`${index > 0 ? ', ' : ''}<span class="version">${each}</span>`)}${rest > 0 ? ` and ${formatNumber(rest)} more` : ''}</div>`
}

/** Formats a version or range: `from 2.0 before 2.17.1`, `up to 3.1`, `all versions`. */
export function formatVersion(version: AffectedProduct['versions'][number]): string {
  if (version === '*') return 'all versions'
  if (version === '-') return 'without a version'
  if (typeof version === 'string') {
    const [, update] = version.split('\t')
    return update ? `${toVersionText(version)} ${update}` : toVersionText(version)
  }
  const { from, to } = version
  const words = [
    from && `${from.isIncluded ? 'from' : 'after'} ${from.version}`,
    to && `${to.isIncluded ? 'up to' : 'before'} ${to.version}`,
  ]
  return words.filter(Boolean).join(' ') || 'all versions'
}

function hasPlatforms(node: CveNode): boolean {
  return node.matches.some(({ isVulnerable }) => !isVulnerable) || node.children.some(hasPlatforms)
}
