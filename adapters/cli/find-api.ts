import { existsSync } from 'node:fs'
import type { Api } from '../../core/index.ts'
import { CommandError, UsageError } from './errors.ts'
import { formatTable, type Io, toPrintable } from './io.ts'
import type { OpenService } from './service.ts'

/** Maximum number of candidates listed for an ambiguous name. */
const MAX_CANDIDATES = 20

/**
 * Finds one API by its ID, its name, `vendor/name` or the ID of one of its endpoints. If several
 * APIs have the name, lists them and throws a `UsageError`. Throws a `CommandError` if none has it.
 */
export async function findApi(
  { io, service }: { readonly io: Io; readonly service: OpenService },
  { name, verb }: { readonly name: string; readonly verb: string },
): Promise<Api> {
  const apis = await findApis(service, name)
  const [api] = apis
  if (!api) {
    const isFolder = verb === 'assess' && existsSync(name)
    const hint = isFolder ? `. For the folder, use ./${name}` : ''
    throw new CommandError(
      toPrintable(
        `API "${name}" not found. Use an ID, a name or VENDOR/NAME from: api-discovery search${hint}`,
      ),
    )
  }
  if (apis.length === 1) return api
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
  if (ofVendors.length > 0) return ofVendors
  const api = await catalogue.findApiOfEndpoint(name)
  return api ? [api] : []
}
