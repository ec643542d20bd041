import { describe, expect, it } from 'vitest'
import { createScanProgress } from '../../adapters/cli/folder-scan.ts'
import type { Io } from '../../adapters/cli/io.ts'
import { createProcessIo } from '../../adapters/cli/io.ts'

describe('the progress of a scan', () => {
  it('is one line, redrawn on a terminal at most every 0.1 seconds', async () => {
    const lines: (string | undefined)[] = []
    const io: Io = { ...createProcessIo(), isInteractive: true, status: (line) => lines.push(line) }
    const progress = createScanProgress(io)
    const wait = () => new Promise((resolve) => setTimeout(resolve, 130))
    progress.show({ done: 1, known: 64, isWalked: false, seen: 0 })
    await wait()
    progress.show({ done: 64, known: 128, isWalked: false, seen: 1 })
    progress.show({ done: 65, known: 128, isWalked: false, seen: 1 })
    await wait()
    progress.show({ done: 96, known: 128, isWalked: true, seen: 7 })
    progress.end()
    expect(lines).toEqual([
      '64 files scanned, 128 found so far  1 possible usage',
      `${'█'.repeat(18)}${'░'.repeat(6)} 96/128 files  7 possible usages`,
      undefined,
    ])
  })
})
