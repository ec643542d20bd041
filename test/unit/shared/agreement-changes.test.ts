import { describe, expect, it } from 'vitest'
import { findAgreementKind, isBindingKind } from '../../../core/shared/agreement-kinds.ts'
import { type AgreementState, matchAgreements } from '../../../core/shared/match-agreements.ts'

function agreement(kind: string, link: string, name: string = kind): AgreementState {
  return { kind, name, link, spdxId: '', text: undefined }
}

/** Returns the links of each pair before and after, then the removed ones. */
function pair(former: readonly AgreementState[], wanted: readonly AgreementState[]) {
  const { pairs, removed } = matchAgreements(former, wanted)
  return [
    ...pairs.map(({ former: before, wanted: after }) => `${before?.link ?? ''}>${after.link}`),
    ...removed.map(({ link }) => `${link}>`),
  ]
}

describe('agreements before and after', () => {
  it('match by link, else name, else as the only ones of their kind', () => {
    const terms = agreement('Terms', 'a')
    expect(pair([terms], [terms])).toEqual(['a>a'])
    expect(pair([terms], [agreement('Terms', 'a', 'Other')])).toEqual(['a>a'])
    expect(pair([terms, agreement('Terms', 'b', 'B')], [agreement('Terms', 'c')])).toEqual([
      'a>c',
      'b>',
    ])
    expect(pair([terms], [agreement('Terms', 'c', 'New')])).toEqual(['a>c'])
    expect(pair([terms], [agreement('Pricing', 'a')])).toEqual(['>a', 'a>'])
    const two = [agreement('Terms', 'c', 'C'), agreement('Terms', 'd', 'D')]
    expect(pair([terms], two)).toEqual(['>c', '>d', 'a>'])
    expect(pair([terms, { ...terms }], [terms])).toEqual(['a>a', 'a>'])
    expect(pair([], [terms])).toEqual(['>a'])
  })

  it('prefer a match by link to one by name', () => {
    const [first, second] = [agreement('Terms', 'a', 'T'), agreement('Terms', 'b', 'T')]
    expect(pair([first, second], [agreement('Terms', 'b', 'T')])).toEqual(['b>b', 'a>'])
  })
})

describe('the kind of an agreement', () => {
  it.each([
    ['x-privacy-policy', 'PrivacyPolicy'],
    ['x-termsOfService', 'TermsOfService'],
    ['X-TOS', 'TermsOfService'],
    ['x-service-level-agreement', 'ServiceLevelAgreement'],
    ['x-sla', 'ServiceLevelAgreement'],
    ['x-licence', 'InterfaceLicense'],
    ['x-pricing', 'Pricing'],
    ['x-rateLimits', 'RateLimits'],
    ['x-status-page', 'StatusPage'],
    ['x-changelog', 'ChangeLog'],
    ['x-deprecation-policy', 'DeprecationPolicy'],
    ['Terms & Conditions', 'TermsOfService'],
    ['License agreement', 'TermsOfService'],
    ['Support', 'Support'],
    ['x-logo', undefined],
    ['x-photos', undefined],
    ['x-determinism', undefined],
    ['x-translate', undefined],
    ['', undefined],
  ])('of the name %j is %s', (label, kind) => {
    expect(findAgreementKind(label)?.kind).toBe(kind)
  })

  it('binds callers unless it is informational', () => {
    const kinds = [
      'TermsOfService',
      'Pricing',
      'Agreement',
      'Documentation',
      'Support',
      'ChangeLog',
      'Security',
    ]
    expect(kinds.filter(isBindingKind)).toEqual(['TermsOfService', 'Pricing', 'Agreement'])
  })
})
