import { describe, expect, it } from 'vitest'
import { withoutBases } from '../../../../core/scans/report/bases.ts'
import { toFinding } from '../../../helpers/findings.ts'

const PAY = 'https://api.acme.io/v1/payments'

describe('findings without bases', () => {
  it.each([
    ['https://api.acme.io', true],
    ['https://api.acme.io/v1', true],
    ['https://api.acme.io/v1/', true],
    [PAY, true],
    [`${PAY}/{}/{}`, true],
    ['https://api.acme.io/v1/pay', false],
    ['https://api.acme.io/v2', false],
    [`${PAY}/7`, false],
  ])('know whether a call is built on %s: %s', (url, isLeftOut) => {
    const call = toFinding(PAY)
    const base = toFinding(url, { via: 'base', method: undefined })
    expect(withoutBases([base, call])).toEqual(isLeftOut ? [call] : [base, call])
  })

  it('keep a base that is used as it stands, and bases alone', () => {
    const base = toFinding(PAY, { via: 'base', method: undefined })
    const literal = toFinding(PAY, { via: 'literal', method: undefined, line: 9 })
    expect(withoutBases([base, literal])).toEqual([base, literal])
    const deeper = toFinding(`${PAY}/x`, { via: 'base', method: undefined })
    expect(withoutBases([base, deeper])).toEqual([base, deeper])
  })
})
