import { ServiceError } from '../http/problems.ts'
import { writeDocument } from '../shared/json-document.ts'
import { type CollectedBom, collectBom, type FindVulnerabilities } from './collect.ts'
import type { BomShape } from './formats.ts'
import type { Bom } from './model.ts'
import { toSpecificationShape } from './wire.ts'

/** What a document needs beside the bill. */
export interface RenderOptions {
  readonly shape: BomShape
  /** Who makes it. */
  readonly tool: CollectedBom['tool']
  /** Without it, no vulnerabilities are named. */
  readonly findVulnerabilities?: FindVulnerabilities | undefined
}

/**
 * Writes a bill of materials in a shape, in chunks of UTF-8. The specification's is streamed with
 * one service in memory at a time; CycloneDX is made as a whole, and throws a `ServiceError` with
 * code `too_large` for too many services.
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
 * Writes several bills: an array in the specification's shape. CycloneDX has none: a `ServiceError`
 * with code `ambiguous_selection` is thrown.
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
    `Cannot write one CycloneDX document: there are ${boms.length} bills of materials`,
  )
}

/** The same of a bill that is in memory. */
async function renderCollected(
  bom: CollectedBom,
  { format, version }: BomShape,
): Promise<AsyncIterable<Uint8Array>> {
  // The library takes a while to load, and few are asked for CycloneDX.
  const { renderJson, renderXml } = await import('./cyclonedx/render.ts')
  return format === 'cyclonedx-xml' ? renderXml(bom, version) : renderJson(bom, version)
}
