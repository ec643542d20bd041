import { describe, expect, it } from 'vitest'
import { scriptsOf } from '../../../core/code-scanner/lowering/texts.ts'

describe('the scripts of a text', () => {
  it.each([
    [
      '<b>x</b>\n<script lang="ts">let a</script>\n<i/>',
      '        \n                  let a         \n    ',
    ],
    ['<script src="a.js"></script><script>b()</script>', `${' '.repeat(36)}b()${' '.repeat(9)}`],
    ['---\nlet a\n---\n<b/>', '   \nlet a\n   \n    '],
    ['<script>open', '            '],
    ['no script', '         '],
  ])('stay at their places: %s', (text, scripts) => {
    expect(scriptsOf(text)).toBe(scripts)
  })

  it('are found in a text of tags alone', () => {
    const text = '<script>'.repeat(50_000)
    expect(scriptsOf(text)).toBe(' '.repeat(text.length))
  })
})
