import { type CveHit, countVersions } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { timeElement } from '../parts/text.ts'
import { SEARCH_PATH } from './filter-form.ts'
import { formatPercent, HIGH_EPSS, severityBadge, urgencyBadges } from './severity.ts'

/** Renders a search result: severity, description and affected product. */
export function hitItem(hit: CveHit): Html {
  const { extended, named } = hit
  if (!extended) return html``
  const { record, epss } = extended
  // The cast is safe: the core wrote the line.
  const line = JSON.parse(hit.line) as Readonly<Record<'vendor' | 'product' | 'version', string>>
  const { vendor, product, version } = named ?? line
  const more = countVersions(record, { vendor, product }) - 1
  const versions = `${version}${more > 0 ? ` (+${more} more)` : ''}`
  const affected = [vendor, product, version === '-' ? '-' : versions]
    .filter((part) => part !== '-')
    .join(' ')
  return html`<li><h3><a href="${SEARCH_PATH}/${record.id}">${record.id}</a></h3>
<p>${severityBadge(record.metrics[0])}${urgencyBadges(extended)}</p>
<p>${shortenDescription(record.descriptions[0]?.text ?? '') || 'No description.'}</p>
<p class="soft">${affected ? html`<span class="mono">${affected}</span> · ` : ''}Published ${timeElement(record.publishedAt)}${epss && epss.score < HIGH_EPSS ? ` · EPSS ${formatPercent(epss.score)}` : ''}</p></li>\n`
}

/** Shortens a description to `MAX_LENGTH` code units, at a space if possible. */
function shortenDescription(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= MAX_LENGTH) return plain
  const cut = plain.slice(0, MAX_LENGTH)
  const space = cut.lastIndexOf(' ')
  return `${(space > MAX_LENGTH / 2 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '')}…`
}

const MAX_LENGTH = 280
