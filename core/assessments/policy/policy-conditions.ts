/** Describes a policy condition, for parsing and documentation. */
interface PolicyConditionEntry {
  readonly kind: string
  /** Notation: `cve>=N`. */
  readonly form: string
  /** In PascalCase, for reports. */
  readonly name: string
  /** What is evaluated; `project` covers usages and hosts without a catalogued API. */
  readonly about: 'api' | 'project' | 'both'
  /** When the condition applies. */
  readonly applies: string
  /** Whether it applies if the facts are unknown. */
  readonly unknown: string
  /** How to resolve a violation. */
  readonly help: string
}

const PASSES = 'passes'

/** All policy conditions, in the order of the documentation. */
export const POLICY_CONDITIONS = [
  {
    kind: 'no-terms',
    form: 'no-terms',
    name: 'NoTerms',
    about: 'api',
    applies: 'no licence and no binding agreement of the API or its vendor is known',
    unknown: 'applies: unknown terms cannot be complied with',
    help: 'Find the terms and add them with "api-discovery agreements set".',
  },
  {
    kind: 'no-licence',
    form: 'no-licence',
    name: 'NoLicence',
    about: 'api',
    applies: 'no licence of the API is known',
    unknown: 'applies',
    help: 'Find the licence and add it with "api-discovery agreements set".',
  },
  {
    kind: 'no-privacy-policy',
    form: 'no-privacy-policy',
    name: 'NoPrivacyPolicy',
    about: 'api',
    applies: 'no privacy policy of the API or its vendor is known',
    unknown: 'applies',
    help: 'Find the privacy policy and add it with "api-discovery agreements set".',
  },
  {
    kind: 'no-country',
    form: 'no-country',
    name: 'NoCountry',
    about: 'api',
    applies: 'no country of the API or its vendor is known',
    unknown: 'applies',
    help: "Add the vendor's countries.",
  },
  {
    kind: 'copyleft',
    form: 'copyleft',
    name: 'Copyleft',
    about: 'api',
    applies:
      'a licence is copyleft, with or without network use (GPL, AGPL, SSPL, EUPL, …), but not weak copyleft',
    unknown: PASSES,
    help: 'Have the licence reviewed.',
  },
  {
    kind: 'unauthenticated',
    form: 'unauthenticated',
    name: 'Unauthenticated',
    about: 'api',
    applies: 'one of the first 50 endpoints in the description requires no authentication',
    unknown: PASSES,
    help: 'Do not send confidential data to it.',
  },
  {
    kind: 'plain-http',
    form: 'plain-http',
    name: 'PlainHttp',
    about: 'both',
    applies: 'all servers in the description use plain HTTP, or the code does',
    unknown: PASSES,
    help: 'Use HTTPS.',
  },
  {
    kind: 'kev',
    form: 'kev',
    name: 'KnownExploited',
    about: 'both',
    applies:
      'a CVE of the vendor and product (matched by name), or of the used version of a package, is known to be exploited',
    unknown: 'passes; the command line does not evaluate the policy without vulnerability data',
    help: 'Update the package, or ask the vendor of the API whether it is affected.',
  },
  {
    kind: 'cve',
    form: 'cve>=N',
    name: 'CveScore',
    about: 'both',
    applies:
      'a CVE of the vendor and product (matched by name), or of the used version of a package, has a CVSS score of N or more',
    unknown: 'passes, as do CVEs without a score; of more than 100 CVEs, the newest are considered',
    help: 'Update the package, or ask the vendor of the API whether it is affected.',
  },
  {
    kind: 'deprecated',
    form: 'deprecated',
    name: 'Deprecated',
    about: 'api',
    applies:
      'all endpoints are deprecated, or a text or a recorded response announces their deprecation',
    unknown: PASSES,
    help: 'Migrate to its replacement.',
  },
  {
    kind: 'stale',
    form: 'stale>N',
    name: 'Stale',
    about: 'api',
    applies: 'the description was imported more than N days ago (default: 365)',
    unknown: 'passes: an API without a description has no age',
    help: 'Import the description again.',
  },
  {
    kind: 'unapproved-vendor',
    form: 'unapproved-vendor',
    name: 'UnapprovedVendor',
    about: 'both',
    applies: 'the vendor is not in vendors.allow, or is in vendors.deny',
    unknown: 'passes, also for hosts of unknown vendors: see unknown-vendor',
    help: 'Have the vendor approved, or use another one.',
  },
  {
    kind: 'unapproved-licence',
    form: 'unapproved-licence',
    name: 'UnapprovedLicence',
    about: 'api',
    applies: 'a licence is not in licences.allow, or is in licences.deny',
    unknown: 'passes: see no-licence',
    help: 'Have the licence reviewed.',
  },
  {
    kind: 'unapproved-country',
    form: 'unapproved-country',
    name: 'UnapprovedCountry',
    about: 'api',
    applies:
      'a country of the API (default: of its vendor) is not in countries.allow, or is in countries.deny',
    unknown: 'passes: see no-country',
    help: 'Check whether data may be sent there.',
  },
  {
    kind: 'blocker',
    form: 'blocker',
    name: 'Blocker',
    about: 'api',
    applies: 'the assessment contains a blocker',
    unknown: PASSES,
    help: 'Resolve it before using the API.',
  },
  {
    kind: 'bad',
    form: 'bad:CATEGORY',
    name: 'BadStatement',
    about: 'api',
    applies: 'the assessment contains a bad statement or blocker in the category',
    unknown: PASSES,
    help: 'See the assessment of the API.',
  },
  {
    kind: 'statement',
    form: 'statement:RULE',
    name: 'Statement',
    about: 'api',
    applies: 'the assessment contains the statement of this rule',
    unknown: PASSES,
    help: 'See the assessment of the API.',
  },
  {
    kind: 'unknown-host',
    form: 'unknown-host',
    name: 'UnknownHost',
    about: 'project',
    applies: 'the project uses a host that no catalogued API has',
    unknown: 'applies',
    help: 'Import the description of its API.',
  },
  {
    kind: 'unknown-vendor',
    form: 'unknown-vendor',
    name: 'UnknownVendor',
    about: 'project',
    applies: 'the project uses a host whose vendor is not known, so vendors.allow cannot list it',
    unknown: 'applies',
    help: 'Import the description of its API, or add an exception for the host.',
  },
  {
    kind: 'unreviewed',
    form: 'unreviewed',
    name: 'UnreviewedUsage',
    about: 'project',
    applies: 'an endpoint that the project uses has no review decision',
    unknown: 'applies',
    help: 'Review the endpoint in the service or in a baseline.',
  },
  {
    kind: 'rejected',
    form: 'rejected',
    name: 'RejectedUsage',
    about: 'project',
    applies: 'an endpoint that the project uses was rejected in a review',
    unknown: PASSES,
    help: 'Stop using the endpoint.',
  },
] as const satisfies readonly PolicyConditionEntry[]

export type PolicyConditionKind = (typeof POLICY_CONDITIONS)[number]['kind']
