import type { ShownUsageGroup, StoredScan } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { IMPORTS_PATH } from '../imports/paths.ts'
import type { PageRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import { toScanPath } from './paths.ts'

/** Renders the next steps for hosts without a catalogued API. */
export function renderNextSteps(
  { formToken }: PageRequest,
  options: {
    readonly scan: StoredScan
    readonly group: ShownUsageGroup
    readonly name: string
    /** Position of the group on the page. */
    readonly index: number
  },
): Html | string {
  const { scan, group, name, index } = options
  const { belongsTo, shown } = group
  if (belongsTo?.kind !== 'vendor' && belongsTo?.kind !== 'domain') return ''
  const host = shown.find((use) => /^[\w.-]+$/.test(use.host))?.host
  const query = new URLSearchParams({
    ...(belongsTo.kind === 'vendor' ? { vendor: name } : {}),
    ...(host ? { base_url: `https://${host}` } : {}),
  })
  const id = `vendor-${index}`
  return html`<p>Is it an API with an OpenAPI description? <a href="${IMPORTS_PATH}/new?${query}">Import its description<span class="unseen"> (${name})</span></a></p>
${
  belongsTo.kind === 'domain' && name.includes('.')
    ? postForm({
        action: `${toScanPath(scan)}/vendor`,
        formToken,
        content: html`<input type="hidden" name="domain" value="${name}">
<p class="row group-review"><label for="${id}">Vendor of ${name}</label>
<input id="${id}" name="vendor" type="text" maxlength="200" required autocomplete="off">
<button class="second">Add vendor</button></p>
<p class="soft">Adds the vendor to the catalogue, with the homepage https://${name}. The hosts of this domain then belong to the vendor in every scan.</p>`,
      })
    : ''
}`
}
