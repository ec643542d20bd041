import { ServiceError } from '../errors.ts'
import { writeDocument } from '../shared/json-document.ts'
import type { BomShape } from './bom-shapes.ts'
import {
  type CollectedBom,
  collectBom,
  type FindPackageVulnerabilities,
  type FindVulnerabilities,
} from './collect-bom.ts'
import type { Bom } from './model.ts'
import { toSpecificationShape } from './wire.ts'

/** Options for rendering a BOM. */
export interface RenderOptions {
  readonly shape: BomShape
  /** The producing program. */
  readonly tool: CollectedBom['tool']
  /** If absent, the document lists no vulnerabilities. */
  readonly findVulnerabilities?: FindVulnerabilities | undefined
  /** If absent, the document lists no vulnerabilities of packages. */
  readonly findPackageVulnerabilities?: FindPackageVulnerabilities | undefined
}

/**
 * Writes a BOM in a format, in chunks of UTF-8. The specification's format is streamed with one
 * service in memory at a time. CycloneDX needs the whole BOM in memory, and throws a `ServiceError`
 * with code `too_large` if it has too many services.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { renderBom } from 'api-discovery/boms'
 *
 * const shape = { format: 'cyclonedx-json', version: '1.6' } as const
 * const tool = { name: 'storefront-ci', version: '1.0.0' }
 * await writeFile('bom.json', await renderBom(bom, { shape, tool }))
 * ```
 */
export async function renderBom(
  bom: Bom,
  options: RenderOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const { format, version } = options.shape
  if (format === 'specification') return writeDocument(toSpecificationShape(bom))
  return renderCollected(await collectBom(bom, options), { format, version })
}

/**
 * Writes several BOMs as an array in the specification's format. CycloneDX does not support that:
 * throws a `ServiceError` with code `ambiguous_selection`.
 *
 * @example
 * ```ts
 * import { readFile, writeFile } from 'node:fs/promises'
 * import { readBom, renderBoms } from 'api-discovery/boms'
 *
 * const { boms } = readBom(await readFile('boms.json', 'utf8'))
 * const shape = { format: 'specification', version: '1.5' } as const
 * const tool = { name: 'storefront-ci', version: '1.0.0' }
 * await writeFile('copy.json', await renderBoms(boms, { shape, tool }))
 * ```
 */
export async function renderBoms(
  boms: readonly Bom[],
  options: RenderOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const [only] = boms
  if (only && boms.length === 1) return renderBom(only, options)
  if (options.shape.format === 'specification') return writeDocument(boms.map(toSpecificationShape))
  throw new ServiceError(
    'ambiguous_selection',
    `Cannot write one CycloneDX document: there are ${boms.length} BOMs`,
  )
}

/** Renders a BOM that is in memory. */
async function renderCollected(
  bom: CollectedBom,
  { format, version }: BomShape,
): Promise<AsyncIterable<Uint8Array>> {
  // Imported lazily: the library is slow to load, and few requests need CycloneDX.
  const { renderJson, renderXml } = await import('./cyclonedx/render.ts')
  return format === 'cyclonedx-xml' ? renderXml(bom, version) : renderJson(bom, version)
}
