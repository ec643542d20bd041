import { describe, expect, it } from 'vitest'
import { explainBom, type ValidatorCache } from '../../../core/boms/explaining/explain-bom.ts'
import { parseXml } from '../../../core/boms/reading/parse-xml.ts'
import { readBom } from '../../../core/boms/reading/read-bom.ts'

const judges: ValidatorCache = new Map()

async function explain(document: unknown) {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const { explanations } = await explainBom(text, judges)
  return explanations.map(({ pointer, what }) => `${pointer}: ${what}`)
}

const valid = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 }

describe('explanations of a document', () => {
  it('are empty for a valid one', async () => {
    expect(await explain({ ...valid, services: [{ name: 'One' }] })).toEqual([])
  })

  it('cover all locations, as they are in the document', async () => {
    const services = [
      { name: 'One', capturedIPs: [] },
      {
        name: 'Two',
        description: ['a', 'b'],
        licenses: [{ name: 'MIT', url: 'https://x.example' }],
      },
      { endpoints: [] },
      { name: 'Four', data: [{ flow: 'sideways' }], extra: 1 },
    ]
    const serialNumber = 'urn:uuid:NO'
    expect((await explain({ ...valid, serialNumber, services, 'a/b': 1 })).toSorted()).toEqual(
      [
        '/a~1b: "a/b" is not allowed in the document',
        '/serialNumber: serialNumber is not a UUID',
        '/services/0/capturedIPs: "capturedIPs" is not allowed in this object',
        '/services/1/description: the description of a service is not a string',
        '/services/1/licenses/0: a licence does not have the structure that CycloneDX requires',
        '/services/2: an item of "services" has no "name"',
        '/services/3/data/0: the data of a service does not have the structure that CycloneDX requires',
        '/services/3/extra: "extra" is not allowed in this object',
      ].toSorted(),
    )
  })

  it.each([
    ['{"bomFormat":', /^: Cannot read this document/],
    ['', /^: this is not a CycloneDX BOM: it is empty$/],
    ['[]', /^: this is not a CycloneDX BOM: it is JSON without members$/],
    ['{"name":"x","a":1}', /^: this is not a CycloneDX BOM: it is JSON with "name", "a"$/],
    [
      'bomFormat: CycloneDX\n',
      /: it is neither JSON nor XML, and starts with "bomFormat: CycloneDX"$/,
    ],
    ['<!DOCTYPE html><p>No', /^: this is not a CycloneDX BOM: it is an HTML page$/],
    ['{"bomFormat":"CycloneDX"}', /^\/specVersion: specVersion is missing/],
    ['{"bomFormat":"CycloneDX","specVersion":"9.9"}', /specVersion is not a version with a schema/],
    ['<bom>', /^: Invalid XML: line 1: <bom> is not closed/],
    ['<sbom xmlns="http://cyclonedx.org/schema/bom/1.6"/>', /^\/sbom: the root element/],
    ['<bom xmlns="http://example.com"/>', /^\/bom: the root element/],
  ])('cover %s', async (text, expected) => {
    expect((await explain(text))[0]).toMatch(expected)
  })

  it('cover XML elements', async () => {
    const service = '<service><version>1</version><name>One</name><ips/></service>'
    const license =
      '<license><id>No-Such</id></license><license><name>a</name><id>MIT</id></license>'
    const text = `<bom xmlns="http://cyclonedx.org/schema/bom/1.6" serialNumber="x"><services>${service}<service><data><classification flow="up">x</classification></data><licenses>${license}</licenses></service></services></bom>`
    expect(await explain(text)).toEqual([
      '/bom/@serialNumber: serialNumber is not a UUID',
      '/bom/services[1]/service[1]: <ips> is not allowed in a service',
      '/bom/services[1]/service[1]: the elements of the service are in the wrong order',
      '/bom/services[1]/service[2]: the service has no name',
      '/bom/services[1]/service[2]/data[1]/classification[1]: the classification has no valid flow',
      '/bom/services[1]/service[2]/licenses[1]/license[1]: the licence ID is not on the SPDX list',
      '/bom/services[1]/service[2]/licenses[1]/license[2]: the licence has several names',
    ])
  })
})

describe('XML of other producers', () => {
  it('is parsed with its entities, sections and comments', () => {
    const text =
      '<?xml version="1.0"?><!-- c --><a:b xmlns:a="u" x=\'1 &amp; 2\'>&lt;&#x1F680;&#65;<![CDATA[<&]]><c/>t</a:b>\n'
    expect(parseXml(text)).toEqual({
      name: 'b',
      attributes: { 'xmlns:a': 'u', x: '1 & 2' },
      children: [{ name: 'c', attributes: {}, children: [], text: '' }],
      text: '<🚀A<&t',
    })
  })

  it.each([
    [
      'a document type',
      '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>',
      /document types are not supported/,
    ],
    ['an unknown entity', '<x>&a;</x>', /&a; is not defined/],
    ['a lone ampersand', '<x>a & b</x>', /& is not defined/],
    ['a code point that is none', '<x>&#x110000;</x>', /is not defined/],
    ['crossed tags', '<x><y></x></y>', /<\/x> closes <y>/],
    ['two roots', '<x/><y/>', /second root element/],
    ['text outside', '<x/>text', /text outside the root element/],
    ['an attribute twice', '<x a="1" a="2"/>', /duplicate attribute a/],
    ['an attribute without quotes', '<x a=1/>', /malformed tag/],
    ['an open comment', '<x><!-- </x>', /missing "-->"/],
    ['a hundred levels and one', '<x>'.repeat(101), /more than 100 levels/],
    ['nothing', '<!-- -->', /no root element/],
  ])('is rejected with %s', (_, text, expected) => {
    expect(() => parseXml(text)).toThrow(expected)
  })

  it('cannot change the prototype of objects', () => {
    const { attributes } = parseXml('<x __proto__="1" constructor="2"/>')
    expect([Object.keys(attributes), ({} as { x?: unknown }).x]).toEqual([
      ['__proto__', 'constructor'],
      undefined,
    ])
  })
})

describe('documents with unexpected types', () => {
  it.each([
    { bomFormat: 'CycloneDX', services: 'x', metadata: 1 },
    {
      bomFormat: 'CycloneDX',
      services: [null, 1, [], {}, { name: 1, endpoints: {}, licenses: [1] }],
    },
    { scan_details: { services: { length: 3 } } },
    { instances: [null, { scan_details: [] }] },
    { bomFormat: 'CycloneDX', metadata: { timestamp: 5, component: [], properties: [{}] } },
  ])('are read as far as possible: %j', (document) => {
    expect(readBom(JSON.stringify(document)).boms.length).toBe(1)
  })

  it('are read with services nested without end', () => {
    let service: object = { name: 'x' }
    for (let depth = 0; depth < 1_000; depth += 1) service = { name: 'x', services: [service] }
    expect(readBom(JSON.stringify({ ...valid, services: [service] })).boms.length).toBe(1)
  })
})
