import { describe, expect, test } from 'vitest'
import { formatVersion } from '../../../adapters/web/vulnerabilities/affected.ts'
import { explainVector } from '../../../adapters/web/vulnerabilities/explain-vector.ts'
import type { CvssVersion } from '../../../core/vulnerabilities/index.ts'

describe('explainVector', () => {
  const explain = (version: CvssVersion, vector: string) =>
    explainVector(version, vector).map(({ name, meaning }) => `${name}: ${meaning}`)

  test('depends on the CVSS version', () => {
    expect(explain('3.1', 'CVSS:3.1/AV:P/AC:H/PR:L/UI:R/S:C/C:N/I:L/A:H')).toEqual([
      'Attack vector: by touching the machine',
      'Attack complexity: high: depends on conditions beyond the attacker',
      'Privileges required: those of a user',
      'User interaction: a user must take part',
      'Scope: reaches other components',
      'Confidentiality: none',
      'Integrity: low',
      'Availability: high',
    ])
    expect(explain('2.0', 'AV:N/AC:M/Au:S/C:P/I:C/A:N')).toEqual([
      'Attack vector: over the network',
      'Attack complexity: medium',
      'Authentication: once',
      'Confidentiality: partial',
      'Integrity: complete',
      'Availability: none',
    ])
    expect(explain('4.0', 'CVSS:4.0/AT:P/UI:A/VC:H/SI:S/E:A/MAV:L/R:I')).toEqual([
      'Attack requirements: certain conditions must be met',
      'User interaction: a user must take part knowingly',
      'Confidentiality of the system: high',
      'Integrity of other systems: people may be injured',
      'Exploits: attacks are known',
      'Attack vector, as modified: on the machine itself',
      'Recovery: impossible',
    ])
  })

  test('omits undefined metrics and keeps unknown ones as they are', () => {
    expect(explain('4.0', 'CVSS:4.0/E:X/RL:ND/ZZ:Q/AV:?')).toEqual(['ZZ:Q: ', 'Attack vector: ?'])
    expect(explain('3.1', '')).toEqual([])
  })
})

describe('versionWords', () => {
  test('formats the bounds of a range', () => {
    const at = (version: string, isIncluded: boolean) => ({ version, isIncluded })
    expect(formatVersion({ from: at('2.0', true), to: at('2.17.1', false) })).toBe(
      'from 2.0 before 2.17.1',
    )
    expect(formatVersion({ from: at('2', false), to: at('3', true) })).toBe('after 2 up to 3')
    expect(formatVersion({ to: at('3', true) })).toBe('up to 3')
    expect(formatVersion('*')).toBe('all versions')
    expect(formatVersion('-')).toBe('without a version')
    expect(formatVersion('7.2\tp2')).toBe('7.2 p2')
    expect(formatVersion('1.1.1k')).toBe('1.1.1k')
  })
})
