import { stemmer } from 'stemmer'

/**
 * Returns the English stem of a folded word: `payment` for `payments`, `creat` for `created` and
 * `creating`. Abbreviations get the stem of the full word: `repositori` for `repos` and
 * `repository`. British spellings are normalised to American ones. Other words of up to three
 * letters, words with digits and words in other scripts are unchanged.
 */
export function stem(word: string): string {
  const known = IRREGULAR.get(word) ?? ABBREVIATIONS.get(word)
  if (known !== undefined) return known
  return stemWord(word)
}

function stemWord(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  return stemmer(toAmerican(word))
}

/** Words of API descriptions that the Porter stemmer gets wrong. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ips: 'ip',
    ads: 'ad',
    prs: 'pr',
    vms: 'vm',
    news: 'news',
    people: 'person',
    persons: 'person',
    children: 'child',
    men: 'man',
    women: 'woman',
    mice: 'mouse',
    feet: 'foot',
    indices: 'index',
    indexes: 'index',
    matrices: 'matrix',
    vertices: 'vertex',
    criteria: 'criterion',
    statuses: 'statu',
    buses: 'bus',
    gases: 'gas',
    aliases: 'alia',
    bonuses: 'bonu',
    viruses: 'viru',
    campuses: 'campu',
    analyses: 'analysi',
    bases: 'base',
    universe: 'universe',
    universes: 'universe',
    university: 'university',
    universities: 'university',
    author: 'author',
    authors: 'author',
    authority: 'authority',
    authorities: 'authority',
    authorize: 'authoriz',
    authorizes: 'authoriz',
    authorized: 'authoriz',
    authorizing: 'authoriz',
    authorization: 'authoriz',
    authorizations: 'authoriz',
    authorise: 'authoriz',
    authorised: 'authoriz',
    authorisation: 'authoriz',
    community: 'community',
    communities: 'community',
    customer: 'customer',
    customers: 'customer',
    important: 'important',
    position: 'position',
    positions: 'position',
    rating: 'rating',
    ratings: 'rating',
    setting: 'setting',
    settings: 'setting',
    listing: 'listing',
    listings: 'listing',
    tracking: 'tracking',
    organization: 'organiz',
    organizations: 'organiz',
    organisation: 'organiz',
    organisations: 'organiz',
    poses: 'pose',
    media: 'media',
    being: 'being',
    during: 'during',
    wing: 'wing',
    skies: 'sky',
    dies: 'die',
    ties: 'tie',
  }),
)

/** Common abbreviations in paths and queries, by full word; plurals in `s` are added below. */
const FULL_WORDS = {
  account: 'acct',
  address: 'addr',
  administrator: 'admin',
  application: 'app',
  attribute: 'attr',
  certificate: 'cert',
  configuration: 'config conf cfg',
  database: 'db',
  department: 'dept',
  directory: 'dir',
  document: 'doc',
  environment: 'env',
  fx: 'forex',
  identifier: 'id',
  image: 'img',
  information: 'info',
  kubernetes: 'k8s',
  language: 'lang',
  latitude: 'lat',
  library: 'lib',
  longitude: 'lng',
  management: 'mgmt',
  message: 'msg',
  notification: 'notif',
  organization: 'org',
  package: 'pkg',
  parameter: 'param',
  password: 'pwd passwd',
  permission: 'perm',
  picture: 'pic',
  preference: 'pref',
  quantity: 'qty',
  repository: 'repo',
  specification: 'spec',
  statistic: 'stat',
  telephone: 'tel',
  temperature: 'temp',
  transaction: 'txn tx trx',
  user: 'usr',
  vulnerability: 'vuln',
}

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries(FULL_WORDS).flatMap(([word, abbreviations]) =>
    abbreviations.split(' ').flatMap((abbreviation) => {
      const wordStem = IRREGULAR.get(word) ?? (word.length < 4 ? word : stemmer(word))
      return [[abbreviation, wordStem] as const, [`${abbreviation}s`, wordStem] as const]
    }),
  ),
)

const BRITISH: readonly (readonly [RegExp, string])[] = [
  [/is(e|es|ed|ing|er|ers|ation|ations)$/, 'iz$1'],
  [/yse(|s|d|r)$/, 'yze$1'],
  [/ysing$/, 'yzing'],
  [/^(col|fav|hon|lab|flav|behavi|neighb)our/, '$1or'],
  [/^(cent|met|theat|lit|fib)re(s?)$/, '$1er$2'],
  [/^catalogue/, 'catalog'],
  [/^dialogue/, 'dialog'],
  [/^(travel|cancel|label|model|signal|fulfil|enrol)l(ed|ing|er|ers)$/, '$1$2'],
  [/^licenc/, 'licens'],
  [/^cheque/, 'check'],
  [/^programme(s?)$/, 'program$1'],
  [/^(fulfil|enrol)(s|ment|ments)?$/, '$1l$2'],
]

/** Prefilter: matches every word that a rule changes. */
const MAYBE_BRITISH =
  /is[ei]|isa|ys[ei]|our|[nteb]re|gue|ll(?:e|i)|enc|cheque|programme|fulfil|enrol/

function toAmerican(word: string): string {
  if (!MAYBE_BRITISH.test(word)) return word
  for (const [pattern, replacement] of BRITISH) {
    if (pattern.test(word)) return word.replace(pattern, replacement)
  }
  return word
}
