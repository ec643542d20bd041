import * as v from 'valibot'
import { isUnresolved } from '../../code-scanner/find/unresolved-calls.ts'
import { hostOf } from '../../code-scanner/noise/url-hosts.ts'
import { toEndpointUrl } from '../../matching/endpoint-url.ts'
import { fromUriReference } from '../../shared/clean-text.ts'
import { describeIssue } from '../../shared/issue-text.ts'
import { APPROVALS, type Approval } from '../records.ts'
import { withoutBases } from './bases.ts'
import { toStrictest, type UsageDecision } from './decisions.ts'
import { parseScanJson, toInvalidScan } from './invalid-scan.ts'

/** One URL that a stored document says a project uses. */
export interface StoredUsage {
  /** As `toEndpointUrl` writes it, whatever the document. */
  readonly url: string
  /** Lower case; empty where it was not known; undefined where the document tells no methods. */
  readonly method: string | undefined
  readonly host: string
  /** Undefined where no catalogued API has it, and where the document does not tell. */
  readonly apiName: string | undefined
  readonly vendorName: string | undefined
  /** Undefined where the document does not tell. */
  readonly approval: Approval | undefined
  readonly reason: string
  /** Distinct, sorted; undefined where the document does not tell. */
  readonly files: readonly string[] | undefined
}

const serviceSchema = v.object({
  name: v.fallback(v.string(), ''),
  provider: v.fallback(v.object({ name: v.fallback(v.string(), '') }), { name: '' }),
  endpoints: v.fallback(v.array(v.string()), []),
  properties: v.fallback(
    v.array(v.object({ name: v.fallback(v.string(), ''), value: v.fallback(v.string(), '') })),
    [],
  ),
})

/** What properties tell of a URL with a method. */
interface Told {
  approval: Approval | undefined
  readonly files: Set<string>
}

type ByMethod = Map<string | undefined, Told>

/**
 * Reads what a former scan left: what `--json` prints, a review file (`toReviewFile`), or a bill of
 * materials of a project in JSON. One use for each URL and method. Throws a `ServiceError` with code
 * `invalid_input` that says what is wrong.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { readStoredUsages } from 'api-discovery/scans'
 *
 * const usages = readStoredUsages(await readFile('api-review.json', 'utf8'))
 * for (const { url, approval } of usages) console.log(url, approval)
 * ```
 */
export function readStoredUsages(text: string): readonly StoredUsage[] {
  const value = parseScanJson(text)
  for (const { schema, read } of KINDS) {
    const { success, output, issues } = v.safeParse(schema, value)
    if (success) return joinUses(read(output))
    const [issue] = issues
    // The member that names the kind is there: what else is wrong is worth telling.
    if ((issue.path?.length ?? 0) > 1) throw toInvalidScan(describeIssue(issue, 'it'))
  }
  throw toInvalidScan(
    'it must be the JSON of "scan project", a review file, or the BOM of a project',
  )
}

/**
 * The decisions of a stored document.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { joinDecisions, readStoredUsages, toUsageDecisions } from 'api-discovery/scans'
 *
 * const usages = readStoredUsages(await readFile('api-review.json', 'utf8'))
 * const decide = joinDecisions([toUsageDecisions(usages)])
 * ```
 */
export function toUsageDecisions(uses: readonly StoredUsage[]): readonly UsageDecision[] {
  return uses.flatMap(({ url, method, approval, reason }) =>
    approval === undefined ? [] : [{ url, method, approval, reason }],
  )
}

/** Joins decisions on one usage to the strictest; undefined if the document has none. */
export function toJointDecision(
  uses: readonly StoredUsage[],
): Pick<StoredUsage, 'approval' | 'reason'> {
  const decided = toUsageDecisions(uses)
  return decided.length === 0 ? { approval: undefined, reason: '' } : toStrictest(decided)
}

const text = v.string()
const optionalText = v.optional(v.string())

const findingsSchema = v.object({
  findings: v.array(
    v.object({
      file: text,
      url: text,
      endpoint_url: optionalText,
      method: optionalText,
      via: optionalText,
      api_name: optionalText,
      vendor_name: optionalText,
    }),
  ),
})

const reviewSchema = v.object({
  endpoints: v.array(
    v.object({
      endpoint_url: text,
      endpoint_method: v.nullish(text),
      api_name: v.nullish(text),
      vendor_name: v.nullish(text),
      approval: v.optional(v.picklist(APPROVALS)),
      reason: v.nullish(text),
    }),
  ),
})

/** A vendor without an API, as of a host, is not told by every kind of document. */
function toNames(names: {
  readonly api_name?: string | null | undefined
  readonly vendor_name?: string | null | undefined
}): Pick<StoredUsage, 'apiName' | 'vendorName'> {
  const { api_name: apiName, vendor_name: vendorName } = names
  if (apiName === undefined || apiName === null)
    return { apiName: undefined, vendorName: undefined }
  return { apiName, vendorName: vendorName ?? '' }
}

/** How a kind of document is known and read. */
interface Kind {
  readonly schema: v.GenericSchema
  read(value: unknown): readonly StoredUsage[]
}

