import { describe, expect, it } from 'vitest'
import { cleanValue } from '../../../core/imports/read-description.ts'

const clean = (json: string) => cleanValue(JSON.parse(json), json)

describe('cleanValue', () => {
  it('replaces NUL and lone surrogates in values and keys, and keeps surrogate pairs', () => {
    expect(
      clean(String.raw`{"a\u0000":["b\ud800","\udc00c","\ud83d\ude00","\u0000\u0000"]}`),
    ).toEqual({ 'a\ufffd': ['b\ufffd', '\ufffdc', '\u{1f600}', '\ufffd\ufffd'] })
  })

  it('copies only changed parts', () => {
    const value = { clean: { list: ['\u{1f600}'] }, suspect: ['\ud800', { deep: 1 }] }
    const cleaned = cleanValue(value, String.raw`\ud83d`) as typeof value

    expect(cleaned).not.toBe(value)
    expect(cleaned.clean).toBe(value.clean)
    expect(cleaned.suspect).toEqual(['\ufffd', { deep: 1 }])
    expect(cleaned.suspect[1]).toBe(value.suspect[1])
    expect(value.suspect[0]).toBe('\ud800')
  })

  it('returns a clean value unchanged', () => {
    const value = { list: [{ name: '\u{1f600}' }] }

    expect(cleanValue(value, String.raw`\ud83d\ude00`)).toBe(value)
  })

  it('cleans an object with two occurrences once', () => {
    const shared = { text: '\ud800' }
    const cleaned = cleanValue([shared, shared], String.raw`\ud800`) as unknown[]

    expect(cleaned[0]).toEqual({ text: '\ufffd' })
    expect(cleaned[1]).toBe(cleaned[0])
  })
})
