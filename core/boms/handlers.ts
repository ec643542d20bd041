import type { CatalogueStore } from '../catalogue/store.ts'
import { createNotFoundError, ServiceError } from '../errors.ts'
import type { Context, Handlers } from '../http/operation.ts'
import type { NetworkScan, ProjectScan } from '../scans/records.ts'
import type { ScanReads } from '../scans/store.ts'
import { Rows, writeDocument } from '../shared/json-document.ts'
import { memoizeById, memoizeByIds } from '../shared/memoize.ts'
import {
  type BomShape,
  chooseShape,
  DEFAULT_VERSION,
  MEDIA_TYPES,
  toContentType,
} from './bom-shapes.ts'
import { type BomSources, buildNetworkBom, buildProjectBom } from './build-bom.ts'
import type {
  CollectedBom,
  FindPackageVulnerabilities,
  FindVulnerabilities,
} from './collect-bom.ts'
import type { Bom } from './model.ts'
import type { bomOperations } from './operations.ts'
import { BOM_FORMATS, type BomFormat, type SpecVersion } from './records.ts'
import { renderBom } from './render-bom.ts'
import { toSpecificationShape } from './wire.ts'

/** Dependencies of the BOM handlers. */
export interface BomDeps {
  readonly scans: Pick<ScanReads, 'findProjects' | 'findNetworks' | 'listEndpoints' | 'listFlows'>
  readonly catalogue: CatalogueStore
  readonly findVulnerabilities: FindVulnerabilities
  readonly findPackageVulnerabilities: FindPackageVulnerabilities
  /** The producing program, named in the documents. */
  readonly tool: CollectedBom['tool']
}

/** Creates the handlers of the BOM operations (Specification 4.16, 4.17). */
export function createBomHandlers(deps: BomDeps): Handlers<typeof bomOperations> {
  return {
    async getProjectBom(input, context) {
      const shape = resolveShape(input, context)
      const projects = await deps.scans.findProjects(context.account, {
        projectId: input.project_id || undefined,
        name: input.name || undefined,
        vendor: input.vendor || undefined,
        version: input.version || undefined,
        limit: input.num_projects,
      })
      const sources = createCachedSources(deps)
      const build = (project: ProjectScan) =>
        buildProjectBom(sources, { account: context.account, project })
      const { project_id: id } = input
      return writeResponse(deps, {
        shape,
        found: projects,
        build,
        requested: id ? { resource: 'Scanned project', id } : undefined,
        toId: (project) => project.id,
      })
    },

    async getNetworkBom(input, context) {
      const shape = resolveShape(input, context)
      const repositories = await deps.scans.findNetworks(context.account, {
        repoId: input.repo_id || undefined,
        projectName: input.project_name || undefined,
        networkName: input.network_name || undefined,
        repositories: input.num_projects,
        instances: input.num_instances,
      })
      const sources = createCachedSources(deps)
      const build = (instances: readonly NetworkScan[]) =>
        buildNetworkBom(sources, { account: context.account, instances })
      const { repo_id: id } = input
      const requested = id ? { resource: 'Repository', id } : undefined
      const toId = ([newest]: readonly NetworkScan[]) => newest?.repoId ?? ''
      return writeResponse(deps, { shape, found: repositories, build, requested, toId })
    },
  }
}

/** Caches the sources for one response: scans that use the same APIs read their agreements once. */
function createCachedSources({ scans, catalogue }: BomDeps): BomSources {
  const findApis = memoizeByIds(
    async (ids) => new Map((await catalogue.findApis(ids)).map((api) => [api.id, api])),
  )
  return {
    scans,
    catalogue: {
      findApis: async (ids) => {
        const found = await findApis(ids)
        return ids.flatMap((id) => found.get(id) ?? [])
      },
      findEndpointSummaries: (ids) => catalogue.findEndpointSummaries(ids),
      listAgreementsOf: memoizeByIds((ids) => catalogue.listAgreementsOf(ids)),
      listVendorAgreements: memoizeById((id) => catalogue.listVendorAgreements(id)),
    },
  }
}

/** Maximum number of IDs listed in a message. */
const MAX_LISTED_IDS = 10

interface BomSelection<Found> {
  readonly shape: BomShape
  readonly found: readonly Found[]
  readonly build: (found: Found) => Bom
  /** Undefined if no ID was requested. */
  readonly requested: { readonly resource: string; readonly id: string } | undefined
  toId(found: Found): string
}

async function writeResponse<Found>(deps: BomDeps, selection: BomSelection<Found>) {
  const { shape, found, build, requested, toId } = selection
  const [first] = found
  if (!first && requested) throw createNotFoundError(requested.resource, requested.id)
  const mediaType = toContentType(shape)
  if (shape.format === 'specification') {
    const bom = first && requested ? toSpecificationShape(build(first)) : toBomRows(selection)
    return { mediaType, body: writeDocument(bom) }
  }
  if (!first) {
    throw new ServiceError(
      'not_found',
      'Cannot write a CycloneDX document: no scan matches the request',
    )
  }
  if (found.length > 1) {
    throw new ServiceError(
      'ambiguous_selection',
      `Cannot write one CycloneDX document: ${found.length} scans match. Request one by its ID: ${found.slice(0, MAX_LISTED_IDS).map(toId).join(', ')}${found.length > MAX_LISTED_IDS ? ', …' : ''}`,
    )
  }
  return { mediaType, body: await renderBom(build(first), { ...deps, shape }) }
}

/** Writes the BOMs one after another, so that only one service is in memory at a time. */
function toBomRows<Found>({ found, build }: BomSelection<Found>): Rows {
  return new Rows(
    (async function* () {
      for (const each of found) yield [toSpecificationShape(build(each))]
    })(),
  )
}

function resolveShape(
  input: {
    readonly format: BomFormat | undefined
    readonly spec_version: SpecVersion | undefined
  },
  context: Pick<Context, 'accept'>,
): BomShape {
  const { format, spec_version: version } = input
  if (format) return { format, version: version ?? DEFAULT_VERSION }
  const accepted = chooseShape(context.accept)
  if (!accepted) {
    const types = BOM_FORMATS.map((name) => MEDIA_TYPES[name]).join(', ')
    throw new ServiceError(
      'not_acceptable',
      `Cannot respond with "${context.accept.slice(0, 100)}": supported types are ${types}, the last two with version=1.5, 1.6 or 1.7`,
    )
  }
  return version === undefined ? accepted : { ...accepted, version }
}
