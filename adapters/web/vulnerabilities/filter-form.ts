import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE } from '../page.ts'
import { checkboxes, type Field, field } from '../parts/form.ts'
import { liveSearchAttributes } from '../parts/live.ts'
import { EXPLOITATION, type ParsedSearch, SEVERITIES } from './parse-search.ts'

/** Path of the vulnerability search. */
export const SEARCH_PATH = `${CONSOLE}/vulnerabilities`

/**
 * Renders the search form. It works without scripts; with them, it searches while the user types.
 */
export function filterForm(params: URLSearchParams, search: ParsedSearch): Html {
  const { errors, hasMore } = search
  const input = (options: Omit<Field, 'isRequired'>) =>
    field({
      ...options,
      isFilter: true,
      value: params.get(options.name) ?? '',
      error: errors.get(options.name),
    })
  const range = (
    name: string,
    options: { readonly label: string; readonly type: 'date' | 'text'; readonly more?: Html },
  ) =>
    html`<div class="range">${input({ ...options, name: `${name}_from`, label: `${options.label} from` })}${input({ ...options, name: `${name}_to`, label: `${options.label} to` })}</div>`
  const decimal = html`inputmode="decimal"`
  return html`<form class="filters" action="${SEARCH_PATH}" role="search"${liveSearchAttributes({ path: SEARCH_PATH, results: 'results', isAddressed: true })}>
<label for="field-q">Words, a “phrase” in quotes, or a CVE ID</label>
<div class="search"><input id="field-q" name="q" type="search" value="${params.get('q') ?? ''}" autocomplete="off"${errors.has('q') ? html` aria-invalid="true" aria-describedby="field-q-error"` : ''}><button>Search</button></div>
${errors.has('q') ? html`<p class="error" id="field-q-error">${errors.get('q')}</p>` : ''}
<div class="row">${checkboxes({
    name: 'severity',
    legend: 'Severity',
    options: SEVERITIES,
    chosen: new Set(params.getAll('severity')),
  })}${checkboxes({
    name: 'kev',
    legend: 'Exploited',
    options: [{ value: 'yes', label: 'Known to be exploited (CISA KEV)' }],
    chosen: new Set(params.getAll('kev')),
  })}</div>
<details${hasMore ? html` open` : ''}><summary>More filters</summary>
<div class="columns">
<fieldset><legend>Score</legend>
${range('score', { label: 'CVSS', type: 'text', more: decimal })}
${input({
  name: 'cvss',
  label: 'CVSS version',
  options: [
    { value: '', label: 'Newest in each record' },
    { value: '4', label: 'CVSS 4.0' },
    { value: '3', label: 'CVSS 3.1, else 3.0' },
    { value: '2', label: 'CVSS 2.0' },
  ],
})}
${input({ name: 'vector', label: 'Vector metrics', hint: 'For example AV:N/PR:N.' })}
${input({ name: 'epss_from', label: 'EPSS score from', hint: '0 to 1: probability of exploitation within 30 days.', more: decimal })}
${input({ name: 'percentile_from', label: 'EPSS percentile from', hint: '0 to 1.', more: decimal })}
</fieldset>
<fieldset><legend>Affected</legend>
${input({ name: 'vendor', label: 'Vendor', hint: html`See the <a href="${SEARCH_PATH}/vendors">list of vendors</a>.` })}
${input({ name: 'product', label: 'Product' })}
${input({ name: 'version', label: 'Version', hint: 'Requires a vendor or a product. Version ranges match too.' })}
${input({ name: 'purl', label: 'Package URL', hint: 'For example pkg:npm/lodash@4.17.15, or without a version.' })}
${input({ name: 'cwe', label: 'Weakness', hint: 'For example CWE-79.' })}
${input({ name: 'host', label: 'Reference host' })}
${input({ name: 'tag', label: 'Reference tag', hint: 'For example Exploit or Patch.' })}
${checkboxes({ name: 'exploitation', legend: 'Exploitation (SSVC)', options: EXPLOITATION, chosen: new Set(params.getAll('exploitation')) })}
</fieldset>
<fieldset><legend>Dates, in UTC</legend>
${range('year', { label: 'Year', type: 'text', more: html`inputmode="numeric"` })}
${range('published', { label: 'Published', type: 'date' })}
${range('modified', { label: 'Changed', type: 'date' })}
${range('kev', { label: 'Known exploited', type: 'date' })}
${checkboxes({ name: 'ransomware', legend: 'Ransomware', options: [{ value: 'yes', label: 'Used in ransomware campaigns' }], chosen: new Set(params.getAll('ransomware')) })}
${checkboxes({ name: 'rejected', legend: 'Rejected', options: [{ value: 'yes', label: 'Include rejected records' }], chosen: new Set(params.getAll('rejected')) })}
</fieldset>
</div>
<div class="row"><button>Search</button><a href="${SEARCH_PATH}">Clear all filters</a></div>
</details>
</form>`
}
