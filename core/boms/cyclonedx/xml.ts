import { type Models, Serialize, type Spec } from '@cyclonedx/cyclonedx-library'
import {
  type AnnotatedBom,
  type Annotation,
  type Composition,
  type Dependency,
  DetailedService,
} from './models.ts'

type Options = Serialize.Types.NormalizerOptions

/** An element in the format of the library's normalizers. */
export type Element = Serialize.XML.Types.SimpleXml.Element

/** A child of the root element. Children of a long one are created while being written. */
export type TopElement = Element | LongElement

export interface LongElement {
  readonly type: 'long'
  readonly name: string
  readonly children: AsyncIterable<Element>
}

/** The root element of a document. */
export type Root = Omit<Element, 'children'> & { readonly children: readonly TopElement[] }

/** Converts a document to XML elements. */
export function toXmlRoot(document: AnnotatedBom, spec: typeof Spec.Spec1dot5): Root {
  const factory = new XmlNormalizerFactory(spec)
  const element = factory.makeForBom().normalize(document, {})
  const isFirst = ({ name }: Element) => name === 'metadata' || name === 'components'
  const { services, vulnerabilities, annotations } = document.lazyLists
  const ofServices = factory.makeForService()
  const ofVulnerabilities = factory.makeForVulnerability()
  return {
    ...element,
    children: [
      ...listChildElements(element).filter(isFirst),
      ...toLongElements('services', services, (each) => ofServices.normalize(each, {}, 'service')),
      ...toLongElements(
        'dependencies',
        toAsyncIterable(document.dependencies),
        toDependencyElement,
      ),
      ...toListElements('compositions', document.compositions.map(toCompositionElement)),
      ...toLongElements('vulnerabilities', vulnerabilities, (each) =>
        ofVulnerabilities.normalize(each, {}, 'vulnerability'),
      ),
      ...toLongElements('annotations', annotations, toAnnotationElement),
    ],
  }
}

/** Creates the library's XML normalizers, with one for services that adds missing elements. */
class XmlNormalizerFactory extends Serialize.XML.Normalize.Factory {
  override makeForService(): Serialize.XML.Normalize.ServiceNormalizer {
    return new XmlServiceNormalizer(this)
  }
}

/** Elements of a service that precede those added here. */
const BEFORE_ENDPOINTS = new Set(['provider', 'group', 'name', 'version', 'description'])

class XmlServiceNormalizer extends Serialize.XML.Normalize.ServiceNormalizer {
  override normalize(data: Models.Service, options: Options, elementName: string): Element {
    const element = super.normalize(data, options, elementName)
    if (!(data instanceof DetailedService)) return element
    const added = [
      ...toListElements(
        'endpoints',
        data.endpoints.map((url) => createTextElement('endpoint', url)),
      ),
      ...toFlagElements('authenticated', data.authenticated),
      ...toFlagElements('x-trust-boundary', data.crossesTrustBoundary),
      ...toListElements('data', data.data.map(toDataFlow)),
    ]
    return insertAfterHead(element, added)
  }
}

/** Inserts elements after the children that precede the endpoints. */
function insertAfterHead(element: Element, added: readonly Element[]): Element {
  const children = listChildElements(element)
  const isFirst = (child: Element) => BEFORE_ENDPOINTS.has(child.name)
  return {
    ...element,
    children: [...children.filter(isFirst), ...added, ...children.filter((each) => !isFirst(each))],
  }
}

function listChildElements({ children }: Element): Element[] {
  if (typeof children !== 'object') return []
  return [...children].flatMap((child) => (child.type === 'element' ? [child] : []))
}

function toDataFlow({ flow, classification, name }: DetailedService['data'][number]): Element {
  return {
    type: 'element',
    name: 'dataflow',
    attributes: { name },
    children: [{ ...createTextElement('classification', classification), attributes: { flow } }],
  }
}

function toDependencyElement({ ref, dependsOn }: Dependency): Element {
  const children = dependsOn.map((each) => createReferenceElement('dependency', each))
  return { ...createReferenceElement('dependency', ref), children }
}

function toCompositionElement({ aggregate, dependencies }: Composition): Element {
  return {
    type: 'element',
    name: 'composition',
    children: [
      createTextElement('aggregate', aggregate),
      ...toListElements(
        'dependencies',
        dependencies.map((ref) => createReferenceElement('dependency', ref)),
      ),
    ],
  }
}

function toAnnotationElement({
  ref,
  subjects,
  individual,
  timestamp,
  text: said,
}: Annotation): Element {
  return {
    type: 'element',
    name: 'annotation',
    attributes: { 'bom-ref': ref },
    children: [
      ...toListElements(
        'subjects',
        subjects.map((subject) => createReferenceElement('subject', subject)),
      ),
      {
        type: 'element',
        name: 'annotator',
        children: toListElements('individual', [createTextElement('name', individual)]),
      },
      createTextElement('timestamp', timestamp.toISOString()),
      createTextElement('text', said),
    ],
  }
}

function toLongElements<Item>(
  name: string,
  items: AsyncIterable<Item> | undefined,
  toElement: (item: Item) => Element,
): LongElement[] {
  if (!items) return []
  const children = (async function* () {
    for await (const item of items) yield toElement(item)
  })()
  return [{ type: 'long', name, children }]
}

async function* toAsyncIterable<Item>(items: readonly Item[]): AsyncIterable<Item> {
  yield* items
}

function toListElements(name: string, children: Element[]): Element[] {
  return children.length === 0 ? [] : [{ type: 'element', name, children }]
}

function toFlagElements(name: string, value: boolean | undefined): Element[] {
  return value === undefined ? [] : [createTextElement(name, String(value))]
}

function createTextElement(name: string, children: string): Element {
  return { type: 'element', name, children }
}

function createReferenceElement(name: string, ref: string): Element {
  return { type: 'element', name, attributes: { ref } }
}
