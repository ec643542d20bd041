import { createNotFoundError } from '../errors.ts'
import type { NetworkScan } from '../scans/records.ts'
import type { ScanReads } from '../scans/store.ts'
import type { Account } from '../shared/account.ts'
import { type BomShape, toContentType } from './bom-shapes.ts'
import { type BomSources, buildNetworkBom, buildProjectBom } from './build-bom.ts'
import type {
  CollectedBom,
  FindPackageVulnerabilities,
  FindVulnerabilities,
} from './collect-bom.ts'
import type { Bom } from './model.ts'
import { renderBom } from './render-bom.ts'

/** A rendered BOM. */
export interface WrittenBom {
  /** Value of the `Content-Type` header. */
  readonly mediaType: string
  readonly body: AsyncIterable<Uint8Array>
}

/** Writes BOMs of single scans, in chunks, independent of HTTP. */
export interface Boms {
  /** Throws `not_found`, and `too_large` for CycloneDX with too many services. */
  writeProject(
    account: Account,
    request: { readonly projectId: string; readonly shape: BomShape },
  ): Promise<WrittenBom>
  /** Writes the BOM of one scan of a repository. Throws as `writeProject` does. */
  writeNetwork(
    account: Account,
    request: { readonly instanceId: string; readonly shape: BomShape },
  ): Promise<WrittenBom>
}

export function createBoms(
  deps: BomSources & {
    readonly scans: Pick<ScanReads, 'findProjects'> & {
      /** Throws `not_found`. */
      getNetwork(account: Account, instanceId: string): Promise<NetworkScan>
    }
    readonly findVulnerabilities: FindVulnerabilities
    readonly findPackageVulnerabilities: FindPackageVulnerabilities
    /** The producing program, named in the documents. */
    readonly tool: CollectedBom['tool']
  },
): Boms {
  async function renderWithType(bom: Bom, shape: BomShape): Promise<WrittenBom> {
    const body = await renderBom(bom, { ...deps, shape })
    return { mediaType: toContentType(shape), body }
  }

  return {
    async writeProject(account, { projectId, shape }) {
      const [project] = await deps.scans.findProjects(account, { projectId, limit: 1 })
      if (!project) throw createNotFoundError('Scanned project', projectId)
      return renderWithType(buildProjectBom(deps, { account, project }), shape)
    },

    async writeNetwork(account, { instanceId, shape }) {
      const scan = await deps.scans.getNetwork(account, instanceId)
      return renderWithType(buildNetworkBom(deps, { account, instances: [scan] }), shape)
    },
  }
}
