import { describe, expect, it } from 'vitest'
import { readApisJson } from '../../../core/imports/apis-json.ts'
import { findLabelledLinks } from '../../../core/imports/extract/agreements.ts'
import { parseInline } from '../../../core/imports/parse-description.ts'
import { runs } from '../../helpers/runs.ts'

/** Returns kind and link of each agreement. */
function labelled(text: string): readonly string[] {
  return findLabelledLinks(text).map(({ kind, link }) => `${kind} ${link}`)
}

function bytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
}

describe('links with an agreement label', () => {
  it.each([
    ['[Terms of Service](https://a.example/x)', ['TermsOfService https://a.example/x']],
    ['See [our privacy policy](https://a.example/p).', ['PrivacyPolicy https://a.example/p']],
    ['<a class="b" href="https://a.example/x">Terms</a>', []],
    ['<a href="https://a.example/tos">Terms</a>', ['TermsOfService https://a.example/tos']],
    [
      "<a href='https://a.example/s'>Service level agreement</a>",
      ['ServiceLevelAgreement https://a.example/s'],
    ],
    ['**Pricing:** https://a.example/buy.', ['Pricing https://a.example/buy']],
    ['Read the terms of use: <https://a.example/u>', ['TermsOfService https://a.example/u']],
    [
      '[License](https://spdx.org/licenses/MIT.html)',
      ['InterfaceLicense https://spdx.org/licenses/MIT.html'],
    ],
    ['[Support &raquo;](https://a.example/ticket)', []],
    ['[support](https://support.a.example/)', ['Support https://support.a.example/']],
    ['[terms](https://a.example/docs/taxonomy)', []],
    ['[status](https://a.example/docs#order)', []],
    ['[payment terms of an order](https://a.example/x)', []],
    ['[documentation](https://a.example/docs)', []],
    ['[Terms of Service](/relative)', []],
    ['[Terms of Service](javascript:alert(1))', []],
    ['the terms of service at https://a.example/t', []],
  ])('%s', (text, links) => {
    expect(labelled(text)).toEqual(links)
  })

  it('are returned in the order of the text, with the SPDX id of a licence', () => {
    const text =
      'Pricing: https://a.example/p and [Licence](https://opensource.org/licenses/MIT) [Terms of use](https://a.example/t)'
    expect(findLabelledLinks(text).map(({ name, spdxId }) => [name, spdxId])).toEqual([
      ['Pricing', undefined],
      ['License', 'MIT'],
      ['Terms of service', undefined],
    ])
  })

  it('are found in time linear to the length of the text', () => {
    const pieces = [
      '[',
      '](',
      '[terms',
      '<a href=',
      '<a ',
      'terms:',
      'terms of ',
      '[a](http://',
      '&#9;',
    ]
    for (const piece of pieces) {
      expect(labelled(piece.repeat(Math.ceil(runs(1_000_000) / piece.length)))).toEqual([])
    }
  })
})

describe('agreements of a description', () => {
  it('are limited to 100 in total', () => {
    const links = Array.from({ length: 120 }, (_, at) => [
      `x-terms-${at}`,
      `https://a.example/${at}`,
    ])
    const info = { title: 'T', version: '1', ...Object.fromEntries(links) }
    const description = '[Privacy](https://a.example/privacy)'
    const { agreements, report } = parseInline({
      bytes: bytes({ openapi: '3.1.0', info: { ...info, description }, paths: {} }),
      options: {},
    })
    expect(agreements.map(({ link }) => link)).toEqual(links.slice(0, 100).map(([, link]) => link))
    expect(report.warnings).toEqual([
      { pointer: '/info', message: '21 agreements after the first 100 were ignored' },
    ])
  })

  it('are read from extensions, labels and licences without a link', () => {
    const { agreements } = parseInline({
      bytes: bytes({
        openapi: '3.1.0',
        info: {
          title: 'T',
          version: '1',
          description:
            '[Privacy](https://a.example/privacy) [Terms of use](https://a.example/terms)',
          license: {
            name: 'GNU thing',
            url: 'https://a.example/code',
            'x-spdx': 'AGPL-3.0-or-later',
          },
          'x-pricing': { url: 'https://a.example/prices' },
          'x-termsOfService': 'https://a.example/terms',
          'x-status': 'green',
        },
        'x-license': 'https://opensource.org/licenses/MIT',
        paths: {},
      }),
      options: {},
    })
    expect(agreements).toEqual([
      {
        name: 'GNU thing',
        link: 'https://a.example/code',
        kind: 'InterfaceLicense',
        spdxId: 'AGPL-3.0-or-later',
      },
      { name: 'Pricing', link: 'https://a.example/prices', kind: 'Pricing' },
      { name: 'Terms of service', link: 'https://a.example/terms', kind: 'TermsOfService' },
      {
        name: 'License',
        link: 'https://opensource.org/licenses/MIT',
        kind: 'InterfaceLicense',
        spdxId: 'MIT',
      },
      { name: 'Privacy policy', link: 'https://a.example/privacy', kind: 'PrivacyPolicy' },
    ])
  })
})

