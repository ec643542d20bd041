import type { AgreementLink, Api } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { empty, outsideLink } from '../parts/text.ts'

/** Licence, terms and other agreements of an API and of its vendor. */
export async function agreementsSection(request: ViewedRequest, api: Api): Promise<Html> {
  const { own, vendor } = await request.app.catalogue.listAgreements(api)
  const heading = html`<h2 id="terms">Terms and agreements</h2>`
  if (own.length === 0 && vendor.length === 0) {
    return html`${heading}${empty(
      'No terms are known',
      html`<p>Its description names none. Enter them as an APIs.json file says them:</p><pre>api-discovery agreements import FILE</pre>`,
    )}`
  }
  return html`${heading}
${own.length > 0 ? drawTable('Of the API', own) : ''}
${vendor.length > 0 ? drawTable(`Of the vendor, ${api.vendor.name}`, vendor) : ''}`
}

function drawTable(caption: string, rows: readonly AgreementLink[]): Html {
  return table({
    caption,
    columns: [
      { title: 'Agreement', isHead: true, cell: ({ name, kind }: AgreementLink) => name || kind },
      { title: 'Sort', cell: ({ kind }) => toWords(kind) },
      { title: 'Link', cell: ({ link }) => (link ? outsideLink(link) : '–') },
    ],
    rows,
  })
}

/** `TermsOfService` as words. */
function toWords(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
