import { expect, it } from 'vitest'
import { VENDOR_PACKAGES } from '../../../core/vendors/packages.ts'
import purposes from '../../../core/vendors/purposes.json' with { type: 'json' }
import { VENDORS } from '../../../core/vendors/vendors.ts'

it('each purpose has known vendors and hosts, each in one purpose only', () => {
  const names = Object.values(purposes).flatMap((each) => each.split(', '))
  const known = new Set([...VENDORS, ...VENDOR_PACKAGES].map(({ vendor }) => vendor))
  expect(
    names.filter((name) => !known.has(name) && !/^[\w{}-]+(?:\.[\w{}-]+)+/.test(name)),
  ).toEqual([])
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  const words = Object.keys(purposes)
  expect(words.filter((purpose) => purpose.length > 13)).toEqual([])
})
