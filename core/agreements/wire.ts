import * as v from 'valibot'
import { getCategory } from '../catalogue/categories.ts'
import type { Api } from '../catalogue/records.ts'
import { isDay, parseInstant, toTimestamp, toUnpaddedDay } from '../shared/dates.ts'
import { toSha256Hex } from '../shared/digests.ts'
import { printableLine } from '../shared/line-schema.ts'
import { boundedList } from '../shared/list-schema.ts'
import { type Page, type PageRequest, toPageEnvelope } from '../shared/pages.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { isTextWithin, MAX_AGREEMENTS, MAX_TEXT_BYTES } from './limits.ts'
import {
  AGREEMENT_SOURCES,
  type Agreement,
  type AgreementChange,
  type NewAgreement,
} from './records.ts'

const integer = v.pipe(v.number(), v.integer())

const stateEntries = {
  agreement_name: v.string(),
  agreement_link: v.string(),
  type: v.string(),
  spdx_id: v.string(),
  digest: v.string(),
}

const extendedEntries = {
  type: v.string(),
  spdx_id: v.string(),
  digest: v.string(),
  source: v.picklist(AGREEMENT_SOURCES),
  first_seen: v.string(),
  last_changed: v.string(),
  text_digest: v.string(),
  text_bytes: integer,
  text_retrieved: v.nullable(v.string()),
}

/** A statement of an assessment with its evidence (contract 4.19). */
const statementSchema = v.object({
  rule: v.optional(v.pipe(v.string(), v.description('ID of the rule; only with `extended`.'))),
  category: v.string(),
  classification: v.picklist(['good', 'neutral', 'bad', 'blocker']),
  statement: v.string(),
  evidence: v.object({
    source: v.string(),
    quote: v.string(),
    link: v.string(),
    date: v.string(),
  }),
})

/** A statement of an assessment; see `core/assessments/`. */
export interface AssessedStatement {
  /** ID of the rule. */
  readonly rule: string
  readonly category: string
  readonly classification: 'good' | 'neutral' | 'bad' | 'blocker'
  readonly statement: string
  readonly evidence: {
    readonly source: string
    readonly quote: string
    readonly link: string
    /** Milliseconds since the epoch. */
    readonly at: number
  }
}

/** Agreements result (Specification 2.11), with details of each agreement if requested. */
export const agreementsSchema = v.object({
  api_name: v.string(),
  description: v.string(),
  agreements: v.array(
    v.object({
      agreement_name: v.string(),
      agreement_link: v.string(),
      ...v.partial(v.object(extendedEntries)).entries,
    }),
  ),
  assessment: v.optional(v.array(statementSchema)),
})
const stateSchema = v.nullable(v.object({ ...stateEntries, text_digest: v.string() }))

const changeSchema = v.object({
  change: v.picklist(['added', 'changed', 'removed']),
  source: v.picklist(AGREEMENT_SOURCES),
  changed_at: v.string(),
  before: stateSchema,
  after: stateSchema,
})

/** Response of `GET /agreements/history`. */
export const agreementHistorySchema = v.object({
  num_results: integer,
  num_pages: integer,
  current_page: integer,
  page_size: integer,
  api_name: v.string(),
  changes: v.array(changeSchema),
})

/** Recently added API (Specification 2.12). */
export const addedApiSchema = v.object({
  'API Name': v.string(),
  Description: v.string(),
  'API ID': v.nullable(v.string()),
  'Category Name': v.string(),
  'Vendor Name': v.string(),
  'Datetime Created': v.string(),
  agreement_changes: v.optional(v.array(changeSchema)),
})

/**
 * Control characters and lone surrogates, which not every storage supports. Line breaks are
 * allowed.
 */
const UNPRINTABLE_IN_LINES = /[^\P{Cc}\t\n\r\f]|\p{Cs}/u

const filledLine = (maxLength: number) =>
  v.pipe(printableLine(maxLength), v.trim(), v.minLength(1, 'must not be empty'))

const newAgreement = v.strictObject({
  agreement_name: filledLine(300),
  agreement_link: v.pipe(
    printableLine(2000),
    v.check((value) => isHttpUrl(value), 'must be an http or https URL'),
  ),
  type: v.nullish(
    v.pipe(
      printableLine(60),
      v.regex(/^[A-Za-z][A-Za-z -]*$/, 'must contain only letters, hyphens and spaces'),
    ),
  ),
  text: v.nullish(
    v.pipe(
      v.string(),
      v.check((value) => isTextWithin(value, MAX_TEXT_BYTES), 'must be at most 1 MiB'),
      v.check((value) => !UNPRINTABLE_IN_LINES.test(value), 'must not contain control characters'),
    ),
  ),
  retrieved_at: v.nullish(
    v.pipe(
      printableLine(40),
      v.check((value) => isDay(value) || parseInstant(value) !== undefined, 'must be a timestamp'),
    ),
  ),
})

