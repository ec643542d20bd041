import { ServiceError } from '../../errors.ts'
import { parseXml, type XmlElement } from './parse-xml.ts'
import type { Members } from './values.ts'

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
  const metadata = findChild(root, 'metadata')
  const component = metadata && findChild(metadata, 'component')
  return {
    bomFormat: 'CycloneDX',
    specVersion: readSpecVersion(root),
    metadata: {
      timestamp: metadata && getChildText(metadata, 'timestamp'),
      component: component && { name: getChildText(component, 'name') },
      properties: metadata ? readProperties(metadata) : [],
    },
    components: listChildren(root, 'components').map((component) => ({
      name: getChildText(component, 'name'),
      purl: getChildText(component, 'purl'),
    })),
    vulnerabilities: listChildren(root, 'vulnerabilities'),
    annotations: listChildren(root, 'annotations'),
    formulation: listChildren(root, 'formulation'),
    services: readServices(root),
  }
}

/**
 * Reads the version from the namespace: `1.5` for `http://cyclonedx.org/schema/bom/1.5`. Empty for
 * other namespaces.
 */
export function readSpecVersion({ attributes }: XmlElement): string {
  const namespaces = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name))
  for (const [, uri] of namespaces) {
    const version = /^http:\/\/cyclonedx\.org\/schema\/bom\/(\d+\.\d+)$/.exec(uri)?.[1]
    if (version !== undefined) return version
  }
  return ''
}

function readServices(parent: XmlElement): readonly Members[] {
  return listChildren(parent, 'services').map((service) => {
    const provider = findChild(service, 'provider')
    return {
      'bom-ref': service.attributes['bom-ref'],
      provider: provider && {
        name: getChildText(provider, 'name'),
        url: provider.children.filter(({ name }) => name === 'url').map(({ text }) => text.trim()),
      },
      group: getChildText(service, 'group'),
      name: getChildText(service, 'name'),
      version: getChildText(service, 'version'),
      description: getChildText(service, 'description'),
      endpoints: listChildren(service, 'endpoints').map(({ text }) => text.trim()),
      authenticated: getChildText(service, 'authenticated'),
      licenses: listChildren(service, 'licenses').map(readLicense),
      externalReferences: listChildren(service, 'externalReferences').map((reference) => ({
        type: reference.attributes.type,
        url: getChildText(reference, 'url'),
        comment: getChildText(reference, 'comment'),
      })),
      properties: readProperties(service),
      services: readServices(service),
    }
  })
}

function readLicense(choice: XmlElement): Members {
  if (choice.name === 'expression') return { expression: choice.text.trim() }
  const { name, text } = { name: getChildText(choice, 'name'), text: getChildText(choice, 'id') }
  return { license: { id: text, name, url: getChildText(choice, 'url') } }
}

function readProperties(parent: XmlElement): readonly Members[] {
  return listChildren(parent, 'properties').map(({ attributes, text }) => ({
    name: attributes.name,
    value: text,
  }))
}

function listChildren(parent: XmlElement, name: string): readonly XmlElement[] {
  return findChild(parent, name)?.children ?? []
}

function findChild(parent: XmlElement, name: string): XmlElement | undefined {
  return parent.children.find((child) => child.name === name)
}

function getChildText(parent: XmlElement, name: string): string | undefined {
  return findChild(parent, name)?.text.trim()
}
