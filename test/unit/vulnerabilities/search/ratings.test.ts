import { describe, expect, it } from 'vitest'
import { NO_SCORE } from '../../../../core/vulnerabilities/index/columns.ts'
import { rateDocuments, SEVERITIES } from '../../../../core/vulnerabilities/search/severities.ts'

describe('toRatings', () => {
  it('uses the newest version and the bands of its guide', () => {
    const rate = (score4: number, score3: number, score2: number) => {
      const columns = [score4, score3, score2].map((score) => Uint8Array.of(score))
      const [four, three, two] = columns as [Uint8Array, Uint8Array, Uint8Array]
      const ratings = rateDocuments({ score4: four, score3: three, score2: two })
      return [ratings.scores[0], SEVERITIES[ratings.severities[0] as number]]
    }
    const none = NO_SCORE
    expect(rate(none, none, none)).toEqual([none, 'none'])
    expect(rate(0, 98, 98)).toEqual([0, 'none'])
    expect(rate(none, 1, 100)).toEqual([1, 'low'])
    expect(rate(39, none, none)).toEqual([39, 'low'])
    expect(rate(40, none, none)).toEqual([40, 'medium'])
    expect(rate(none, 69, none)).toEqual([69, 'medium'])
    expect(rate(none, 70, none)).toEqual([70, 'high'])
    expect(rate(none, 89, none)).toEqual([89, 'high'])
    expect(rate(none, 90, none)).toEqual([90, 'critical'])
    expect(rate(100, 1, 1)).toEqual([100, 'critical'])
    expect(rate(none, none, 100)).toEqual([100, 'high'])
    expect(rate(none, none, 39)).toEqual([39, 'low'])
  })
})
