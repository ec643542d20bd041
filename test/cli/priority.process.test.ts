import { spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import process from 'node:process'
import { describe, expect, it } from 'vitest'

const SCRIPT = `
  import { getPriority } from 'node:os'
  import { lowerPriority } from '${new URL('../../adapters/cli/io.ts', import.meta.url).href}'
  console.log(lowerPriority(), getPriority())
`

describe('a long load', () => {
  // Runs in a child process, because a process cannot raise its priority again.
  it('lowers its priority', () => {
    const words = 'Deno' in globalThis ? ['eval', SCRIPT] : ['--eval', SCRIPT]
    const isNode = !('Deno' in globalThis || 'Bun' in globalThis)
    const { stdout } = spawnSync(
      process.execPath,
      isNode ? ['--input-type=module', ...words] : words,
      { encoding: 'utf8' },
    )
    expect(stdout).toBe(`true ${constants.priority.PRIORITY_BELOW_NORMAL}\n`)
  })
})
