import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCpe, parseCpe } from '../../../../core/vulnerabilities/cpe.ts'

const ANYTHING = {
  edition: '*',
  language: '*',
  softwareEdition: '*',
  targetSoftware: '*',
  targetHardware: '*',
  other: '*',
}

describe('parseCpe and splitCpe', () => {
  it('split a name at its colons', () => {
    expect(parseCpe('cpe:2.3:a:apache:log4j:2.0:beta9:*:*:*:*:*:*')).toEqual({
      part: 'a',
      vendor: 'apache',
      product: 'log4j',
      version: '2.0',
      update: 'beta9',
      ...ANYTHING,
    })
  })

  it('assign every attribute to its member', () => {
    expect(parseCpe('cpe:2.3:o:v:p:1:u:e:en-us:s:node.js:x64:-')).toEqual({
      part: 'o',
      vendor: 'v',
      product: 'p',
      version: '1',
      update: 'u',
      edition: 'e',
      language: 'en-us',
      softwareEdition: 's',
      targetSoftware: 'node.js',
      targetHardware: 'x64',
      other: '-',
    })
  })

  it('do not split at an escaped colon, and unescape it', () => {
    const cpe = parseCpe('cpe:2.3:a:some\\:one:a\\/b\\\\c\\!:1\\:4.1\\+dfsg:-:*:*:*:*:*:*')
    expect(cpe).toEqual({
      part: 'a',
      vendor: 'some:one',
      product: 'a/b\\c!',
      version: '1:4.1+dfsg',
      update: '-',
      ...ANYTHING,
    })
  })

  it('distinguish any and none from an escaped asterisk and hyphen', () => {
    const versions = ['*', '-', '\\*', '\\-', '1\\*', '\\-1'].map(
      (version) => parseCpe(`cpe:2.3:a:v:p:${version}:*:*:*:*:*:*:*`)?.version,
    )
    expect(versions).toEqual(['*', '-', '\\*', '\\-', '1*', '-1'])
  })

  it('reject everything else', () => {
    for (const text of [
      '',
      'cpe',
      'cpe:/a:apache:log4j:2.0',
      'cpe:2.3:',
      'cpe:2.3:a:v:p:1:*:*:*:*:*:*',
      'cpe:2.3:a:v:p:1:*:*:*:*:*:*:*:*',
      'cpe:2.3:a::p:1:*:*:*:*:*:*:*',
      'cpe:2.3:a:v:p:1:*:*:*:*:*:*:',
      'cpe:2.3:a:v:p:1:*:*:*:*:*:*:\\',
      'cpe:2.3:a:v\\:p:1:*:*:*:*:*:*:*',
      'CPE:2.3:a:v:p:1:*:*:*:*:*:*:*',
    ]) {
      expect(parseCpe(text), text).toBeUndefined()
    }
  })

  it('restore all values from their escaped form', () => {
    const value = fc
      .string({ minLength: 1, maxLength: 12 })
      .filter((text) => !['*', '-', '\\*', '\\-'].includes(text))
    fc.assert(
      fc.property(fc.array(value, { minLength: 11, maxLength: 11 }), (values) => {
        const text = `cpe:2.3:${values.map(escapeValue).join(':')}`
        expect(isCpe(text)).toBe(true)
        expect(Object.values(parseCpe(text) ?? {})).toEqual(values)
      }),
      { seed: 11, numRuns: 300 },
    )
  })
})

function escapeValue(value: string): string {
  return value.replace(/[^A-Za-z0-9_]/g, (character) => `\\${character}`)
}
