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

/** Converts a document to elements for `writeXml`. */
export function toRoot(document: AnnotatedBom, spec: typeof Spec.Spec1dot5): Root {
  const factory = new XmlFactory(spec)
  const element = factory.makeForBom().normalize(document, {})
  const isFirst = ({ name }: Element) => name === 'metadata' || name === 'components'
  const { services, vulnerabilities, annotations } = document.later
  const ofServices = factory.makeForService()
  const ofVulnerabilities = factory.makeForVulnerability()
  return {
    ...element,
    children: [
      ...toChildren(element).filter(isFirst),
      ...long('services', services, (each) => ofServices.normalize(each, {}, 'service')),
      ...long('dependencies', toAsync(document.dependencies), toDependency),
      ...list('compositions', document.compositions.map(toComposition)),
      ...long('vulnerabilities', vulnerabilities, (each) =>
        ofVulnerabilities.normalize(each, {}, 'vulnerability'),
      ),
      ...long('annotations', annotations, toAnnotation),
    ],
  }
}

/** Creates the library's XML normalizers, with one for services that adds missing elements. */
class XmlFactory extends Serialize.XML.Normalize.Factory {
  override makeForService(): Serialize.XML.Normalize.ServiceNormalizer {
    return new XmlService(this)
  }
}

/** Elements of a service that precede those added here. */
const BEFORE_ENDPOINTS = new Set(['provider', 'group', 'name', 'version', 'description'])

class XmlService extends Serialize.XML.Normalize.ServiceNormalizer {
  override normalize(data: Models.Service, options: Options, elementName: string): Element {
    const element = super.normalize(data, options, elementName)
    if (!(data instanceof DetailedService)) return element
    const added = [
      ...list(
        'endpoints',
        data.endpoints.map((url) => text('endpoint', url)),
      ),
      ...flag('authenticated', data.authenticated),
      ...flag('x-trust-boundary', data.crossesTrustBoundary),
      ...list('data', data.data.map(toDataFlow)),
    ]
    return insert(element, added)
  }
}

/** Inserts elements after the children that precede the endpoints. */
function insert(element: Element, added: readonly Element[]): Element {
  const children = toChildren(element)
  const isFirst = (child: Element) => BEFORE_ENDPOINTS.has(child.name)
  return {
    ...element,
    children: [...children.filter(isFirst), ...added, ...children.filter((each) => !isFirst(each))],
  }
}

function toChildren({ children }: Element): Element[] {
  if (typeof children !== 'object') return []
  return [...children].flatMap((child) => (child.type === 'element' ? [child] : []))
}

function toDataFlow({ flow, classification, name }: DetailedService['data'][number]): Element {
  return {
    type: 'element',
    name: 'dataflow',
    attributes: { name },
    children: [{ ...text('classification', classification), attributes: { flow } }],
  }
}

function toDependency({ ref, dependsOn }: Dependency): Element {
  const children = dependsOn.map((each) => reference('dependency', each))
  return { ...reference('dependency', ref), children }
}

function toComposition({ aggregate, dependencies }: Composition): Element {
  return {
    type: 'element',
    name: 'composition',
    children: [
      text('aggregate', aggregate),
      ...list(
        'dependencies',
        dependencies.map((ref) => reference('dependency', ref)),
      ),
    ],
  }
}

function toAnnotation({ ref, subjects, individual, timestamp, text: said }: Annotation): Element {
  return {
    type: 'element',
    name: 'annotation',
    attributes: { 'bom-ref': ref },
    children: [
      ...list(
        'subjects',
        subjects.map((subject) => reference('subject', subject)),
      ),
      {
        type: 'element',
        name: 'annotator',
        children: list('individual', [text('name', individual)]),
      },
      text('timestamp', timestamp.toISOString()),
      text('text', said),
    ],
  }
}

function long<Item>(
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

async function* toAsync<Item>(items: readonly Item[]): AsyncIterable<Item> {
  yield* items
}

function list(name: string, children: Element[]): Element[] {
  return children.length === 0 ? [] : [{ type: 'element', name, children }]
}

function flag(name: string, value: boolean | undefined): Element[] {
  return value === undefined ? [] : [text(name, String(value))]
}

function text(name: string, children: string): Element {
  return { type: 'element', name, children }
}

function reference(name: string, ref: string): Element {
  return { type: 'element', name, attributes: { ref } }
}
