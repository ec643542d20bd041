import { describe, expect, it } from 'vitest'
import { readEpss } from '../../../../core/vulnerabilities/feeds/epss.ts'
import { collectUntilError, toChunks } from './bytes.ts'

describe('readEpss', () => {
  it('reads the format of FIRST.org, regardless of chunk boundaries', async () => {
    const csv =
      '#model_version:v2025.03.14,score_date:2030-01-05T12:55:00Z\r\n' +
      'cve,epss,percentile\r\n' +
      'CVE-1999-0001,0.01297,0.79612\r\n' +
      'CVE-2030-123456789,1,1.00000\r\n' +
      'CVE-2030-0002,4.3e-4,.5'
    for (const sizes of [[1], [7], [1000]]) {
      expect(await readScores(csv, sizes)).toEqual({
        scores: [
          { id: 'CVE-1999-0001', score: 0.01297, percentile: 0.79612 },
          { id: 'CVE-2030-123456789', score: 1, percentile: 1 },
          { id: 'CVE-2030-0002', score: 0.00043, percentile: 0.5 },
        ],
        problems: [],
        modelVersion: 'v2025.03.14',
        scoredAt: Date.UTC(2030, 0, 5),
        error: undefined,
      })
    }
  })

  it('reads values separated by semicolons, without a header', async () => {
    const csv = '\ufeffCVE-1999-1593;0.181260000;0.969460000\n\nCVE-1999-1592;0;0.59\n'
    expect(await readScores(csv)).toEqual({
      scores: [
        { id: 'CVE-1999-1593', score: 0.18126, percentile: 0.96946 },
        { id: 'CVE-1999-1592', score: 0, percentile: 0.59 },
      ],
      problems: [],
      modelVersion: undefined,
      scoredAt: undefined,
      error: undefined,
    })
  })

  it('skips malformed lines and reports their numbers', async () => {
    const lines = [
      'cve,epss,percentile',
      'CVE-2030-0001,0.1,0.2',
      'CVE-2030-1,0.1,0.2',
      'CVE-2030-0003,1.1,0.2',
      'CVE-2030-0004,0.1',
      'CVE-2030-0005,,0.2',
      'CVE-2030-0006,0x1,0.2',
      'CVE-2030-0007,0.1,-0.2',
      'hello',
      `CVE-2030-0008,0.1,0.2${' '.repeat(2000)}`,
      'CVE-2030-0009,0.1,0.2,0.3',
      'CVE-2030-0010,0.3,0.4',
    ]
    for (const sizes of [[13], [100_000]]) {
      const { scores, problems } = await readScores(lines.join('\n'), sizes)
      expect(scores).toEqual([
        { id: 'CVE-2030-0001', score: 0.1, percentile: 0.2 },
        { id: 'CVE-2030-0010', score: 0.3, percentile: 0.4 },
      ])
      expect(problems.map(({ message }) => message)).toEqual([
        'Cannot read line 3: it must begin with a CVE ID',
        'Cannot read line 4: the score must be a number from 0 to 1',
        'Cannot read line 5: the percentile must be a number from 0 to 1',
        'Cannot read line 6: the score must be a number from 0 to 1',
        'Cannot read line 7: the score must be a number from 0 to 1',
        'Cannot read line 8: the percentile must be a number from 0 to 1',
        'Cannot read line 9: it must begin with a CVE ID',
        'Cannot read line 10: it is longer than 1000 characters',
        'Cannot read line 11: the percentile must be a number from 0 to 1',
      ])
    }
  })

  it.each(['', 'cve,epss,percentile\n', '{"cve":1}'])('rejects %j', async (document) => {
    expect(await readScores(document)).toMatchObject({
      scores: [],
      error: 'Cannot read the document: it contains no EPSS scores',
    })
  })
})

async function readScores(csv: string, sizes?: readonly number[]) {
  const { items, error } = await collectUntilError(readEpss(toChunks(csv, sizes)))
  return {
    scores: items.flatMap(({ scores }) => scores),
    problems: items.flatMap(({ problems }) => problems),
    modelVersion: items.at(-1)?.modelVersion,
    scoredAt: items.at(-1)?.scoredAt,
    error,
  }
}