function toKind<Output>(
  schema: v.GenericSchema<unknown, Output>,
  read: (value: Output) => readonly StoredUsage[],
): Kind {
  // What is read has passed its own schema.
  return { schema, read: (value) => read(value as Output) }
}

const KINDS: readonly Kind[] = [
  toKind(findingsSchema, ({ findings }) =>
    withoutBases(
      findings
        .filter(({ url }) => !isUnresolved(url))
        .map((one) => ({ ...one, endpointUrl: toEndpointUrl(one.endpoint_url ?? one.url) })),
    ).map(({ file, endpointUrl: url, method, api_name, vendor_name }) => ({
      url,
      method: (method ?? '').toLowerCase(),
      host: hostOf(url) ?? '',
      ...toNames({ api_name, vendor_name }),
      approval: undefined,
      reason: '',
      files: [file],
    })),
  ),
  toKind(reviewSchema, ({ endpoints }) =>
    endpoints.map(({ endpoint_url, endpoint_method: method, approval, reason, ...names }) => {
      const url = toEndpointUrl(endpoint_url)
      return {
        url,
        method: method?.toLowerCase(),
        host: hostOf(url) ?? '',
        ...toNames(names),
        approval: approval ?? 'unreviewed',
        reason: reason ?? '',
        files: undefined,
      }
    }),
  ),
  toKind(v.looseObject({ services: v.array(v.unknown()) }), readBomUses),
  // A bill of nothing.
  toKind(
    v.object({ bomFormat: v.literal('CycloneDX'), services: v.optional(v.undefined()) }),
    () => [],
  ),
  toKind(v.object({ scan_details: v.looseObject({ services: v.array(v.unknown()) }) }), (bom) =>
    readBomUses(bom.scan_details),
  ),
]

function joinUses(uses: readonly StoredUsage[]): readonly StoredUsage[] {
  const known = new Map<string, StoredUsage>()
  const files = new Map<string, Set<string>>()
  for (const use of uses) {
    const key = `${use.method ?? '*'} ${use.url}`
    const before = known.get(key)
    known.set(key, before ? { ...before, ...toJointDecision([before, use]) } : use)
    const ofUse = files.get(key) ?? new Set()
    for (const file of use.files ?? []) ofUse.add(file)
    files.set(key, ofUse)
  }
  return [...known].map(([key, use]) => ({
    ...use,
    files: use.files === undefined ? undefined : [...(files.get(key) ?? [])].sort(),
  }))
}

/**
 * Reads the uses of the services of a bill of materials: of CycloneDX JSON with the methods that our
 * properties tell, of the specification's shape without methods.
 */
function readBomUses(bom: { readonly services: readonly unknown[] }): readonly StoredUsage[] {
  return bom.services.flatMap((each) => {
    const { success, output } = v.safeParse(serviceSchema, each)
    if (!success) return []
    const { name, provider, endpoints, properties } = output
    const told = readProperties(properties)
    return endpoints.flatMap((written): readonly StoredUsage[] => {
      const url = toEndpointUrl(fromUriReference(written))
      const host = hostOf(url) ?? ''
      const isMatched = name !== host
      const base = {
        url,
        host,
        apiName: isMatched ? name : undefined,
        vendorName: isMatched ? provider.name : undefined,
        reason: '',
      }
      const ofUrl = told.get(written) ?? new Map<string | undefined, Told>()
      if (ofUrl.size === 0) {
        return [{ ...base, method: undefined, approval: undefined, files: undefined }]
      }
      return [...ofUrl].map(([method, { approval, files }]) => ({
        ...base,
        method,
        approval,
        files: [...files],
      }))
    })
  })
}

/** By URL as it is written, then by method. */
function readProperties(
  properties: readonly { readonly name: string; readonly value: string }[],
): ReadonlyMap<string, ByMethod> {
  const told = new Map<string, ByMethod>()
  const find = (url: string, method: string | undefined): Told => {
    const ofUrl: ByMethod = told.get(url) ?? new Map()
    told.set(url, ofUrl)
    const known = ofUrl.get(method) ?? { approval: undefined, files: new Set<string>() }
    ofUrl.set(method, known)
    return known
  }
  for (const { name, value } of properties) {
    const simple = /^(\S+) (approval status|found in file)$/.exec(name)
    const strict = /^api-discovery:endpoint:(approval|found_in)$/.exec(name)
    if (simple?.[1] !== undefined) {
      const use = find(simple[1], undefined)
      if (simple[2] === 'found in file') use.files.add(value)
      else use.approval = toApproval(value)
    } else if (strict) {
      const [, method = '', url = '', rest = ''] = /^(\S+) (\S+) (.*)$/s.exec(value) ?? []
      if (url === '') continue
      const use = find(url, method === '-' ? '' : method.toLowerCase())
      if (strict[1] === 'approval') use.approval = toApproval(rest)
      else use.files.add(rest.replace(/(?::\d+){1,2}$/, ''))
    }
  }
  return told
}

function toApproval(text: string): Approval | undefined {
  return APPROVALS.find((approval) => approval === text)
}
