import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VersionRange } from '../../../../core/vulnerabilities/records.ts'
import {
  compareVersions,
  coversVersion,
  toVersionText,
} from '../../../../core/vulnerabilities/versions.ts'

describe('compareVersions', () => {
  it.each([
    ['2.4.0', '2.10'],
    ['1.1.1', '1.1.1k'],
    ['1.1.1k', '1.1.1l'],
    ['1.1.1k', '1.1.2'],
    ['2.0-beta9', '2.0'],
    ['2.0-beta9', '2.0-beta10'],
    ['2.0-beta9', '2.0-rc1'],
    ['2.0.0-alpha.1', '2.0.0-alpha.2'],
    ['2.0_p1', '2.0_p2'],
    ['7.2', '7.2p2'],
    ['10.0.19041.1', '10.0.19041.264'],
    ['10.0.19041.264', '10.0.19042'],
    ['1507', '1511'],
    ['r2', 'r3'],
    ['v1.2', '1.3'],
    ['2021-01-02', '2021-02-01'],
    ['20210102', '20210201'],
    ['12.2(33)', '12.2(44)'],
    ['1.1.2-10562', '1.1.2-10601'],
    ['9999999999999999999998', '9999999999999999999999'],
    ['0', '0.0.1'],
    ['9.0.0-M1', '9.0.0'],
    ['9.0.0.M9', '9.0.0.M10'],
    ['1.0', '1.0m'],
  ])('sorts %s before %s', (older, newer) => {
    expect(Math.sign(compareVersions(older, newer))).toBe(-1)
    expect(Math.sign(compareVersions(newer, older))).toBe(1)
  })

  it.each([
    ['2.0', '2.0.0'],
    ['v1.2', '1.2'],
    ['1.02', '1.2'],
    ['2.0-Beta9', '2.0_beta9'],
    ['4.3.0.Final', '4.3'],
    ['7.2p2', '7.2-p2'],
    ['', '0'],
    ['9.0.0-M1', '9.0.0 milestone 1'],
  ])('treats %s and %s as equivalent', (a, b) => {
    expect(compareVersions(a, b)).toBe(0)
    expect(compareVersions(b, a)).toBe(0)
  })

  it('is a total order over any strings', () => {
    const piece = fc.constantFrom('0', '1', '10', '02', 'a', 'rc', 'beta', 'final', '.', '-', 'é')
    const version = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)) || 0)
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) {
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
        }
      }),
      { seed: 12, numRuns: 2000 },
    )
  })
})

const FROM_TO = range('>=2.0', '<2.17.1')

describe('coversVersion and toVersionText', () => {
  it.each<[string | VersionRange, string, boolean]>([
    ['*', '1.0', true],
    ['*', '-', false],
    ['-', '-', true],
    ['-', '1.0', false],
    ['1.0', '-', false],
    ['1.0', '1.0.0', true],
    ['1.0', '1.0.1', false],
    ['1.0', '1.0a', false],
    [FROM_TO, '2.0', true],
    [FROM_TO, '2.0-beta9', false],
    [FROM_TO, '2.4.1', true],
    [FROM_TO, '2.17.0', true],
    [FROM_TO, '2.17.1', false],
    [FROM_TO, '2.17.1-rc1', true],
    [FROM_TO, '-', false],
    [range('>8.0', '<=8.0.0.17'), '8.0', false],
    [range('>8.0', '<=8.0.0.17'), '8.0.0.17', true],
    [range(undefined, '<2.3.0'), '0.1', true],
    [range('>=2.3.2', undefined), '99', true],
    [range('>=2.3.2', undefined), '2.3.1', false],
    [{}, '1.0', true],
    ['7.2\tp2', '7.2p2', true],
    ['7.2\tp2', '7.2:p2', true],
    ['7.2\tp2', '7.2-P2', true],
    ['7.2\tp2', '7.2', true],
    ['7.2\tp2', '7.2p3', false],
    ['7.2\tp2', '7.2.1', false],
    ['2.0\tbeta9', '2.0-beta9', true],
    ['14.1x53\td40', '14.1X53-D40', true],
    ['7.2', '7.2p2', false],
  ])('%j covers %s: %s', (affected, version, covers) => {
    expect(coversVersion(affected, version)).toBe(covers)
  })

  it.each<[scheme: string | undefined, older: string, newer: string]>([
    [undefined, '1.0.0', '1.0.0-patch'],
    ['npm', '1.0.0-patch', '1.0.0'],
    ['semver', '2.4.6', '2.4.6-p4'],
    ['semver', '2.4.6-p3', '2.4.6-p4'],
    ['semver', '2.4.6-p4', '2.4.7'],
    ['semver', '10.0', '10.0-rev40'],
    ['semver', '1.0.0-beta.10', '1.0.0-beta.2a'],
    ['semver', '1.2-rc.1', 'v1.2'],
    ['semver', '2-rc.1', '2.0'],
    ['semver', '1.0.0-RC', '1.0.0-beta'],
    ['nuget', '1.0.0-beta', '1.0.0-RC'],
    ['python', '1!1.0', '2!0.1'],
    ['python', '2020.1', '1!1.0'],
    ['python', '1.0.dev5', '1.0a1'],
    ['python', '1.0c2', '1.0'],
    ['python', '1.0', '1.0-1'],
    ['gem', '1.0.0.foo', '1.0.0'],
    ['gem', '1.0.a9', '1.0.a10'],
    ['gem', '1.0.0-java', '1.0'],
    // Not versions of the scheme.
    ['semver', '1.1.1', '1.1.1k'],
    ['semver', '1.0.0.9', '1.0.0.10'],
    ['python', '7.2', '7.2p2'],
    ['gem', 'r2', 'r3'],
    ['semver', '9999999999999999999998.0.0', '9999999999999999999999.0.0'],
  ])('compares by the scheme %s: %s is older than %s', (scheme, older, newer) => {
    const before = { to: { version: newer, isIncluded: false }, scheme }
    const after = { from: { version: older, isIncluded: false }, scheme }
    expect([coversVersion(before, older), coversVersion(before, newer)]).toEqual([true, false])
    expect([coversVersion(after, older), coversVersion(after, newer)]).toEqual([false, true])
  })

  it.each([
    ['semver', '1.2.0+build.5', '1.2'],
    ['python', '1.0alpha1', '1.0a1'],
    ['gem', '1.0.0', '1'],
  ])('treats versions of the scheme %s as equivalent: %s, %s', (scheme, a, b) => {
    const bound = { version: a, isIncluded: true }
    expect(coversVersion({ from: bound, to: bound, scheme }, b)).toBe(true)
  })

  it('write versions as the contract specifies', () => {
    const affected = [
      '2.0',
      '7.2\tp2',
      '*',
      '-',
      FROM_TO,
      range('>8.0', '<=8.0.0.17'),
      range(undefined, '<2.3.0'),
      range('>=2.3.2', undefined),
      {},
    ]
    expect(affected.map(toVersionText)).toEqual([
      '2.0',
      '7.2',
      '-',
      '-',
      '>=2.0,<2.17.1',
      '>8.0,<=8.0.0.17',
      '<2.3.0',
      '>=2.3.2',
      '-',
    ])
  })
})

function range(from: string | undefined, to: string | undefined): VersionRange {
  const toBound = (text: string) => {
    const isIncluded = text[1] === '='
    return { version: text.slice(isIncluded ? 2 : 1), isIncluded }
  }
  return {
    from: from === undefined ? undefined : toBound(from),
    to: to === undefined ? undefined : toBound(to),
  }
}
