import { existsSync } from 'node:fs'
import type { Api, Endpoint } from '../../core/catalogue/index.ts'
import { CommandError, UsageError } from './errors.ts'
import { formatTable, type Io, toPrintable } from './io.ts'
import type { OpenService } from './service.ts'

/** Maximum number of candidates listed for an ambiguous name. */
const MAX_CANDIDATES = 20

/** An API of the catalogue, or one of its endpoints. */
export interface CatalogueEntry {
  readonly api: Api
  /** Undefined unless the name is an endpoint ID. */
  readonly endpoint?: Endpoint
}

/** Finds one API as `findCatalogueEntry` does; an endpoint ID selects the API of the endpoint. */
export async function findApi(context: LookupContext, request: LookupRequest): Promise<Api> {
  return (await findCatalogueEntry(context, request)).api
}

/**
 * Finds one API by its ID, its name or `vendor/name`, or an endpoint by its ID. If several APIs have
 * the name, lists them and throws a `UsageError`. Throws a `CommandError` if nothing has it.
 */
export async function findCatalogueEntry(
  { io, service }: LookupContext,
  { name, verb }: LookupRequest,
): Promise<CatalogueEntry> {
  const apis = await findApis(service, name)
  const [api] = apis
  if (!api) {
    const entry = await findEndpoint(service, name)
    if (entry) return entry
    const isFolder = verb === 'assess' && existsSync(name)
    const hint = isFolder ? `. For the folder, use ./${name}` : ''
    throw new CommandError(
      toPrintable(
        `API "${name}" not found. Use an ID, a name or VENDOR/NAME from: api-discovery search${hint}`,
      ),
    )
  }
  if (apis.length === 1) return { api }
  io.note(
    formatTable(
      ['ID', 'API', 'VERSION', 'VENDOR'],
      apis
        .slice(0, MAX_CANDIDATES)
        .map((each) => [String(each.id), each.name, each.version || '-', each.vendor.name]),
    ),
  )
  throw new UsageError(
    toPrintable(`Cannot ${verb} "${name}": ${apis.length} APIs have this name; use an ID`),
  )
}

async function findApis({ app, storage }: OpenService, name: string): Promise<readonly Api[]> {
  const { catalogue } = storage
  const found = await app.agreements.findApis(name)
  if (found.length > 0) return found
  const ofVendors: Api[] = []
  for (const { index } of name.matchAll(/\//g)) {
    const vendorName = name.slice(0, index).trim()
    const apiName = name.slice(index + 1).trim()
    if (vendorName === '' || apiName === '') continue
    ofVendors.push(...(await catalogue.findApisByName({ apiName, vendorName })))
  }
  return ofVendors
}

async function findEndpoint(
  { storage }: OpenService,
  id: string,
): Promise<CatalogueEntry | undefined> {
  const endpoint = await storage.catalogue.findEndpoint(id)
  const api = endpoint && (await storage.catalogue.findApi(String(endpoint.apiId)))
  return api && { api, endpoint }
}

interface LookupContext {
  readonly io: Io
  readonly service: OpenService
}

interface LookupRequest {
  readonly name: string
  readonly verb: string
}
