import type { AssessmentFacts, Sentence } from '../../../core/assessments/records.ts'
import { splitSentences } from '../../../core/assessments/sentences.ts'

const AT = Date.UTC(2026, 2, 14)

/** Facts of an API to which no rule applies, except for the facts that a test adds. */
export function createFacts(given: Partial<AssessmentFacts> = {}): AssessmentFacts {
  return {
    api: createApi(),
    now: AT,
    importedAt: (given.api ?? createApi()).updatedAt,
    agreements: [],
    licences: [],
    sentences: [],
    endpoints: {
      count: 10,
      deprecated: 0,
      deprecatedNames: [],
      read: 10,
      undescribed: ['GET /a'],
      answered: ['GET /b'],
      open: [],
      undeclaredKeys: [],
      limits: [],
      limited: [],
    },
    vulnerabilities: { count: 0, exploited: 0, critical: 0, found: [] },
    rateLimitTest: undefined,
    recorded: undefined,
    ...given,
  }
}

/** An API that was imported nine months ago and requires a header. */
export function createApi(given: Partial<AssessmentFacts['api']> = {}): AssessmentFacts['api'] {
  const at = AT - 270 * 86_400_000
  return {
    id: 1,
    encryptedId: 'abc',
    kind: 'http',
    name: 'Weather',
    version: '1.0',
    majorVersion: '1',
    description: '',
    homepage: 'https://docs.sky.example',
    authTypes: ['header'],
    licenses: [],
    servers: [],
    tags: [],
    contact: { name: '', url: '', email: '' },
    image: '',
    vendor: {
      id: 1,
      encryptedId: 'v',
      name: 'Sky',
      homepage: 'https://sky.example',
      description: '',
      isPublic: true,
      image: '',
      countries: [],
      createdAt: at,
    },
    categoryId: undefined,
    isPublic: true,
    isImplemented: true,
    isClaiming: false,
    canClaim: false,
    isAgreementsRestricted: false,
    countries: [],
    isDescribed: true,
    sourceDigest: '',
    createdAt: at,
    updatedAt: at,
    ...given,
  }
}

/** Facts with a text of the terms or of the description. */
export function ofText(text: string, kind = 'TermsOfService'): AssessmentFacts {
  const of = { source: 'Terms', link: 'https://sky.example/terms', at: AT }
  const sentences: readonly Sentence[] = [...splitSentences(text, { kind, of })]
  return createFacts({ sentences })
}
