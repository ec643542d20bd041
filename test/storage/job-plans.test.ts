import { describe, expect, it } from 'vitest'
import { ADA } from '../conformance/storage/gateway-samples.ts'
import {
  claimAt,
  claimSome,
  DONE,
  KIND,
  NOW,
  sampleJob,
} from '../conformance/storage/job-samples.ts'
import { openNoting } from '../helpers/noting-sqlite.ts'

describe('a queue with many ended jobs', () => {
  it('is claimed, extended, cancelled and swept without a full read or sort', async () => {
    const { storage, noted, explain } = await openNoting(() => NOW)
    const { jobs } = storage
    noted.clear()
    await jobs.addJob(sampleJob({ lock: 'one' }))
    await jobs.addJob(sampleJob({ lock: 'one' })).catch(() => undefined)
    await jobs.endJob(await claimSome(jobs, NOW), { ...DONE, now: NOW })
    expect(await claimAt(jobs, NOW, [KIND, 'other'])).toBe(undefined)
    await jobs.findJob(ADA, { kind: KIND, subject: 'weather' })
    await jobs.findJob(ADA, { kind: KIND, number: 1 })
    await jobs.cancelJobs({ kind: KIND, now: NOW })
    await jobs.sweepJobs({ before: NOW, limit: 10 })
    const steps = [...noted].filter((sql) => sql.includes('"job"')).flatMap(explain)
    expect(steps.length).toBeGreaterThan(8)
    expect(steps.filter((step) => step.includes('job_of_state'))).toEqual([])
    expect(steps.filter((step) => /^SCAN job|TEMP B-TREE/.test(step))).toEqual([])
    await storage.close()
  })

  it('is listed by job number, reading only the jobs of one page', async () => {
    const { storage, noted, explain } = await openNoting(() => NOW)
    noted.clear()
    for (const kind of [KIND, undefined]) {
      await storage.jobs.listJobs(ADA, { kind, page: 2, size: 10 })
    }
    const steps = [...noted].flatMap(explain)
    expect(steps.length).toBeGreaterThan(4)
    expect([...noted].filter((sql) => /"(?:input|checkpoint|result)"|\*/.test(sql))).toEqual([
      expect.stringContaining('count(*)'),
      expect.stringContaining('count(*)'),
    ])
    const reads = steps.filter((step) => step.startsWith('S'))
    expect(reads.filter((step) => !/COVERING INDEX|\(rowid=\?\)/.test(step))).toEqual([])
    await storage.close()
  })
})
