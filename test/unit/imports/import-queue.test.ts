import { describe, expect, it } from 'vitest'
import { createImportQueue } from '../../../core/imports/import-queue.ts'

/** A queue that records the start of each import. */
function openQueue() {
  const queue = createImportQueue({ largeBytes: 100, maxWaitingBytes: 1000 })
  const started: string[] = []
  const enter = async (name: string, bytes: number, signal?: AbortSignal) => {
    const leave = await queue.enter(bytes, signal)
    started.push(name)
    return leave
  }
  return { enter, started }
}

/** Waits until all runnable tasks have run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

describe('large imports', () => {
  it('run one at a time in order, while small ones start immediately', async () => {
    const { enter, started } = openQueue()
    const leave = await enter('first', 500)
    const second = enter('second', 400)
    const third = enter('third', 400)
    for (const name of ['small', 'smaller']) await enter(name, 99)
    expect(started).toEqual(['first', 'small', 'smaller'])
    leave()
    leave()
    await settle()
    expect(started).toEqual(['first', 'small', 'smaller', 'second'])
    const leaveSecond = await second
    leaveSecond()
    await third
    expect(started.at(-1)).toBe('third')
  })

  it('are rejected with a retry time if the queue is full', async () => {
    const { enter, started } = openQueue()
    const leave = await enter('first', 5000)
    const second = enter('second', 700)
    await expect(enter('third', 301)).rejects.toMatchObject({
      code: 'overloaded',
      message: 'Cannot import now: other large descriptions are waiting. Try again in 30 seconds',
      retryAfter: 30,
    })
    const fourth = enter('fourth', 300)
    leave()
    ;(await second)()
    ;(await fourth)()
    expect(started).toEqual(['first', 'second', 'fourth'])
    ;(await enter('fifth', 5000))()
  })

  it('skip a client that disconnected before', async () => {
    const { enter, started } = openQueue()
    const leave = await enter('first', 500)
    const second = enter('second', 900, AbortSignal.abort())
    await expect(Promise.race([second, settle()])).rejects.toMatchObject({ code: 'too_expensive' })
    const third = enter('third', 1000)
    leave()
    ;(await third)()
    expect(started).toEqual(['first', 'third'])
  })

  it('leave the queue if their clients disconnect', async () => {
    const { enter, started } = openQueue()
    const leave = await enter('first', 500)
    const client = new AbortController()
    const second = enter('second', 900, client.signal)
    client.abort()
    await expect(second).rejects.toMatchObject({ code: 'too_expensive' })
    const third = enter('third', 900)
    leave()
    await third
    expect(started).toEqual(['first', 'third'])
  })
})
