/** What a policy can deny or warn of, as data for its documentation. */
interface WordEntry {
  readonly kind: string
  /** As it is written: `cve>=N`. */
  readonly form: string
  /** In PascalCase, for reports. */
  readonly name: string
  /** What it is about; `project` is what projects alone have: uses, and hosts of no catalogued API. */
  readonly about: 'api' | 'project' | 'both'
  /** Where it applies. */
  readonly applies: string
  /** What is decided where that is not known. */
  readonly unknown: string
  readonly help: string
}

const PASSES = 'passes'

/** The words of policies, in the order in which they are told. */
export const POLICY_WORDS = [
  {
    kind: 'no-terms',
    form: 'no-terms',
    name: 'NoTerms',
    about: 'api',
    applies: 'neither a licence nor an agreement that binds is known of the API or its vendor',
    unknown: 'applies: what nobody knows cannot be kept',
    help: 'Find the terms and enter them: api-discovery agreements set.',
  },
  {
    kind: 'no-licence',
    form: 'no-licence',
    name: 'NoLicence',
    about: 'api',
    applies: 'no licence is known of the API',
    unknown: 'applies',
    help: 'Find the licence and enter it: api-discovery agreements set.',
  },
  {
    kind: 'no-privacy-policy',
    form: 'no-privacy-policy',
    name: 'NoPrivacyPolicy',
    about: 'api',
    applies: 'no privacy policy is known of the API or its vendor',
    unknown: 'applies',
    help: 'Find the privacy policy and enter it: api-discovery agreements set.',
  },
  {
    kind: 'no-country',
    form: 'no-country',
    name: 'NoCountry',
    about: 'api',
    applies: 'no country is known of the API or its vendor',
    unknown: 'applies',
    help: "Enter the vendor's countries.",
  },
  {
    kind: 'copyleft',
    form: 'copyleft',
    name: 'Copyleft',
    about: 'api',
    applies:
      'a licence is copyleft, over a network or not (GPL, AGPL, SSPL, EUPL, …), not weakly so',
    unknown: PASSES,
    help: 'Have the licence checked.',
  },
  {
    kind: 'unauthenticated',
    form: 'unauthenticated',
    name: 'Unauthenticated',
    about: 'api',
    applies: 'the description has an endpoint that asks for no authentication, of the first 50',
    unknown: PASSES,
    help: 'Make sure that nothing secret is sent there.',
  },
  {
    kind: 'plain-http',
    form: 'plain-http',
    name: 'PlainHttp',
    about: 'both',
    applies: 'all servers of the description are called by plain http, or the code does so',
    unknown: PASSES,
    help: 'Call it by https.',
  },
  {
    kind: 'kev',
    form: 'kev',
    name: 'KnownExploited',
    about: 'api',
    applies: 'a CVE of the vendor and product, by their names, is known to be exploited',
    unknown: 'passes; without any vulnerabilities the command line refuses to judge',
    help: 'Ask the vendor whether the service is affected: the version that runs is not known.',
  },
  {
    kind: 'cve',
    form: 'cve>=N',
    name: 'CveScore',
    about: 'api',
    applies: 'a CVE of the vendor and product, by their names, has a CVSS score of N or more',
    unknown: 'passes, as do CVEs without a score; of more than 100 the newest are looked at',
    help: 'Ask the vendor whether the service is affected: the version that runs is not known.',
  },
  {
    kind: 'deprecated',
    form: 'deprecated',
    name: 'Deprecated',
    about: 'api',
    applies: 'all endpoints are deprecated, or a text or a recorded answer announces the end',
    unknown: PASSES,
    help: 'Move to what takes its place.',
  },
  {
    kind: 'stale',
    form: 'stale>N',
    name: 'Stale',
    about: 'api',
    applies: 'the description was imported more than N days ago; without >N, 365',
    unknown: 'passes: an API without a description has no age',
    help: 'Import the description again.',
  },
  {
    kind: 'unapproved-vendor',
    form: 'unapproved-vendor',
    name: 'UnapprovedVendor',
    about: 'both',
    applies: 'the vendor is not in vendors.allow, or is in vendors.deny',
    unknown: 'passes, as hosts whose vendor is not known do: see unknown-host',
    help: 'Have the vendor approved, or use another one.',
  },
  {
    kind: 'unapproved-licence',
    form: 'unapproved-licence',
    name: 'UnapprovedLicence',
    about: 'api',
    applies: 'a licence is not in licences.allow, or is in licences.deny',
    unknown: 'passes: see no-licence',
    help: 'Have the licence checked.',
  },
  {
    kind: 'unapproved-country',
    form: 'unapproved-country',
    name: 'UnapprovedCountry',
    about: 'api',
    applies:
      'a country of the API, else of its vendor, is not in countries.allow, or is in countries.deny',
    unknown: 'passes: see no-country',
    help: 'Have it checked whether data may go there.',
  },
  {
    kind: 'blocker',
    form: 'blocker',
    name: 'Blocker',
    about: 'api',
    applies: 'the assessment has a statement that is a blocker',
    unknown: PASSES,
    help: 'Clear it before the API is used.',
  },
  {
    kind: 'bad',
    form: 'bad:CATEGORY',
    name: 'BadStatement',
    about: 'api',
    applies: 'the assessment has a statement of the category that is bad or a blocker',
    unknown: PASSES,
    help: 'Look at the assessment of the API.',
  },
  {
    kind: 'statement',
    form: 'statement:RULE',
    name: 'Statement',
    about: 'api',
    applies: 'the assessment has the statement of this rule',
    unknown: PASSES,
    help: 'Look at the assessment of the API.',
  },
  {
    kind: 'unknown-host',
    form: 'unknown-host',
    name: 'UnknownHost',
    about: 'project',
    applies: 'no catalogued API has a host that the project uses',
    unknown: 'applies: it is about what is not known',
    help: 'Import the description of its API.',
  },
  {
    kind: 'unreviewed',
    form: 'unreviewed',
    name: 'UnreviewedUse',
    about: 'project',
    applies: 'nobody has decided on an endpoint that the project uses',
    unknown: 'applies: it is about what is not decided',
    help: 'Review the endpoint, in the service or in a baseline.',
  },
  {
    kind: 'refused',
    form: 'refused',
    name: 'RefusedUse',
    about: 'project',
    applies: 'somebody has refused an endpoint that the project uses',
    unknown: PASSES,
    help: 'Stop using it.',
  },
] as const satisfies readonly WordEntry[]

export type PolicyWordKind = (typeof POLICY_WORDS)[number]['kind']
