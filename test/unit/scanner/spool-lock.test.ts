import { readFile, writeFile } from 'node:fs/promises'
import { ppid } from 'node:process'
import { describe, expect, it } from 'vitest'
import { LOCK, lockSpool } from '../../../adapters/scanner/live/spool-lock.ts'
import { makeFolder } from '../../helpers/folder.ts'

/** More than any system gives. */
const NOBODY = '4194305'

describe('a spool', () => {
  it('is of one scanner at a time, whose process it names', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf(LOCK)
    await writeFile(file, String(ppid))
    await expect(lockSpool(folder.pathOf('.'))).rejects.toThrow(
      `: the scanner of process ${ppid} does; if that is none, remove its ${LOCK}`,
    )
    expect(await readFile(file, 'utf8')).toBe(String(ppid))
    await folder.remove()
  })

  it.each([NOBODY, String(process.pid), '', 'x'])(
    'is taken over from a scanner that is gone (%j), and given back',
    async (former) => {
      const folder = await makeFolder()
      const file = folder.pathOf(LOCK)
      await writeFile(file, former)
      const unlock = await lockSpool(folder.pathOf('.'))
      expect(await readFile(file, 'utf8')).toBe(String(process.pid))
      await unlock()
      await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' })
      await folder.remove()
    },
  )
})
