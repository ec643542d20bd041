import { describe, expect, it } from 'vitest'
import { pickScore, sortMetrics } from '../../../../core/vulnerabilities/cvss.ts'
import type { CvssMetric, CvssVersion } from '../../../../core/vulnerabilities/records.ts'

describe('orderMetrics and pickScore', () => {
  it('sort the newest version first, and primary metrics first within a version', () => {
    const first = metric('3.1', 1, false)
    const second = metric('3.1', 2, false)
    const metrics = [
      metric('2.0', 5, true),
      metric('3.0', 6, false),
      first,
      metric('4.0', 7, false),
      second,
      metric('3.0', 8, true),
      metric('3.1', 9, true),
    ]
    expect(sortMetrics(metrics).map(({ version, score }) => `${version} ${score}`)).toEqual([
      '4.0 7',
      '3.1 9',
      '3.1 1',
      '3.1 2',
      '3.0 8',
      '3.0 6',
      '2.0 5',
    ])
  })

  it('pick version 3 from 3.1, else from 3.0', () => {
    const old = metric('3.0', 8, true)
    const recent = metric('3.1', 5, false)
    expect(pickScore(sortMetrics([old, recent]), '3')).toBe(recent)
    expect(pickScore(sortMetrics([old]), '3')).toBe(old)
    expect(pickScore(sortMetrics([metric('2.0', 1, true)]), '3')).toBeUndefined()
  })

  it('pick the primary one of several metrics', () => {
    const primary = metric('2.0', 4, true)
    const metrics = sortMetrics([metric('2.0', 9, false), primary])
    expect(pickScore(metrics, '2.0')).toBe(primary)
    expect(pickScore(metrics, '4.0')).toBeUndefined()
  })
})

function metric(version: CvssVersion, score: number, isPrimary: boolean): CvssMetric {
  return { version, source: 'a@b.example', isPrimary, score, severity: 'HIGH', vector: '' }
}
