import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import type { Job } from '../../core/jobs/records.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { sampleJob } from '../conformance/storage/job-samples.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { startScript } from '../helpers/script.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))

let folder: TestFolder
let storage: FullStorage

beforeAll(async () => {
  folder = await makeFolder()
  storage = await openSqlite({ file: folder.pathOf('apis.db') })
})

afterAll(async () => {
  await storage.close()
  await folder.remove()
})

function startCli(words: readonly string[]) {
  return startScript([MAIN, ...words, '--database', folder.pathOf('apis.db')], {
    cwd: folder.pathOf('.'),
  })
}

/** A job without content, which fails. */
function addJob(): Promise<Job> {
  return storage.jobs.addJob(sampleJob({ kind: 'rate-limit-test', input: '{}', maxAttempts: 1 }))
}

async function waitForEnd(id: number): Promise<Job | undefined> {
  for (let tries = 0; tries < 200; tries += 1) {
    const job = await storage.jobs.findJob(undefined, { id })
    if (job?.endedAt !== undefined) return job
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return storage.jobs.findJob(undefined, { id })
}

describe('serve', () => {
  it('runs queued jobs, except with --no-jobs', async () => {
    const idle = await startCli(['serve', '--port', '0', '--no-jobs'])
    const { id } = await addJob()
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(await storage.jobs.findJob(undefined, { id })).toMatchObject({ state: 'queued' })
    const busy = await startCli(['serve', '--port', '0', '--keep-jobs-days', '7'])
    expect(await waitForEnd(id)).toMatchObject({ state: 'failed', attempts: 1 })
    const later = await addJob()
    expect(await waitForEnd(later.id)).toMatchObject({ state: 'failed', attempts: 1 })
    await busy.end()
    await idle.end()
  })
})
