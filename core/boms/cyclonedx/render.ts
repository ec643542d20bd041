import { Spec } from '@cyclonedx/cyclonedx-library'
import { ServiceError } from '../../http/problems.ts'
import { Rows, writeDocument } from '../../shared/json-document.ts'
import type { CollectedBom } from '../collect.ts'
import type { SpecVersion } from '../records.ts'
import { JsonFactory } from './json.ts'
import { toDocument } from './to-document.ts'
import { XmlFactory } from './xml.ts'
import { writeXml } from './xml-text.ts'

const SPECS = { '1.5': Spec.Spec1dot5, '1.6': Spec.Spec1dot6, '1.7': Spec.Spec1dot7 } as const

/** Services of an XML document at the most: its tree takes some 30 KB of memory for each. */
export const MAX_XML_SERVICES = 20_000

/** Items of an array that are written together. */
const SLICE = 200

/** A CycloneDX document as JSON, in chunks. */
export function renderJson(bom: CollectedBom, version: SpecVersion): AsyncIterable<Uint8Array> {
  const normalizer = new JsonFactory(SPECS[version]).makeForBom()
  const normalized = normalizer.normalize(toDocument(bom), {})
  const members = Object.entries(normalized).map(([name, value]) => [
    name,
    Array.isArray(value) ? new Rows(toSlices(value)) : value,
  ])
  return writeDocument(Object.fromEntries(members))
}

/**
 * A CycloneDX document as XML, in chunks. Throws a `ServiceError` with code `too_large` for more
 * than `MAX_XML_SERVICES` services.
 */
export function renderXml(bom: CollectedBom, version: SpecVersion): AsyncIterable<Uint8Array> {
  if (bom.services.length > MAX_XML_SERVICES) {
    throw new ServiceError(
      'too_large',
      `Cannot write this bill of materials as XML: it has ${bom.services.length} services, and ${MAX_XML_SERVICES} are the most; ask for JSON`,
    )
  }
  const normalizer = new XmlFactory(SPECS[version]).makeForBom()
  return toAsync(writeXml(normalizer.normalize(toDocument(bom), {})))
}

async function* toSlices(items: readonly unknown[]): AsyncIterable<readonly unknown[]> {
  for (let start = 0; start < items.length; start += SLICE) yield items.slice(start, start + SLICE)
}

async function* toAsync<Item>(items: Iterable<Item>): AsyncIterable<Item> {
  yield* items
}
