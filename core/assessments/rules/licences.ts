import { toSpdxId } from '../../shared/spdx.ts'
import type { AssessmentFacts, AssessmentRule, LicenceFact, StatementEvidence } from '../records.ts'

/** SPDX IDs by conditions, from strict to permissive. */
const FAMILIES = {
  'non-commercial': /^(?:CC-BY-NC-|PolyForm-Noncommercial)/,
  'source-available': /^(?:BUSL-|Elastic-|PolyForm-(?!Noncommercial))/,
  'network-copyleft': /^(?:AGPL-|SSPL-|OSL-|EUPL-|CPAL-|NPOSL-)/,
  copyleft: /^GPL-/,
  'weak-copyleft': /^(?:LGPL-|MPL-|EPL-|CDDL-|CPL-|APSL-|QPL-|MS-RL)/,
  'share-alike': /^(?:CC-BY-SA-|ODbL-|GFDL-|CDLA-Sharing)/,
  'no-derivatives': /^CC-BY-ND-/,
  'public-domain': /^(?:CC0-|PDDL-|Unlicense|0BSD|MIT-0)/,
  permissive:
    /^(?:MIT|Apache-|BSD-|ISC|BSL-1|CC-BY-\d|ODC-By|OGL-|Zlib|W3C|NCSA|UPL-|PostgreSQL|Artistic-|BlueOak-|Unicode-|CDLA-Permissive|MulanPSL|MS-PL|X11|HPND|AFL-|ECL-|Python-|PSF-|ZPL-|WTFPL|Vim)/,
} as const satisfies Readonly<Record<string, RegExp>>

export type LicenceFamily = keyof typeof FAMILIES

const FAMILY_NAMES = Object.keys(FAMILIES) as readonly LicenceFamily[]

/**
 * Returns the family of a licence by its SPDX ID; undefined if it has none.
 *
 * @example
 * ```ts
 * import { toLicenceFamily } from 'api-discovery/assessments'
 *
 * toLicenceFamily('AGPL-3.0-only') // 'network-copyleft'
 * toLicenceFamily('LicenseRef-Own') // undefined
 * ```
 */
export function toLicenceFamily(spdxId: string): LicenceFamily | undefined {
  return FAMILY_NAMES.find((name) => FAMILIES[name].test(spdxId))
}

/**
 * Finds the family like `toLicenceFamily`, but also accepts names without a version, such as `GNU
 * GPL`, if all versions are in the same family.
 */
export function findLicenceFamily(licence: Pick<LicenceFact, 'name' | 'spdxId'>) {
  return toLicenceFamily(toTypicalId(licence))
}

/**
 * Returns the SPDX ID, or that of any version; empty if the versions belong to different families.
 */
function toTypicalId({ name, spdxId }: Pick<LicenceFact, 'name' | 'spdxId'>): string {
  if (spdxId !== '') return spdxId
  const ids = COMMON_VERSIONS.map((version) => toSpdxId({ name: `${name} ${version}` })).filter(
    Boolean,
  )
  const families = new Set(ids.map(toLicenceFamily))
  return families.size === 1 ? (ids[0] ?? '') : ''
}

const COMMON_VERSIONS = ['1.0', '1.1', '1.2', '2.0', '2.1', '2.5', '3.0', '4.0'] as const

const findInFamily =
  (family: LicenceFamily) =>
  ({ licences }: AssessmentFacts): StatementEvidence | undefined => {
    const found = licences.find((licence) => findLicenceFamily(licence) === family)
    return found && createLicenceEvidence(found)
  }

function createLicenceEvidence({ name, spdxId, url, at }: LicenceFact): StatementEvidence {
  const quote = name === spdxId || spdxId === '' ? name : `${name} (${spdxId})`
  return { source: 'licence', quote, link: url, at }
}

