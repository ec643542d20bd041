import { describe, expect, it } from 'vitest'
import {
  beginningOf,
  concat,
  fillReferences,
  fillSlots,
  fromReference,
  fromSlot,
  hasScheme,
  isSamePattern,
  joinSegments,
  onlyReference,
  referencesIn,
  replaceHead,
  replaceInText,
  toKey,
  toText,
} from '../../../core/code-scanner/model/pattern.ts'

const slot = { scope: 3, at: 0, name: 'path', key: '' }
const open = concat([fromReference(7), '/users/', fromSlot(slot)])

describe('a pattern', () => {
  it('is a string as long as no caller and no other file supplies a part', () => {
    expect(concat(['https://pay.net', '', '/{}'])).toBe('https://pay.net/{}')
    expect(open).toEqual({ parts: [{ reference: 7 }, '/users/', slot] })
  })

  it('becomes a string once all parts are known', () => {
    const filled = fillReferences(open, (index) => (index === 7 ? 'https://pay.net' : undefined))
    expect(filled).toEqual({ parts: ['https://pay.net/users/', slot] })
    expect(fillSlots(filled, () => 'me')).toBe('https://pay.net/users/me')
    expect(fillReferences(open, () => undefined)).toEqual({ parts: ['{}/users/', slot] })
    expect(fillSlots(open, () => undefined)).toEqual(open)
  })

  it('has holes as text for all that is open', () => {
    expect(toText(open)).toBe('{}/users/{}')
    expect(beginningOf(open)).toBe('')
    expect(referencesIn(open)).toEqual([7])
    expect(onlyReference(open)).toBeUndefined()
    expect(onlyReference(fromReference(7))).toBe(7)
  })

  it.each([
    [concat([fromReference(0), '://api.pay.net']), true],
    [concat(['http', fromReference(0), '://', fromReference(1)]), true],
    [concat(['https://', fromSlot(slot)]), true],
    [open, false],
    ['ftp://pay.net', false],
  ])('%j has a scheme of the web: %s', (pattern, expected) => {
    expect(hasScheme(pattern)).toBe(expected)
  })

  it('joins segments with one slash around open parts', () => {
    expect(joinSegments([fromReference(0), '/a/', '', fromSlot(slot), '?q'])).toEqual({
      parts: [{ reference: 0 }, '/a/', slot, '?q'],
    })
    expect(joinSegments(['x/', open, 'https://pay.net/'])).toBe('https://pay.net/')
  })

  it('replaces an unknown beginning and matches in its text only', () => {
    expect(replaceHead(open, 'b')).toEqual({ parts: ['b/users/', slot] })
    expect(replaceHead('{}/users', '')).toBe('/users')
    expect(replaceHead('/users', 'b')).toBe('/users')
    const find = /u(s)/g
    expect(replaceInText(open, { find, replace: ([, s = '']) => concat([s, fromSlot(slot)]) })) //
      .toEqual({ parts: [{ reference: 7 }, '/s', slot, 'ers/', slot] })
  })

  it('is compared by its parts', () => {
    expect(isSamePattern(open, concat([fromReference(7), '/users/', fromSlot(slot)]))).toBe(true)
    expect(isSamePattern(open, fromReference(7))).toBe(false)
    expect(isSamePattern(open, toKey(open))).toBe(false)
    expect(isSamePattern(undefined, undefined)).toBe(true)
  })

  it('never exceeds 2,000 characters', () => {
    expect(concat(['a'.repeat(1999), 'bcd'])).toBe(`${'a'.repeat(1999)}b`)
    expect(concat(['a'.repeat(2000), fromReference(1), 'c'])).toBe('a'.repeat(2000))
  })
})
