import { ServiceError } from '../../http/problems.ts'
import type { Members } from './values.ts'
import { parseXml, type XmlElement } from './xml-tree.ts'

/**
 * Converts a CycloneDX XML document to the structure of its JSON equivalent. Only services are
 * complete.
 */
export function readXmlBom(text: string): Members {
  const root = parseXml(text)
  if (root.name !== 'bom') {
    throw new ServiceError(
      'invalid_description',
      `Cannot read this BOM: the root element is <${root.name}>, but must be <bom>`,
    )
  }
  const metadata = find(root, 'metadata')
  const component = metadata && find(metadata, 'component')
  return {
    bomFormat: 'CycloneDX',
    specVersion: toSpecVersion(root),
    metadata: {
      timestamp: metadata && textOf(metadata, 'timestamp'),
      component: component && { name: textOf(component, 'name') },
      properties: metadata ? readProperties(metadata) : [],
    },
    components: list(root, 'components'),
    vulnerabilities: list(root, 'vulnerabilities'),
    annotations: list(root, 'annotations'),
    formulation: list(root, 'formulation'),
    services: readServices(root),
  }
}

/** `1.5` for the namespace `http://cyclonedx.org/schema/bom/1.5`; empty for other namespaces. */
export function toSpecVersion({ attributes }: XmlElement): string {
  const namespaces = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name))
  for (const [, uri] of namespaces) {
    const version = /^http:\/\/cyclonedx\.org\/schema\/bom\/(\d+\.\d+)$/.exec(uri)?.[1]
    if (version !== undefined) return version
  }
  return ''
}

function readServices(parent: XmlElement): readonly Members[] {
  return list(parent, 'services').map((service) => {
    const provider = find(service, 'provider')
    return {
      'bom-ref': service.attributes['bom-ref'],
      provider: provider && {
        name: textOf(provider, 'name'),
        url: provider.children.filter(({ name }) => name === 'url').map(({ text }) => text.trim()),
      },
      group: textOf(service, 'group'),
      name: textOf(service, 'name'),
      version: textOf(service, 'version'),
      description: textOf(service, 'description'),
      endpoints: list(service, 'endpoints').map(({ text }) => text.trim()),
      authenticated: textOf(service, 'authenticated'),
      licenses: list(service, 'licenses').map(toLicense),
      externalReferences: list(service, 'externalReferences').map((reference) => ({
        type: reference.attributes.type,
        url: textOf(reference, 'url'),
        comment: textOf(reference, 'comment'),
      })),
      properties: readProperties(service),
      services: readServices(service),
    }
  })
}

function toLicense(choice: XmlElement): Members {
  if (choice.name === 'expression') return { expression: choice.text.trim() }
  const { name, text } = { name: textOf(choice, 'name'), text: textOf(choice, 'id') }
  return { license: { id: text, name, url: textOf(choice, 'url') } }
}

function readProperties(parent: XmlElement): readonly Members[] {
  return list(parent, 'properties').map(({ attributes, text }) => ({
    name: attributes.name,
    value: text,
  }))
}

function list(parent: XmlElement, name: string): readonly XmlElement[] {
  return find(parent, name)?.children ?? []
}

function find(parent: XmlElement, name: string): XmlElement | undefined {
  return parent.children.find((child) => child.name === name)
}

function textOf(parent: XmlElement, name: string): string | undefined {
  return find(parent, name)?.text.trim()
}
