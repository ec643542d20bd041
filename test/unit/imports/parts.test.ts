import { describe, expect, it } from 'vitest'
import { joinResultChunks, splitReply } from '../../../adapters/isolate/result-chunks.ts'

describe('a long result', () => {
  const value = {
    name: 'large',
    short: [1, 2],
    list: Array.from({ length: 60 }, (_, index) => ({ index })),
    map: new Map(Array.from({ length: 26 }, (_, index) => [`key${index}`, index])),
  }

  it('is sent in chunks and reassembled', () => {
    const replies = splitReply({ kind: 'done', value })
    const parts = replies.filter((reply) => reply.kind === 'part')
    expect(parts.map(({ member, items }) => [member, items.length])).toEqual([
      ['list', 25],
      ['list', 25],
      ['list', 10],
      ['map', 25],
      ['map', 1],
    ])
    const last = replies.at(-1)
    expect(last).toEqual({
      kind: 'done',
      value: { name: 'large', short: [1, 2], list: [], map: new Map() },
    })
    expect(last?.kind === 'done' && joinResultChunks(last.value, parts)).toEqual(value)
  })

  it('stays whole if none of its members is long', () => {
    for (const whole of [{ list: [1] }, 'text', null, undefined]) {
      expect(splitReply({ kind: 'done', value: whole })).toEqual([{ kind: 'done', value: whole }])
    }
  })
})
