import { type Models, Serialize, type Spec } from '@cyclonedx/cyclonedx-library'
import { Rows } from '../../shared/json-document.ts'
import { JsonText } from '../../shared/json-text.ts'
import { type AnnotatedBom, type Annotation, type Dependency, DetailedService } from './models.ts'

type Options = Serialize.Types.NormalizerOptions
type Service = Serialize.JSON.Types.Normalized.Service

/**
 * Returns the members of a document in order, for `writeDocument`. Long lists are converted while
 * being written.
 */
export function toJsonMembers(
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
const CHUNK_CHARACTERS = 8 * 1024

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
        if (characters < CHUNK_CHARACTERS) continue
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
