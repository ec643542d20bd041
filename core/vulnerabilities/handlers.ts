import { createNotFoundError, type ServiceError } from '../errors.ts'
import type { Handlers } from '../http/operation.ts'
import type { Clock } from '../ports/clock.ts'
import { mapBatches } from '../shared/batches.ts'
import { JsonText } from '../shared/json-text.ts'
import { toProductLines, toRecordProducts } from './affected-products.ts'
import type { vulnerabilityOperations } from './operations.ts'
import type { ScheduledSyncs } from './schedule/scheduled-syncs.ts'
import type { CveQuery } from './search/query.ts'
import type { SearchBody } from './search-body.ts'
import type { VulnerabilityReads } from './service.ts'
import { toStoredRecord } from './stored-record.ts'
import { toCompleteRecordWire, toExtendedWire, toHitWire, toStatusWire } from './to-wire.ts'

/** Creates the handlers of the vulnerability database (Specification 4.7 to 4.10). */
export function createVulnerabilityHandlers(deps: {
  readonly vulnerabilities: VulnerabilityReads
  readonly syncs: Pick<ScheduledSyncs, 'status'>
  readonly clock: Clock
}): Handlers<typeof vulnerabilityOperations> {
  const { vulnerabilities, syncs, clock } = deps

  return {
    searchVulnerabilities: async ({ body }) => {
      const found = await vulnerabilities.search(toCveQuery(body))
      return {
        head: {
          num_results: String(found.count),
          processed_search_term: found.processedTerm,
          search_term: body.search_term,
        },
        rows: mapBatches(found.hits, toHitWire),
        tail: (bytes) => ({ 'Content-Length': bytes }),
      }
    },

    listCveVendors: async () => new JsonText(`{"vendors":${await vulnerabilities.listVendors()}}`),

    listCveProducts: async ({ vendor }) => ({
      products: [...(await vulnerabilities.listProducts(vendor))],
    }),

    listProductsOfCve: async ({ cve_id: id }) => {
      const products = await vulnerabilities.listProductsOfCve(id)
      if (!products) throw createCveNotFoundError(id)
      return { associated_products: [...products] }
    },

    getCve: async ({ cve_id: id }) => {
      const found = await vulnerabilities.findRecord(id)
      if (!found) throw createCveNotFoundError(id)
      const products = toRecordProducts(found.record)
      const row = JSON.parse(toStoredRecord(found.record, products).line)
      return {
        ...row,
        ...toExtendedWire(found, row),
        ...toCompleteRecordWire(found),
        associated_products: [...toProductLines(products.listed)],
      }
    },

    getVulnerabilityStatus: async () =>
      toStatusWire(await vulnerabilities.status(), { sync: await syncs.status(), now: clock() }),
  }
}

/** Page size if only `page` is set. */
const DEFAULT_PAGE_SIZE = 100

function toCveQuery(body: SearchBody): CveQuery {
  const isPaged = body.page !== undefined || body.size !== undefined
  return {
    term: body.search_term,
    filters: {
      cvss2: body.cvssv2_filter,
      cvss3: body.cvssv3_filter,
      cvss4: body.cvssv4_filter,
      score: body.cvss_filter,
      severities: body.severity,
      year: body.year_published,
      epss: body.epss_filter,
      epssPercentile: body.epss_percentile_filter,
      published: body.published_filter,
      modified: body.modified_filter,
      exploitedSince: body.kev_added_filter,
      isExploited: body.kev || undefined,
      isRansomware: body.kev_ransomware || undefined,
      cweId: body.cwe_id,
      vendor: body.vendor,
      product: body.product,
      version: body.version,
      vector: body.cvss_vector,
      referenceHost: body.reference_host,
      referenceTag: body.reference_tag,
      purl: body.purl,
      exploitation: body.ssvc_exploitation,
    },
    includesRejected: body.include_rejected,
    isExtended: body.extended,
    page: isPaged ? { page: body.page ?? 1, size: body.size ?? DEFAULT_PAGE_SIZE } : undefined,
  }
}

function createCveNotFoundError(id: string): ServiceError {
  return createNotFoundError('CVE record', id.toUpperCase())
}
