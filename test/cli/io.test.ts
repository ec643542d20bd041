import { describe, expect, it } from 'vitest'
import { formatTable, toPrintable } from '../../adapters/cli/io.ts'

describe('untrusted text', () => {
  it('has its control characters escaped', () => {
    expect(toPrintable('a\u001b[2Jb\u0000\u009b')).toBe('a\\x1b[2Jb\\x00\\x9b')
  })

  it('cannot change the writing direction of the terminal', () => {
    const from = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index)
    const controls = [0x061c, 0x200e, 0x200f, ...from(0x202a, 0x202e), ...from(0x2066, 0x2069)]
    const text = String.fromCodePoint(...controls)
    const escaped = controls.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')
    expect(toPrintable(`a${text}b`)).toBe(`a${escaped}b`)
    expect(formatTable(['A'], [[`a${text}b`]]).split('\n')[1]).toBe(`a${escaped}b`)
  })

  it('keeps letters of all scripts', () => {
    expect(toPrintable('שלום  مرحبا\nZoë 日本')).toBe('שלום مرحبا Zoë 日本')
  })
})

describe('a table', () => {
  it('can have very many rows', () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => [index, 'x'])
    const lines = formatTable(['A', 'B'], rows).split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([200_001, '199999  x'])
  })
})
