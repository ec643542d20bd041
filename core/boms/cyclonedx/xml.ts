import { type Models, Serialize } from '@cyclonedx/cyclonedx-library'
import { AnnotatedBom, type Annotation, type Composition, DetailedService } from './models.ts'

type Options = Serialize.Types.NormalizerOptions

/** An element as the library's normalizers give it. */
export type Element = Serialize.XML.Types.SimpleXml.Element

/** Makes the library's XML normalizers, those of services and documents with what it leaves out. */
export class XmlFactory extends Serialize.XML.Normalize.Factory {
  override makeForBom(): Serialize.XML.Normalize.BomNormalizer {
    return new XmlBom(this)
  }

  override makeForService(): Serialize.XML.Normalize.ServiceNormalizer {
    return new XmlService(this)
  }
}

/** Elements of a service that stand before those which the library leaves out. */
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

class XmlBom extends Serialize.XML.Normalize.BomNormalizer {
  override normalize(data: Models.Bom, options: Options): Element {
    const element = super.normalize(data, options)
    if (!(data instanceof AnnotatedBom)) return element
    const compositions = list('compositions', data.compositions.map(toComposition))
    const annotations = list('annotations', data.annotations.map(toAnnotation))
    const vulnerabilities = toChildren(element).filter(({ name }) => name === 'vulnerabilities')
    return {
      ...element,
      children: [
        ...toChildren(element).filter(({ name }) => name === 'metadata' || name === 'components'),
        ...this.#toServices(data, options),
        { type: 'element', name: 'dependencies', children: data.dependencies.map(toDependency) },
        ...compositions,
        ...vulnerabilities,
        ...annotations,
      ],
    }
  }

  /** Made one by one when they are written; no element for none. */
  #toServices(data: AnnotatedBom, options: Options): Element[] {
    const normalizer = this._factory.makeForService()
    const children = {
      *[Symbol.iterator]() {
        for (const service of data.makeServices()) {
          yield normalizer.normalize(service, options, 'service')
        }
      },
    }
    return data.dependencies.length > 1 ? [{ type: 'element', name: 'services', children }] : []
  }
}

/** The element with others after those of its children that stand before the endpoints. */
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

function toDependency({ ref, dependsOn }: AnnotatedBom['dependencies'][number]): Element {
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