/** Body of `PUT /agreements`. The service checks which members are required together. */
export const newAgreementsSchema = v.strictObject({
  api_id: v.nullish(
    v.union([
      v.pipe(v.number(), v.integer(), v.minValue(1, 'must be at least 1')),
      printableLine(40),
    ]),
  ),
  api_name: v.nullish(filledLine(200)),
  vendor_name: v.nullish(filledLine(200)),
  agreements: boundedList(newAgreement, MAX_AGREEMENTS),
})

/** Converts an API and its agreements to a response; with all details if `isExtended`. */
export async function toAgreementsWire(
  api: Api,
  view: { readonly agreements: readonly Agreement[]; readonly isExtended: boolean },
) {
  return {
    api_name: api.name,
    description: api.description,
    agreements: view.isExtended
      ? await Promise.all(view.agreements.map(toExtendedWire))
      : view.agreements.map(toPlainWire),
  }
}

/** Converts statements, in order; with rule IDs if `isExtended`. */
export function toAssessmentWire(
  statements: readonly AssessedStatement[],
  { isExtended }: { readonly isExtended: boolean },
) {
  return statements.map(({ rule, category, classification, statement, evidence }) => ({
    ...(isExtended ? { rule } : {}),
    category,
    classification,
    statement,
    evidence: {
      source: evidence.source,
      quote: evidence.quote,
      link: evidence.link,
      date: toTimestamp(evidence.at),
    },
  }))
}

export async function toAgreementHistoryWire(
  api: Api,
  { page, request }: { readonly page: Page<AgreementChange>; readonly request: PageRequest },
) {
  return {
    ...toPageEnvelope(page.total, request),
    api_name: api.name,
    changes: await toChangesWire(page.items),
  }
}

export async function toChangesWire(changes: readonly AgreementChange[]) {
  return Promise.all(
    changes.map(async ({ change, source, at, before, after }) => ({
      change,
      source,
      changed_at: toTimestamp(at),
      before: before ? { ...(await toStateWire(before)), ...toTextWire(before) } : null,
      after: after ? { ...(await toStateWire(after)), ...toTextWire(after) } : null,
    })),
  )
}

export function toAddedApiWire(api: Api) {
  return {
    'API Name': api.name,
    Description: api.description,
    'API ID': api.isDescribed ? api.encryptedId : null,
    'Category Name': getCategory(api.categoryId)?.name ?? '',
    'Vendor Name': api.vendor.name,
    'Datetime Created': toUnpaddedDay(api.createdAt),
  }
}

function toPlainWire({ name, link }: Agreement) {
  return { agreement_name: name, agreement_link: link }
}

async function toExtendedWire(agreement: Agreement) {
  const { source, firstSeenAt, changedAt, text } = agreement
  const retrievedAt = text?.retrievedAt
  return {
    ...(await toStateWire(agreement)),
    source,
    first_seen: toTimestamp(firstSeenAt),
    last_changed: toTimestamp(changedAt),
    text_digest: text?.digest ?? '',
    text_bytes: text?.size ?? 0,
    text_retrieved: retrievedAt === undefined ? null : toTimestamp(retrievedAt),
  }
}

async function toStateWire(agreement: Parameters<typeof toAgreementDigest>[0]) {
  const { name, link, kind, spdxId } = agreement
  return {
    agreement_name: name,
    agreement_link: link,
    type: kind,
    spdx_id: spdxId,
    digest: await toAgreementDigest(agreement),
  }
}

function toTextWire({ text }: Pick<Agreement, 'text'>) {
  return { text_digest: text?.digest ?? '' }
}

/**
 * Hex SHA-256 of the content of an agreement: the JSON array of kind, name, link, SPDX ID and text
 * digest (empty without a text). A different digest means that the agreement has changed.
 */
function toAgreementDigest(agreement: NewAgreement): Promise<string> {
  const { kind, name, link, spdxId, text } = agreement
  return toSha256Hex(JSON.stringify([kind, name, link, spdxId, text?.digest ?? '']))
}
