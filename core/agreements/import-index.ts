import type { Api } from '../catalogue/records.ts'
import type { Matcher } from '../matching/matcher.ts'
import type { Account } from '../shared/account.ts'
import { foldVendorName } from '../vendors/known-vendors.ts'
import { enterAgreements } from './enter-agreements.ts'
import { MAX_AGREEMENTS } from './limits.ts'
import type { AgreementDeps, AgreementEntry, IndexedApi, IndexedOutcome } from './service.ts'

/**
 * Imports the agreements of indexed APIs that are catalogued. Reports the outcome for each indexed
 * API, also if it is not catalogued.
 */
export async function importIndexedApis(
  deps: AgreementDeps,
  request: { readonly indexed: readonly IndexedApi[]; readonly by: Account },
): Promise<readonly IndexedOutcome[]> {
  const { by } = request
  // Load it once: each entry creates a new generation of the catalogue.
  const matcher = await deps.currentMatcher()
  const outcomes: IndexedOutcome[] = []
  /**
   * Several indexed APIs may match one catalogued API: it receives the agreements of all of them.
   */
  const entriesByApi = new Map<number, readonly AgreementEntry[]>()
  for (const indexed of request.indexed) {
    const apis =
      indexed.agreements.length === 0 ? [] : await findIndexedApis(deps, { indexed, matcher })
    for (const { id } of apis)
      entriesByApi.set(id, mergeEntries(entriesByApi.get(id) ?? [], indexed.agreements))
    outcomes.push({
      name: indexed.name,
      apis: apis.map(({ encryptedId, name }) => ({ apiId: encryptedId, apiName: name })),
      agreements: indexed.agreements.length,
    })
  }
  for (const [id, agreements] of entriesByApi) {
    await enterAgreements(deps, {
      target: { apiId: String(id) },
      agreements: agreements.slice(0, MAX_AGREEMENTS),
      by,
      mode: 'kinds',
    })
  }
  return outcomes
}

/**
 * Finds the catalogued APIs of an indexed API, with decreasing precision: by name and vendor (all
 * major versions), by name and host, by the server of a base URL. If the index contains only a
 * name, a unique API of that name is used.
 */
async function findIndexedApis(
  { catalogue }: AgreementDeps,
  lookup: { readonly indexed: IndexedApi; readonly matcher: Matcher },
): Promise<readonly Api[]> {
  const { name, provider, baseUrls, urls } = lookup.indexed
  const named = name === '' ? [] : await catalogue.findApisByName({ apiName: name })
  const ofVendor = named.filter(
    ({ vendor }) => foldVendorName(vendor.name) === foldVendorName(provider),
  )
  if (ofVendor.length > 0) return ofVendor
  const hosts = new Set(
    [...baseUrls, ...urls].map(parseHostWithoutWww).filter((host) => host !== ''),
  )
  const atHost = named.filter((api) => listApiHosts(api).some((host) => hosts.has(host)))
  if (atHost.length > 0) return atHost
  for (const url of baseUrls) {
    const id = lookup.matcher.match({ url })?.apiId
    if (id !== undefined) return catalogue.findApis([id])
  }
  return provider === '' && hosts.size === 0 && named.length === 1 ? named : []
}

function listApiHosts({ servers, homepage, vendor }: Api): readonly string[] {
  return [...servers.map(({ url }) => url), homepage, vendor.homepage].map(parseHostWithoutWww)
}

/** Returns the host without `www.`; empty if the URL is not absolute. */
function parseHostWithoutWww(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return ''
  return new URL(url).hostname.replace(/^www\./, '')
}

function mergeEntries(
  former: readonly AgreementEntry[],
  added: readonly AgreementEntry[],
): readonly AgreementEntry[] {
  const keys = new Set(former.map(toEntryKey))
  return [...former, ...added.filter((entry) => !keys.has(toEntryKey(entry)))]
}

function toEntryKey({ type, link }: AgreementEntry): string {
  return `${type} ${link}`
}
