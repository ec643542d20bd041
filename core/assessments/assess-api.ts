import type { Api, Endpoint, Parameter } from '../catalogue/records.ts'
import type { Account } from '../shared/account.ts'
import { toSpdxId } from '../shared/spdx.ts'
import { runInTimeSlices } from '../shared/time-slices.ts'
import { assessFacts } from './assess-facts.ts'
import type {
  AgreementFact,
  AssessmentFacts,
  EndpointFacts,
  KeyParameterFact,
  LicenceFact,
  RateLimitFact,
  RecordedFact,
  Sentence,
  VulnerabilityFacts,
} from './records.ts'
import { ASSESSMENT_RULES } from './rules.ts'
import { MAX_TEXT, splitSentences } from './sentences.ts'
import type { Assessment, AssessmentDeps } from './service.ts'

/** Collects the facts of an API and evaluates the rules. */
export async function assessApi(
  deps: AssessmentDeps,
  request: { readonly api: Api; readonly account: Account },
): Promise<Assessment> {
  const facts = await collectFacts(deps, request)
  const statements = await runInTimeSlices(assessFacts(facts, deps.rules ?? ASSESSMENT_RULES))
  return { facts, statements }
}

/** Limits: endpoints read per API, recordings and test runs per account, CVEs per vendor. */
const MAX_ENDPOINTS = 50
const MAX_RECORDINGS = 100
const MAX_RUNS = 50
const MAX_FOUND = 100
const MAX_SEVERE = 20
/** Scores from here on are `critical` in CVSS 3 and 4. */
const CRITICAL = 9
const MAX_SENTENCES = 50_000

/** Collects the facts for the rules, with a limit on everything that may be large. */
async function collectFacts(
  deps: AssessmentDeps,
  { api, account }: { readonly api: Api; readonly account: Account },
): Promise<AssessmentFacts> {
  const agreements = await collectAgreements(deps, api)
  return {
    api,
    now: deps.clock(),
    importedAt: (await deps.imports.findImportedAt(api.id)) ?? api.updatedAt,
    agreements,
    licences: toLicences(api, agreements),
    sentences: await runInTimeSlices(
      collectSentences({ api, agreements, texts: await deps.agreements.listTexts(api.id) }),
    ),
    endpoints: await collectEndpoints(deps, api),
    vulnerabilities: await collectVulnerabilities(deps, api),
    rateLimitTest: await findRateLimitFact(deps, { account, api }),
    recorded: await findRecordedFact(deps, { account, api }),
  }
}

async function collectAgreements(
  { agreements, catalogue }: AssessmentDeps,
  api: Api,
): Promise<readonly AgreementFact[]> {
  const own = await agreements.listAgreements(api.id)
  const vendors = await catalogue.listVendorAgreements(api.vendor.id)
  return [
    ...own.map(({ name, link, kind, spdxId, text, changedAt }) => {
      return { name, link, kind, spdxId, text, at: text?.retrievedAt ?? changedAt }
    }),
    ...vendors
      .filter(({ link, kind }) => !own.some((one) => one.link === link && one.kind === kind))
      .map(({ name, link, kind }) => {
        const spdxId = kind === 'InterfaceLicense' ? toSpdxId({ name, link }) : ''
        const at = api.vendor.createdAt
        return { name: `${name} (vendor)`, link, kind, spdxId, text: undefined, at }
      }),
  ]
}

function toLicences(api: Api, agreements: readonly AgreementFact[]): readonly LicenceFact[] {
  const licences: LicenceFact[] = agreements
    .filter(({ kind }) => kind === 'InterfaceLicense')
    .map(({ name, link, spdxId, at }) => ({ name, url: link, spdxId, at }))
  for (const { name, url } of api.licenses) {
    const spdxId = toSpdxId({ name, link: url })
    const isKnown = licences.some(
      (known) => known.name === name || (spdxId !== '' && known.spdxId === spdxId),
    )
    if (!isKnown) licences.push({ name, url, spdxId, at: api.updatedAt })
  }
  return licences
}

