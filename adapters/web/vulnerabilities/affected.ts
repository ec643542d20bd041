import { type Html, html } from '../../../core/shared/html.ts'
import {
  type AffectedProduct,
  type CveNode,
  type CveRecord,
  listStatedProducts,
  type ReportedProduct,
  type StatedProduct,
  toVersionText,
} from '../../../core/vulnerabilities/index.ts'
import { table } from '../parts/table.ts'
import { formatNumber } from '../parts/text.ts'
import { SEARCH_PATH } from './filter-form.ts'

/** Limits on the rows and versions that are shown; the rest is counted. */
const MAX_PRODUCTS = 200
const MAX_VERSIONS = 60

/** Renders the affected products with their versions, version ranges and sources. */
export function affectedSection(record: CveRecord): Html {
  const { configurations } = record
  const products = listStatedProducts(record)
  if (products.length === 0) {
    return html`<h2>Affected</h2><p>The record lists no products. See its references.</p>`
  }
  const count = new Set(products.map(({ vendor, product }) => `${vendor} ${product}`)).size
  const isConditional = configurations.some(
    ({ operator, nodes }) => operator === 'AND' || nodes.some(hasPlatforms),
  )
  return html`<h2>Affected</h2>
${table({
  caption: `${formatNumber(count)} affected ${count === 1 ? 'product' : 'products'}`,
  columns: [
    {
      title: 'Product',
      isHead: true,
      cell: ({ vendor, product, reported }: StatedProduct) => {
        const query = new URLSearchParams(vendor === '-' ? { product } : { vendor, product })
        return html`<a href="${SEARCH_PATH}?${query}">${product}</a>${reported ? packageLine(reported) : ''}`
      },
    },
    { title: 'Versions', cell: ({ versions }) => versionsCell(versions) },
    {
      title: 'Vendor',
      cell: ({ vendor }) =>
        vendor === '-'
          ? html`<span class="soft">not named</span>`
          : html`<a href="${SEARCH_PATH}?${new URLSearchParams({ vendor })}">${vendor}</a>`,
    },
    {
      title: 'Stated by',
      cell: ({ source, reported }) => (reported ? source || 'a reporter' : 'NVD'),
    },
  ],
  rows: products.slice(0, MAX_PRODUCTS),
})}
${products.length > MAX_PRODUCTS ? html`<p>${formatNumber(products.length - MAX_PRODUCTS)} more are not shown; <code>GET /cvesearch/cve</code> returns all.</p>` : ''}
${isConditional ? html`<p class="soft">Some of these are affected only on certain platforms or together with other products. Platforms that are not vulnerable themselves are omitted.</p>` : ''}`
}

/** The package of a reported product, if its name says more than the product's. */
function packageLine({ packageUrl, packageName, product, vendor }: ReportedProduct): Html {
  const name = packageUrl ?? packageName ?? ''
  return name === '' || name === product || name === `${vendor}/${product}`
    ? html``
    : html`<br><span class="mono soft">${name}</span>`
}

function versionsCell(versions: AffectedProduct['versions']): Html {
  const shown = versions.slice(0, MAX_VERSIONS).map(formatVersion)
  const rest = versions.length - shown.length
  return html`<div class="wide">${shown.map((each, index) => html`${index > 0 ? ', ' : ''}<span class="version">${each}</span>`)}${rest > 0 ? ` and ${formatNumber(rest)} more` : ''}</div>`
}

/** Limit on the exceptions of a range that are shown. */
const MAX_EXCEPTIONS = 8

/** Formats a version or range: `from 2.0 before 2.17.1`, `up to 3.1`, `all versions`. */
export function formatVersion(version: AffectedProduct['versions'][number]): string {
  if (version === '*') return 'all versions'
  if (version === '-') return 'without a version'
  if (typeof version === 'string') {
    const [, update] = version.split('\t')
    return update ? `${toVersionText(version)} ${update}` : toVersionText(version)
  }
  const { from, to, except = [] } = version
  if (from && from.version === to?.version) return from.version
  const words = [
    from && `${from.isIncluded ? 'from' : 'after'} ${from.version}`,
    to && `${to.isIncluded ? 'up to' : 'before'} ${to.version}`,
  ]
  const shown = except.slice(0, MAX_EXCEPTIONS).map(formatVersion).join(', ')
  const rest = except.length > MAX_EXCEPTIONS ? ` and ${except.length - MAX_EXCEPTIONS} more` : ''
  const range = words.filter(Boolean).join(' ') || 'all versions'
  return except.length > 0 ? `${range} (except ${shown}${rest})` : range
}

function hasPlatforms(node: CveNode): boolean {
  return node.matches.some(({ isVulnerable }) => !isVulnerable) || node.children.some(hasPlatforms)
}
