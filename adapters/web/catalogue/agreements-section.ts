import type { Agreement, AgreementLink, Api } from '../../../core/catalogue/index.ts'
import type { CallOutput, Contract } from '../../../core/contract.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { badge, emptyState, externalLink, formatNumber, timeElement } from '../parts/text.ts'
import { toAgreementsPath } from './links.ts'

/** Renders licence, terms and other agreements of an API and of its vendor. */
export async function renderAgreementsSection(
  { app, command, viewer }: ViewedRequest,
  api: Api,
): Promise<Html> {
  const [own, { vendor }] = await Promise.all([
    app.agreements.list(api),
    app.catalogue.listAgreements(api),
  ])
  const canEnter = viewer.caller.scopes.has('import')
  const path = toAgreementsPath(api)
  const heading = html`<h2 id="terms">Terms and agreements</h2>`
  if (own.length === 0 && vendor.length === 0) {
    return html`${heading}${emptyState(
      'No agreements',
      html`<p>The description contains none. ${canEnter ? html`<a href="${path}">Add an agreement</a>, or import an APIs.json file:` : 'An APIs.json file can be imported:'}</p><pre>${command} agreements import FILE</pre>`,
    )}`
  }
  return html`${heading}
${own.length > 0 ? renderAgreementTable(own, 'API') : ''}
${vendor.length > 0 ? renderVendorAgreementTable(`Vendor ${api.vendor.name}`, vendor) : ''}
${canEnter ? html`<p><a href="${path}">Edit agreements</a></p>` : ''}`
}

/** Renders agreements with their source and dates. */
export function renderAgreementTable(rows: readonly Agreement[], caption: string): Html {
  return table({
    caption,
    columns: [
      {
        title: 'Agreement',
        isHead: true,
        cell: ({ name, kind, spdxId }: Agreement) =>
          html`${name || kind}${spdxId && spdxId !== name ? html` ${badge(html`<code>${spdxId}</code>`)}` : ''}`,
      },
      { title: 'Kind', isTight: true, cell: ({ kind }) => formatKind(kind) },
      { title: 'Link', cell: ({ link }) => (link ? externalLink(link) : '–') },
      {
        title: 'Source',
        isTight: true,
        cell: ({ source }) => (source === 'imported' ? 'description' : 'manual'),
      },
      { title: 'First seen', isTight: true, cell: ({ firstSeenAt }) => timeElement(firstSeenAt) },
      {
        title: 'Last changed',
        isTight: true,
        sortValue: ({ changedAt }) => changedAt,
        cell: ({ firstSeenAt, changedAt }) =>
          changedAt === firstSeenAt
            ? html`<span class="soft">never</span>`
            : timeElement(changedAt),
      },
    ],
    rows,
  })
}

function renderVendorAgreementTable(caption: string, rows: readonly AgreementLink[]): Html {
  return table({
    caption,
    columns: [
      { title: 'Agreement', isHead: true, cell: ({ name, kind }: AgreementLink) => name || kind },
      { title: 'Kind', isTight: true, cell: ({ kind }) => formatKind(kind) },
      { title: 'Link', cell: ({ link }) => (link ? externalLink(link) : '–') },
    ],
    rows,
  })
}

type History = CallOutput<Contract['listAgreementChanges']>
type Change = History['changes'][number]

/** Renders the newest changes of an API's agreements. */
export async function renderAgreementHistory(
  request: ViewedRequest,
  { encryptedId }: Pick<Api, 'encryptedId'>,
): Promise<Html> {
  const input = { api_id: encryptedId, size: MAX_SHOWN_CHANGES, page: 1 }
  const { changes, num_results } = await request.call('listAgreementChanges', input)
  if (changes.length === 0) return html``
  return table({
    caption:
      num_results > MAX_SHOWN_CHANGES
        ? `The newest ${MAX_SHOWN_CHANGES} of ${formatNumber(num_results)} changes to agreements`
        : 'Changes of agreements',
    columns: [
      {
        title: 'When',
        isHead: true,
        cell: ({ changed_at }: Change) => timeElement(Date.parse(changed_at)),
      },
      { title: 'Change', cell: ({ change }) => change },
      { title: 'Before', cell: ({ before }) => renderState(before) },
      { title: 'After', cell: ({ after }) => renderState(after) },
    ],
    rows: changes,
  })
}

const MAX_SHOWN_CHANGES = 20

function renderState(state: Change['before']): Html {
  if (!state) return html`–`
  const { agreement_name: name, agreement_link: link } = state
  return link ? externalLink(link, name || link) : html`${name}`
}

/** Formats an agreement kind such as `TermsOfService` as words. */
export function formatKind(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