function* collectSentences(input: {
  readonly api: Api
  readonly agreements: readonly AgreementFact[]
  readonly texts: ReadonlyMap<string, string>
}): Generator<undefined, readonly Sentence[], undefined> {
  const { api, agreements, texts } = input
  const sentences: Sentence[] = []
  let left = MAX_TEXT
  const sources = [
    ...agreements.flatMap(({ name, link, kind, text, at }) => {
      const full = text && texts.get(text.digest)
      return full === undefined ? [] : [{ full, kind, of: { source: name, link, at } }]
    }),
    {
      full: api.description,
      kind: 'description',
      of: { source: 'description', link: '', at: api.updatedAt },
    },
  ]
  for (const { full, kind, of } of sources) {
    const text = full.slice(0, left)
    left -= text.length
    for (const sentence of splitSentences(text, { kind, of })) {
      if (sentences.length >= MAX_SENTENCES) return sentences
      sentences.push(sentence)
      if (sentences.length % 100 === 0) yield
    }
  }
  return sentences
}

async function collectEndpoints(
  { catalogue }: AssessmentDeps,
  { id: apiId }: Api,
): Promise<EndpointFacts> {
  const outbound = { apiId, isInbound: false }
  const page = await catalogue.listEndpointPage(outbound, { page: 1, size: MAX_ENDPOINTS })
  const deprecated = await catalogue.listEndpointPage(
    { ...outbound, isDeprecated: true },
    { page: 1, size: 3 },
  )
  const read = page.items
  const unsecured = read.filter(isUnsecured)
  const open = unsecured.filter(({ authTypes }) => authTypes.includes('none'))
  const named = (test: (endpoint: Endpoint) => boolean) => read.filter(test).map(formatEndpoint)
  const limits = read.flatMap(({ rateLimits }) => (rateLimits?.limits ?? []).map(formatLimit))
  return {
    count: page.total,
    deprecated: deprecated.total,
    deprecatedNames: deprecated.items.map(formatEndpoint),
    read: read.length,
    undescribed: named(({ description }) => description.trim() === ''),
    answered: named(
      ({ response }) => response?.example !== undefined || response?.schema !== undefined,
    ),
    open: open.filter(({ parameters }) => !findKeyParameter(parameters)).map(formatEndpoint),
    undeclaredKeys: unsecured.flatMap((endpoint) => {
      const key = findKeyParameter(endpoint.parameters)
      return key ? [{ endpoint: formatEndpoint(endpoint), ...key }] : []
    }),
    limits: [...new Set(limits)],
    limited: named(
      ({ declaredStatuses, rateLimits }) =>
        declaredStatuses.includes('429') || (rateLimits?.headers.length ?? 0) > 0,
    ),
  }
}

/** Mutual TLS has no auth type of its own and appears as `none`, although it is a requirement. */
function isUnsecured({ authTypes, security }: Endpoint): boolean {
  const isCallable = authTypes.includes('none') || authTypes.includes('undeclared')
  return isCallable && (security.length === 0 || security.some(isEmptyRequirement))
}

function isEmptyRequirement({ length }: { readonly length: number }): boolean {
  return length === 0
}

