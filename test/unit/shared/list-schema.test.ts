import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { InputIssue } from '../../../core/errors.ts'
import { checkValue } from '../../../core/http/input-issues.ts'
import { newEndpointSchema } from '../../../core/scans/wire.ts'
import { boundedList } from '../../../core/shared/list-schema.ts'

describe('a list of bounded length', () => {
  it('accepts up to the maximum number of items, parsed by their schema', () => {
    const list = boundedList(v.pipe(v.string(), v.toUpperCase()), 2)
    expect(v.parse(list, ['a', 'b'])).toEqual(['A', 'B'])
    expect(toJsonSchema(boundedList(v.string(), 2))).toMatchObject({
      type: 'array',
      items: { type: 'string' },
      maxItems: 2,
    })
    expect(v.safeParse(list, 'a').success).toBe(false)
  })

  it('does not validate items if there are too many', () => {
    let looks = 0
    const item = v.check<number, string>(() => {
      looks += 1
      return false
    }, 'is wrong')
    const list = boundedList(v.pipe(v.number(), item), 3)
    const { issues } = v.safeParse(list, [1, 2, 3, 4])
    expect(issues?.map(({ message }) => message)).toEqual(['must have at most 3 items'])
    expect(looks).toBe(0)
  })

  it('is reported once, by its name, in scans', () => {
    const issues: InputIssue[] = []
    const row = { endpoint_url: 'https://api.example.com', found_in: Array(200_000).fill(1) }
    checkValue(newEndpointSchema, row, issues)
    expect(issues).toEqual([
      { in: 'body', name: 'found_in', message: 'must have at most 1000 items' },
    ])
  })
})
