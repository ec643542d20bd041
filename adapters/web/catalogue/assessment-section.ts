import type { Api } from '../../../core/catalogue/index.ts'
import type { CallOutput, Contract } from '../../../core/contract.ts'
import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { badge, externalLink, type Tone, timeElement } from '../parts/text.ts'

/** Renders the rule-based assessment of an API, each statement with its evidence. */
export async function assessmentSection(
  request: ViewedRequest,
  api: Pick<Api, 'encryptedId'>,
): Promise<Html> {
  const statements = await readAssessment(request, api)
  const heading = html`<h2 id="assessment">Assessment</h2>`
  if (statements.length === 0) {
    return html`${heading}<p class="soft">No assessment available: the known facts match no rule.</p>`
  }
  const groups = new Map<string, Statement[]>()
  for (const statement of statements) {
    const { category } = statement
    groups.set(category, [...(groups.get(category) ?? []), statement])
  }
  return html`${heading}
<p class="row">${CLASSIFICATIONS.map(([name, tone]) => {
    const found = statements.filter(({ classification }) => classification === name).length
    return found > 0 ? badge(`${found} ${name}`, tone) : ''
  })}</p>
<div class="columns">${[...groups].map(
    ([category, all]) =>
      html`<section class="panel"><h3>${formatCategory(category)}</h3><ul class="plain">${all.map(renderStatement)}</ul></section>`,
  )}</div>`
}

type Answer = CallOutput<Contract['getAgreementsById']>
type Statement = NonNullable<Answer['assessment']>[number]

/** In descending severity. */
const CLASSIFICATIONS: readonly (readonly [string, Tone])[] = [
  ['blocker', 'worst'],
  ['bad', 'bad'],
  ['neutral', 'plain'],
  ['good', 'good'],
]

function renderStatement({ classification, statement, evidence }: Statement): Html {
  const { source, quote, link, date } = evidence
  const tone = CLASSIFICATIONS.find(([name]) => name === classification)?.[1] ?? 'plain'
  const where = link === '' ? source : externalLink(link, source || link)
  return html`<li>${badge(classification, tone)} ${statement}
${quote !== '' ? html`<blockquote>${quote}</blockquote>` : ''}<p class="soft">${where}${Number.isNaN(Date.parse(date)) ? '' : html`, ${timeElement(Date.parse(date))}`}</p></li>`
}

async function readAssessment(
  request: ViewedRequest,
  { encryptedId }: Pick<Api, 'encryptedId'>,
): Promise<readonly Statement[]> {
  const input = { api_id: encryptedId, assessment: true }
  try {
    return (await request.call('getAgreementsById', input)).assessment ?? []
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_implemented') return []
    throw error
  }
}

function formatCategory(category: string): string {
  const text = category.replaceAll('_', ' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
