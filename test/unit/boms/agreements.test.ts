import { describe, expect, it } from 'vitest'
import { isLicense } from '../../../core/boms/agreements.ts'

describe('a licence', () => {
  it.each(['MIT', 'Apache-2.0', 'MIT OR Apache-2.0', 'License', 'End User License Agreement', ''])(
    'can be named %j',
    (name) => expect(isLicense({ name })).toBe(true),
  )

  it.each([
    'Terms of service',
    'Terms and Conditions',
    'Privacy policy',
    'Service level agreement',
    'Pricing',
    'Support',
    'Status page',
    'Master contract',
  ])('is not named %j', (name) => expect(isLicense({ name })).toBe(false))
})
