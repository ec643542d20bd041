import { describe, expect, it } from 'vitest'
import { openScanThread } from '../../../adapters/scanner/scan-thread.ts'

const entry = new URL('../../helpers/scan-worker-child.ts', import.meta.url)

describe('a scanner thread', () => {
  it('names files that hang or crash as failed, and reads the others', async () => {
    const thread = await openScanThread({ root: '/', packages: [], maxFileMs: 300, entry })
    try {
      expect(await thread.scan(['a', 'crash', 'b', 'slow', 'c'])).toEqual({
        scans: [],
        files: 3,
        skipped: {},
        unread: [
          { path: 'crash', reason: 'failed' },
          { path: 'slow', reason: 'failed' },
        ],
      })
      expect(await thread.scan(['d'])).toEqual({
        ...{ scans: [], files: 1, skipped: {} },
        unread: [],
      })
    } finally {
      thread.close()
    }
  })

  it('falls back to the current thread if none can be started', async () => {
    const thread = await openScanThread({
      root: '/',
      packages: [],
      entry: new URL('none.ts', entry),
    })
    expect(await thread.scan(['none/a.ts'])).toEqual({
      scans: [],
      files: 0,
      skipped: {},
      unread: [{ path: 'none/a.ts', reason: 'unreadable' }],
    })
  })
})