/** Licences by SPDX ID. */
export const LICENCE_RULES: readonly AssessmentRule[] = [
  {
    id: 'licence-non-commercial',
    category: 'business_model',
    classification: 'bad',
    statement: 'The licence does not allow commercial use',
    applies: 'a licence is CC-BY-NC-… or PolyForm-Noncommercial',
    when: findInFamily('non-commercial'),
  },
  {
    id: 'licence-source-available',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'The licence restricts use in services',
    applies: 'a licence is BUSL-1.1 or Elastic-2.0',
    when: findInFamily('source-available'),
  },
  {
    id: 'licence-network-copyleft',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'The licence is copyleft, also for use over a network',
    applies: 'a licence is AGPL, SSPL, OSL, EUPL, CPAL or NPOSL',
    when: findInFamily('network-copyleft'),
  },
  {
    id: 'licence-copyleft',
    category: 'developer_restrictions',
    classification: 'bad',
    statement: 'The licence is copyleft',
    applies: 'a licence is GPL',
    when: findInFamily('copyleft'),
  },
  {
    id: 'licence-weak-copyleft',
    category: 'developer_restrictions',
    classification: 'neutral',
    statement: 'The licence is weak copyleft',
    applies: 'a licence is LGPL, MPL, EPL, CDDL, CPL, APSL, QPL or MS-RL',
    when: findInFamily('weak-copyleft'),
  },
  {
    id: 'licence-share-alike',
    category: 'data_ownership',
    classification: 'neutral',
    statement: 'Derived data must be shared under the same licence',
    applies: 'a licence is CC-BY-SA, ODbL, GFDL or CDLA-Sharing',
    when: findInFamily('share-alike'),
  },
  {
    id: 'licence-no-derivatives',
    category: 'data_ownership',
    classification: 'bad',
    statement: 'The licence does not allow derivative works',
    applies: 'a licence is CC-BY-ND-…',
    when: findInFamily('no-derivatives'),
  },
  {
    id: 'licence-public-domain',
    category: 'developer_restrictions',
    classification: 'good',
    statement: 'The licence has no conditions',
    applies:
      'a licence is CC0 or PDDL; or Unlicense, 0BSD or MIT-0 if no terms of service are linked',
    when: (facts) => {
      const found = findFreeLicence(facts, 'public-domain')
      return found && (isContentLicence(found) || !hasTerms(facts))
        ? createLicenceEvidence(found)
        : undefined
    },
  },
  {
    id: 'licence-permissive',
    category: 'developer_restrictions',
    classification: 'good',
    statement: 'The licence is permissive',
    applies:
      'a licence is MIT, Apache, BSD, ISC, CC-BY or similar; software licences count only if no terms of service are linked',
    when: (facts) => {
      const found = findFreeLicence(facts, 'permissive')
      return found && (isContentLicence(found) || !hasTerms(facts))
        ? createLicenceEvidence(found)
        : undefined
    },
  },
  {
    id: 'licence-beside-terms',
    category: 'developer_restrictions',
    classification: 'neutral',
    statement: 'A permissive software licence is named, but terms of service apply',
    applies:
      'a licence is MIT, Apache, BSD, ISC, Unlicense or similar, and terms of service are linked',
    when: (facts) => {
      const found = findFreeLicence(facts, 'permissive') ?? findFreeLicence(facts, 'public-domain')
      return found && !isContentLicence(found) && hasTerms(facts)
        ? createLicenceEvidence(found)
        : undefined
    },
  },
  {
    id: 'licence-proprietary',
    category: 'developer_restrictions',
    classification: 'neutral',
    statement: 'The licence name indicates a proprietary licence',
    applies:
      'the name of a licence without an SPDX ID contains proprietary, commercial or all rights reserved',
    when: ({ licences }) => {
      const found = licences.find(
        ({ name, spdxId }) =>
          spdxId === '' &&
          /\b(?:proprietary|commercial|all rights reserved)\b/i.test(name) &&
          !/\bnon-? ?(?:proprietary|commercial)\b/i.test(name),
      )
      return found && { source: 'licence', quote: found.name, link: found.url, at: found.at }
    },
  },
]

/** Prefers content licences: they determine the use of responses. */
function findFreeLicence(
  { licences }: AssessmentFacts,
  family: 'permissive' | 'public-domain',
): LicenceFact | undefined {
  const found = licences.filter((licence) => findLicenceFamily(licence) === family)
  return found.find(isContentLicence) ?? found[0]
}

function isContentLicence(licence: LicenceFact): boolean {
  return /^(?:CC-BY-|CC0-|PDDL-|ODC-By-|OGL-|CDLA-|Unicode-)/.test(toTypicalId(licence))
}

/** A description's licence often covers the file or a client only: the terms govern the service. */
function hasTerms({ agreements }: AssessmentFacts): boolean {
  return agreements.some(({ kind }) => kind === 'TermsOfService')
}
