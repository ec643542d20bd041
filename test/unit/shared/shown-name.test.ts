import { describe, expect, it } from 'vitest'
import { toDisplayName } from '../../../core/shared/display-name.ts'

describe('a name in a message', () => {
  it('is unchanged in any script', () => {
    for (const name of ['', 'user id', 'größe[0].名前', '😀', 'x'.repeat(100)]) {
      expect(toDisplayName(name)).toBe(name)
    }
  })

  it('has escapes for invisible characters and direction marks', () => {
    expect(toDisplayName('a\r\nb\u0000\u001b[2J\u0085')).toBe(
      'a\\u000d\\u000ab\\u0000\\u001b[2J\\u0085',
    )
    expect(toDisplayName('a\u2028\u202e\u2066\ud800')).toBe('a\\u2028\\u202e\\u2066\\ud800')
  })

  it('is truncated to a hundred characters', () => {
    expect(toDisplayName('x'.repeat(1_000_000))).toBe(`${'x'.repeat(99)}…`)
  })
})