describe('an SPDX expression', () => {
  it.each([
    ['MIT OR GPL-3.0-only', 'MIT'],
    ['GPL-2.0-only WITH Classpath-exception-2.0', 'GPL-2.0-only'],
    // Neither condition alone is sufficient.
    ['MIT AND GPL-3.0-only', undefined],
  ])('%s is read as %s', (identifier, id) => {
    const info = { title: 'T', version: '1', license: { name: 'Ours', identifier } }
    const description = bytes({ openapi: '3.1.0', info, paths: {} })
    const { agreements, api } = parseInline({ bytes: description, options: {} })
    const link = id === undefined ? '' : `https://spdx.org/licenses/${id}.html`
    expect(api.licenses).toEqual([{ name: 'Ours', url: link }])
    expect(agreements.map(({ spdxId }) => spdxId)).toEqual(id === undefined ? [] : [id])
  })
})

describe('APIs.json', () => {
  it('lists the agreements of each API, and common ones of other kinds', () => {
    const index = {
      name: ' Acme ',
      url: 'https://acme.example/apis.json',
      specificationVersion: '0.17',
      apis: [
        {
          name: 'Rockets',
          humanURL: 'https://acme.example/rockets',
          baseURL: 'https://api.acme.example',
          properties: [
            { type: 'Documentation', url: 'https://acme.example/docs' },
            { type: 'x-terms-of-service', url: 'https://acme.example/t1', name: 'Rocket terms' },
            { type: 'TermsOfService', url: 'https://acme.example/t1' },
            { type: 'OpenAPI', url: 'https://acme.example/openapi.yaml' },
            { type: 'SecurityScheme', url: 'https://acme.example/s' },
            { type: 'RateLimits', url: 'javascript:alert(1)' },
            { type: 7, url: 7 },
          ],
        },
        'no API',
        { name: 'Anvils', baseURL: '/relative' },
      ],
      common: [
        { type: 'TermsOfService', url: 'https://acme.example/t2' },
        { type: 'Plans', url: 'https://acme.example/plans' },
      ],
      'x-common': [{ type: 'X-Deprecation-Policy', url: 'https://acme.example/end' }],
    }
    const plans = { name: 'Pricing', link: 'https://acme.example/plans', type: 'Pricing' }
    const end = {
      name: 'Deprecation policy',
      link: 'https://acme.example/end',
      type: 'DeprecationPolicy',
    }
    expect(readApisJson(bytes(index))).toEqual([
      {
        name: 'Rockets',
        provider: 'Acme',
        baseUrls: ['https://api.acme.example'],
        urls: ['https://acme.example/rockets', 'https://acme.example/apis.json'],
        agreements: [
          { name: 'Documentation', link: 'https://acme.example/docs', type: 'Documentation' },
          { name: 'Rocket terms', link: 'https://acme.example/t1', type: 'TermsOfService' },
          plans,
          end,
        ],
      },
      {
        name: 'Anvils',
        provider: 'Acme',
        baseUrls: [],
        urls: ['https://acme.example/apis.json'],
        agreements: [
          { name: 'Terms of service', link: 'https://acme.example/t2', type: 'TermsOfService' },
          plans,
          end,
        ],
      },
    ])
  })

  it.each(['{}', '[]', '7', '{"apis":{}}', 'a: [', ''])('rejects %j', (text) => {
    expect(() => readApisJson(bytes(text))).toThrow(/^(?:Cannot import|Invalid YAML)/)
  })
})