function formatEndpoint({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`.slice(0, 200)
}

function formatLimit({
  calls,
  windowMs,
  source,
}: {
  readonly calls: number
  readonly windowMs?: number
  readonly source: string
}): string {
  const window = windowMs === undefined ? '' : ` in ${windowMs / 1000} s`
  return `${calls} ${calls === 1 ? 'call' : 'calls'}${window} (${source})`
}

async function collectVulnerabilities(
  { findVulnerabilities }: AssessmentDeps,
  { name, vendor }: Api,
): Promise<VulnerabilityFacts> {
  const api = { name, vendorName: vendor.name }
  const all = await findVulnerabilities({ api, limit: MAX_FOUND })
  const severe = await findVulnerabilities({ api, limit: MAX_SEVERE, minScore: CRITICAL })
  const ids = new Set(all.found.map(({ id }) => id))
  const found = [...all.found, ...severe.found.filter(({ id }) => !ids.has(id))]
  return {
    count: all.count,
    exploited: all.exploited,
    critical: severe.count,
    found: found.map(({ id, description, publishedAt, isExploited, metric }) => {
      const isCritical =
        metric !== undefined && metric.version !== '2.0' && metric.score >= CRITICAL
      return { id, description, publishedAt, isExploited, score: metric?.score, isCritical }
    }),
  }
}

async function findRateLimitFact(
  { catalogue, rateLimits }: AssessmentDeps,
  { account, api }: { readonly account: Account; readonly api: Api },
): Promise<RateLimitFact | undefined> {
  const { items } = await rateLimits.list(account, { page: 1, size: MAX_RUNS })
  const others = new Set<string>()
  for (const { endpoint, verdict, id } of items) {
    if (verdict === undefined || others.has(endpoint)) continue
    if ((await catalogue.findEndpoint(endpoint))?.apiId !== api.id) {
      others.add(endpoint)
      continue
    }
    const { result } = await rateLimits.result(account, { endpointId: endpoint, run: id })
    if (result)
      return { verdict: result.verdict.verdict, text: result.verdict.text, at: result.endedAt }
  }
  return undefined
}

async function findRecordedFact(
  { catalogue, gateway }: AssessmentDeps,
  { account, api }: { readonly account: Account; readonly api: Api },
): Promise<RecordedFact | undefined> {
  const { items } = await gateway.listRecordings(account, { page: 1, size: MAX_RECORDINGS })
  const newest = items.find(({ apiId }) => apiId === api.id)
  if (!newest) return
  const { endpoint, status, headers, recordedAt } = newest
  const called = await catalogue.findEndpoint(endpoint)
  return {
    endpoint,
    status,
    isHttps: called !== undefined && usesHttps(called),
    headers: headers.map(([name, value]) => [name.toLowerCase(), value] as const),
    at: recordedAt,
  }
}

/**
 * True if the endpoint surely uses https. Relative servers inherit the scheme of the endpoint's
 * URL.
 */
function usesHttps({ url, servers }: Pick<Endpoint, 'url' | 'servers'>): boolean {
  return /^https:/i.test(url) && servers.every((server) => /^(?:https:|\/(?!\/))/i.test(server.url))
}

/**
 * Names of parameters that are certainly an API key; the keyword is at the end, as in
 * `X-ListenAPI-Key`.
 */
const CERTAIN_KEY_NAME =
  /(?:^|[-_.])(?:api|app|application|access|auth|developer|subscription|consumer|client)[-_.]?(?:key|token|secret)$|api[-_.]?key$|^(?:proxy-)?authorization$|^(?:x[-_])?(?:jwt|bearer)$/i

/** Names that may denote a key or something else: the description decides. */
const LIKELY_KEY_NAME =
  /^(?:x[-_])?(?:key|token|app[-_]?id|api[-_]?id|user[-_]?key|auth)$|api[-_]id$/i

const KEY_DESCRIPTION =
  /\b(?:api|access|app|application|auth|developer|registered|personal|your|account)[ -](?:key|token|id)\b|\bauthenticat/i

/** Longer names and later parts of the description are ignored. */
const MAX_PARAMETER_NAME = 60
const MAX_DESCRIPTION = 300

/**
 * Finds the parameter of an endpoint that is clearly an API key, although the description declares
 * no security requirement for it. Returns undefined if there is none.
 */
function findKeyParameter(
  parameters: Endpoint['parameters'],
): Omit<KeyParameterFact, 'endpoint'> | undefined {
  const found = parameters.find(isKeyParameter)
  if (!found) return
  const { name, placement, isRequired } = found
  return { name, placement, isRequired }
}

function isKeyParameter({ name, placement, description }: Parameter): boolean {
  // A path parameter names a resource, and a body parameter is payload.
  if (placement === 'path' || placement === 'body' || name.length > MAX_PARAMETER_NAME) return false
  return (
    CERTAIN_KEY_NAME.test(name) ||
    (LIKELY_KEY_NAME.test(name) && KEY_DESCRIPTION.test(description.slice(0, MAX_DESCRIPTION)))
  )
}
