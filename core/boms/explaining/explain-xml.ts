import { parseInstant } from '../../shared/dates.ts'
import type { XmlElement } from '../reading/parse-xml.ts'
import { readSpecVersion } from '../reading/read-xml-bom.ts'
import type { Explanation } from './explanations.ts'

/** Elements of a service in the order that the XSD requires (CycloneDX 1.4 to 1.7). */
const SERVICE_ELEMENTS = [
  'provider',
  'group',
  'name',
  'version',
  'description',
  'endpoints',
  'authenticated',
  'x-trust-boundary',
  'trustZone',
  'data',
  'licenses',
  'patentAssertions',
  'externalReferences',
  'properties',
  'services',
  'releaseNotes',
  'tags',
]
const FLOWS = new Set(['inbound', 'outbound', 'bi-directional', 'unknown'])
const VERSIONS = new Set(['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'])

/** Lookups for the rules. */
export interface XmlRules {
  readonly isSpdxId: (id: string) => boolean
}

/**
 * Explains why an XML document is invalid, by the rules that producers most often break: namespace,
 * timestamps, services, their data and licences. This is not a schema validation: a document
 * without findings may still be invalid by the official XSD.
 */
export function explainXml(root: XmlElement, rules: XmlRules): readonly Explanation[] {
  const found: Explanation[] = []
  const version = readSpecVersion(root)
  if (root.name !== 'bom' || !VERSIONS.has(version)) {
    found.push({
      pointer: `/${root.name}`,
      what: 'the root element is not <bom> of a known CycloneDX version',
      why: 'It must be <bom> in the namespace of its version',
      repair: 'write <bom xmlns="http://cyclonedx.org/schema/bom/1.6">',
    })
    return found
  }
  const serial = root.attributes.serialNumber
  if (serial !== undefined && !/^urn:uuid:[0-9a-f-]{36}$|^\{[0-9a-f-]{36}\}$/.test(serial)) {
    found.push({
      pointer: '/bom/@serialNumber',
      what: 'serialNumber is not a UUID',
      why: 'It must be a URN of a UUID in lower case',
      repair: 'write "urn:uuid:" and a UUID, or omit it',
    })
  }
  for (const [pointer, element] of walkElements(root, '/bom')) {
    const add = (what: string, why: string, repair: string) =>
      found.push({ pointer, what, why, repair })
    if (element.name === 'timestamp') explainTimestamp(element, add)
    else if (element.name === 'service') explainService(element, add)
    else if (element.name === 'classification') explainFlow(element, add)
    else if (element.name === 'licenses') explainLicenses(element, { add, version })
    else if (element.name === 'license') explainLicense(element, { add, rules, version })
    else if (element.name === 'text') explainEncoding(element, add)
  }
  return found
}

type AddExplanation = (what: string, why: string, repair: string) => void

function explainTimestamp({ text, children }: XmlElement, add: AddExplanation): void {
  if (children.length > 0 || parseInstant(text.trim()) !== undefined) return
  add(
    'the timestamp is not a date and time',
    'xs:dateTime requires a date, a "T" and a time',
    'write it as 2026-03-14T08:00:00Z',
  )
}

function explainService({ children }: XmlElement, add: AddExplanation): void {
  const names = children.map(({ name }) => name)
  const unknown = names.find((name) => !SERVICE_ELEMENTS.includes(name))
  if (unknown !== undefined) {
    add(
      `<${unknown}> is not allowed in a service`,
      'CycloneDX allows no elements of its namespace beyond its own',
      'write it as a <property> with a name',
    )
  }
  if (!names.includes('name')) add('the service has no name', 'It is required', 'add <name>')
  const positions = names.map((name) => SERVICE_ELEMENTS.indexOf(name)).filter((at) => at >= 0)
  const isOrdered = positions.every((at, index) => index === 0 || at >= (positions[index - 1] ?? 0))
  if (isOrdered) return
  add(
    'the elements of the service are in the wrong order',
    'The XSD fixes their order',
    `write them in this order: ${SERVICE_ELEMENTS.join(', ')}`,
  )
}

function explainFlow({ attributes }: XmlElement, add: AddExplanation): void {
  if (FLOWS.has(attributes.flow ?? '')) return
  add(
    'the classification has no valid flow',
    `"flow" is one of ${[...FLOWS].join(', ')}`,
    'write flow="unknown" if it is unknown',
  )
}

function explainLicenses(
  { children }: XmlElement,
  { add, version }: { readonly add: AddExplanation; readonly version: string },
): void {
  const expressions = children.filter(({ name }) => name.startsWith('expression')).length
  if (version === '1.7' || expressions === 0 || children.length === 1) return
  add(
    'an expression is combined with other licences',
    'Licences are a list of <license>, or one <expression>',
    'use one of the two',
  )
}

function explainLicense(
  { children, attributes }: XmlElement,
  options: { readonly add: AddExplanation; readonly rules: XmlRules; readonly version: string },
): void {
  const { add, rules } = options
  const names = children.filter(({ name }) => name === 'id' || name === 'name')
  const [first] = names
  if (names.length !== 1 || !first) {
    add(
      names.length === 0 ? 'the licence has neither ID nor name' : 'the licence has several names',
      'A licence has one <id> of the SPDX list, or one <name>',
      'write one of the two',
    )
  } else if (first.name === 'id' && !rules.isSpdxId(first.text.trim())) {
    add(
      'the licence ID is not on the SPDX list',
      '<id> must be an SPDX identifier, which is case-sensitive',
      'write other licences as <name>',
    )
  }
  const { acknowledgement } = attributes
  if (acknowledgement !== undefined && !/^(?:declared|concluded)$/.test(acknowledgement)) {
    add('the acknowledgement is invalid', 'It must be declared or concluded', 'use one of these')
  }
}

function explainEncoding({ attributes }: XmlElement, add: AddExplanation): void {
  const { encoding } = attributes
  if (encoding === undefined || encoding === 'base64') return
  add('the encoding is invalid', '"base64" is the only valid one', 'write base64, or omit it')
}

/** Returns all elements with their paths, such as `/bom/services/service[2]`. */
function* walkElements(element: XmlElement, path: string): Iterable<readonly [string, XmlElement]> {
  yield [path, element]
  const counts = new Map<string, number>()
  for (const child of element.children) {
    const count = (counts.get(child.name) ?? 0) + 1
    counts.set(child.name, count)
    yield* walkElements(child, `${path}/${child.name}[${count}]`)
  }
}
