import { type Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { Rows, writeDocument } from '../../shared/json-document.ts'
import { JsonText } from '../../shared/json-text.ts'
import { createYieldIfDue, runInTimeSlices } from '../../shared/time-slices.ts'
import type { CollectedBom } from '../collect-bom.ts'
import type { SpecVersion } from '../records.ts'
import { type AnnotatedBom, type Annotation, type Dependency, DetailedService } from './models.ts'
import { toDocument } from './to-document.ts'
import { type Element, type Root, type TopElement, toXmlRoot } from './xml.ts'

type Options = Serialize.Types.NormalizerOptions
type Service = Serialize.JSON.Types.Normalized.Service

const SPECS = { '1.5': Spec.Spec1dot5, '1.6': Spec.Spec1dot6, '1.7': Spec.Spec1dot7 } as const

/** Renders CycloneDX JSON in chunks, service by service, yielding to the event loop. */
export async function renderJson(
  bom: CollectedBom,
  version: SpecVersion,
): Promise<AsyncIterable<Uint8Array>> {
  return writeDocument(toJsonMembers(await runInTimeSlices(toDocument(bom)), SPECS[version]))
}

/** Renders CycloneDX XML in the same way. */
export async function renderXml(
  bom: CollectedBom,
  version: SpecVersion,
): Promise<AsyncIterable<Uint8Array>> {
  return writeXml(toXmlRoot(await runInTimeSlices(toDocument(bom)), SPECS[version]))
}

/**
 * Returns the members of a document in order, for `writeDocument`. Long lists are converted while
 * being written.
 */
function toJsonMembers(
  document: AnnotatedBom,
  spec: typeof Spec.Spec1dot5,
): Readonly<Record<string, unknown>> {
  const factory = new JsonNormalizerFactory(spec)
  const head = factory.makeForBom().normalize(document, {})
  const { $schema, bomFormat, specVersion, version, serialNumber, metadata, components } = head
  const { services, vulnerabilities, annotations } = document.lazyLists
  const ofServices = factory.makeForService()
  const ofVulnerabilities = factory.makeForVulnerability()
  return {
    ...{ $schema, bomFormat, specVersion, version, serialNumber, metadata },
    components: components?.length ? components : undefined,
    services: services && toSerialisedRows(services, (each) => ofServices.normalize(each, {})),
    dependencies: toSerialisedRows(document.dependencies, toDependency),
    compositions: document.compositions.length > 0 ? document.compositions : undefined,
    vulnerabilities:
      vulnerabilities &&
      toSerialisedRows(vulnerabilities, (each) => ofVulnerabilities.normalize(each, {})),
    annotations: annotations && toSerialisedRows(annotations, toAnnotation),
  }
}

/** Size of the chunks that an array is serialised in. */
const JSON_CHUNK_CHARACTERS = 8 * 1024

function toSerialisedRows<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  normalize: (item: Item) => unknown,
): Rows<JsonText> {
  return new Rows(
    (async function* () {
      let slice: JsonText[] = []
      let characters = 0
      for await (const item of items) {
        const text = JSON.stringify(normalize(item))
        slice.push(new JsonText(text))
        characters += text.length
        if (characters < JSON_CHUNK_CHARACTERS) continue
        yield slice
        slice = []
        characters = 0
      }
      yield slice
    })(),
  )
}

function toDependency({ ref, dependsOn }: Dependency) {
  return dependsOn.length > 0 ? { ref, dependsOn } : { ref }
}

function toAnnotation({ ref, subjects, individual, timestamp, text }: Annotation) {
  return {
    'bom-ref': ref,
    subjects,
    annotator: { individual: { name: individual } },
    timestamp: timestamp.toISOString(),
    text,
  }
}

/** Creates the library's JSON normalizers, with one for services that adds missing members. */
class JsonNormalizerFactory extends Serialize.JSON.Normalize.Factory {
  override makeForService(): Serialize.JSON.Normalize.ServiceNormalizer {
    return new JsonServiceNormalizer(this)
  }
}

class JsonServiceNormalizer extends Serialize.JSON.Normalize.ServiceNormalizer {
  override normalize(data: Models.Service, options: Options): Service {
    const service = super.normalize(data, options)
    if (!(data instanceof DetailedService)) return service
    const { licenses, externalReferences, services, properties, ...first } = service
    return {
      ...first,
      endpoints: data.endpoints.length > 0 ? data.endpoints : undefined,
      authenticated: data.authenticated,
      'x-trust-boundary': data.crossesTrustBoundary,
      data: data.data.length > 0 ? data.data : undefined,
      licenses,
      externalReferences,
      services,
      properties,
      // The library's type lacks the added members.
    } as Service
  }
}

const XML_CHUNK_CHARACTERS = 32 * 1024

/**
 * Writes a document in UTF-8, indented, in chunks of about 32 KiB; yields to the event loop between
 * them.
 */
async function* writeXml(root: Root): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder()
  const pause = createYieldIfDue()
  let pending = `<?xml version="1.0" encoding="UTF-8"?>\n<${root.name}${formatAttributes(root)}>\n`
  for (const child of root.children) {
    for await (const part of writeTopElement(child)) {
      for (const piece of part) {
        pending += piece
        if (pending.length < XML_CHUNK_CHARACTERS) continue
        yield encoder.encode(pending)
        pending = ''
        await pause()
      }
    }
  }
  yield encoder.encode(`${pending}</${root.name}>\n`)
}

/** Yields iterables of strings: an async step for each string would cost more than writing it. */
async function* writeTopElement(element: TopElement): AsyncIterable<Iterable<string>> {
  if (element.type === 'element') {
    yield writeElement(element, '  ')
    return
  }
  yield [`  <${element.name}>\n`]
  for await (const child of element.children) yield writeElement(child, '    ')
  yield [`  </${element.name}>\n`]
}

function* writeElement(element: Element, indent: string): Iterable<string> {
  const { name, children } = element
  const start = `${indent}<${name}${formatAttributes(element)}`
  if (children === undefined || children === '') {
    yield `${start}/>\n`
  } else if (typeof children !== 'object') {
    yield `${start}>${escapeText(String(children))}</${name}>\n`
  } else {
    let isEmpty = true
    for (const child of children) {
      if (child.type !== 'element') continue
      if (isEmpty) yield `${start}>\n`
      isEmpty = false
      yield* writeElement(child, `${indent}  `)
    }
    yield isEmpty ? `${start}/>\n` : `${indent}</${name}>\n`
  }
}

function formatAttributes({
  namespace,
  attributes,
}: Pick<Element, 'namespace' | 'attributes'>): string {
  let text = namespace === undefined ? '' : ` xmlns="${escapeAttribute(String(namespace))}"`
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined) text += ` ${name}="${escapeAttribute(String(value))}"`
  }
  return text
}

const TEXT_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

function escapeText(text: string): string {
  return /[&<>\r]/.test(text)
    ? text.replace(/[&<>\r]/g, (found) => TEXT_ESCAPES[found] ?? '')
    : text
}

function escapeAttribute(text: string): string {
  return /[&<>"\t\n\r]/.test(text)
    ? text.replace(/[&<>"\t\n\r]/g, (found) => TEXT_ESCAPES[found] ?? '')
    : text
}
