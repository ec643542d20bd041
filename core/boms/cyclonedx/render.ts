import { Spec } from '@cyclonedx/cyclonedx-library'
import { Rows, writeDocument } from '../../shared/json-document.ts'
import { JsonText } from '../../shared/json-text.ts'
import { createPause } from '../../shared/slices.ts'
import type { CollectedBom } from '../collect.ts'
import type { SpecVersion } from '../records.ts'
import { JsonFactory } from './json.ts'
import { toDocument } from './to-document.ts'
import { XmlFactory } from './xml.ts'
import { writeXml } from './xml-text.ts'

const SPECS = { '1.5': Spec.Spec1dot5, '1.6': Spec.Spec1dot6, '1.7': Spec.Spec1dot7 } as const

/** Items of an array that are written together. */
const SLICE = 50

/** A CycloneDX document as JSON, in chunks, service by service. */
export function renderJson(bom: CollectedBom, version: SpecVersion): AsyncIterable<Uint8Array> {
  const factory = new JsonFactory(SPECS[version])
  const document = toDocument(bom)
  const { dependencies, compositions, vulnerabilities, annotations, ...first } = toMembers(
    factory.makeForBom().normalize(document, {}),
  )
  const normalizer = factory.makeForService()
  const toText = (item: unknown) => new JsonText(JSON.stringify(item))
  const services = toSlices(document.makeServices(), (service) =>
    toText(normalizer.normalize(service, {})),
  )
  const rows = (items: unknown) =>
    Array.isArray(items) ? new Rows(toSlices(items, toText)) : undefined
  return writeDocument({
    ...first,
    services: bom.services.length > 0 ? new Rows(services) : undefined,
    dependencies: rows(dependencies),
    compositions,
    vulnerabilities: rows(vulnerabilities),
    annotations: rows(annotations),
  })
}

/** A CycloneDX document as XML, in chunks, service by service. */
export function renderXml(bom: CollectedBom, version: SpecVersion): AsyncIterable<Uint8Array> {
  const normalizer = new XmlFactory(SPECS[version]).makeForBom()
  return toAsync(writeXml(normalizer.normalize(toDocument(bom), {})))
}

/** The library's types do not know what it leaves out. */
function toMembers(document: object): Readonly<Record<string, unknown>> {
  return { ...document }
}

async function* toSlices<Item>(
  items: Iterable<Item>,
  toText: (item: Item) => JsonText,
): AsyncIterable<readonly JsonText[]> {
  let slice: JsonText[] = []
  for (const item of items) {
    slice.push(toText(item))
    if (slice.length < SLICE) continue
    yield slice
    slice = []
  }
  yield slice
}

async function* toAsync<Item>(items: Iterable<Item>): AsyncIterable<Item> {
  const pause = createPause()
  for (const item of items) {
    yield item
    await pause()
  }
}
