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

/** The same of a bill that is in memory. */
export async function renderCollected(
  bom: CollectedBom,
  { format, version }: BomShape,
): Promise<AsyncIterable<Uint8Array>> {
  // The library takes a while to load, and few are asked for CycloneDX.
  const { renderJson, renderXml } = await import('./cyclonedx/render.ts')
  return format === 'cyclonedx-xml' ? renderXml(bom, version) : renderJson(bom, version)
}
