import { readdir, readFile, writeFile } from 'node:fs/promises'
import { pid, ppid } from 'node:process'
import { describe, expect, it } from 'vitest'
import { lockSpool } from '../../../adapters/scanner/live/lock-spool.ts'
import { openSpool } from '../../../adapters/scanner/live/spool.ts'
import { makeFolder } from '../../helpers/folder.ts'

/** Greater than the highest process ID of any system. */
const UNUSED_PID = '4194305'

const OWN = `scanner-${pid}.pid`

describe('a spool', () => {
  it('is locked by one scanner at a time, and names its process', async () => {
    const folder = await makeFolder()
    const other = `scanner-${ppid}.pid`
    await writeFile(folder.pathOf(other), '')
    await expect(lockSpool(folder.pathOf('.'))).rejects.toThrow(
      `: process ${ppid} is using it. If that process is not a scanner, delete ${folder.pathOf(other)}`,
    )
    expect(await readdir(folder.pathOf('.'))).toEqual([other])
    await folder.remove()
  })

  it('is locked by one scanner of a process at a time', async () => {
    const folder = await makeFolder()
    const path = folder.pathOf('.')
    const results = await Promise.allSettled([lockSpool(path), lockSpool(path), lockSpool(path)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    await folder.remove()
  })

  it.each([`scanner-${UNUSED_PID}.pid`, OWN])(
    'replaces the lock of a scanner that has exited (%s), and unlocks on close',
    async (former) => {
      const folder = await makeFolder()
      await writeFile(folder.pathOf(former), '')
      const unlock = await lockSpool(folder.pathOf('.'))
      expect(await readdir(folder.pathOf('.'))).toEqual([OWN])
      await unlock()
      expect(await readdir(folder.pathOf('.'))).toEqual([])
      await folder.remove()
    },
  )

  it('keeps the lock of a later scanner if it is closed twice', async () => {
    const folder = await makeFolder()
    const given = { folder: folder.pathOf('.'), key: 'a', head: {} }
    const first = await openSpool(given)
    await first.close()
    const second = await openSpool(given)
    await first.close()
    await expect(openSpool(given)).rejects.toThrow('another scanner in this process is using it')
    await second.remove()
    expect(await readdir(folder.pathOf('.'))).toEqual([])
    await folder.remove()
  })

  it('is unlocked if it is invalid', async () => {
    const folder = await makeFolder()
    const given = { folder: folder.pathOf('.'), key: 'a', head: {} }
    await writeFile(folder.pathOf('scan.json'), '{')
    await expect(openSpool(given)).rejects.toThrow('its file scan.json is invalid')
    expect(await readdir(folder.pathOf('.'))).toEqual(['scan.json'])
    expect(await readFile(folder.pathOf('scan.json'), 'utf8')).toBe('{')
    await folder.remove()
  })
})
