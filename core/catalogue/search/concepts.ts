import { stem } from '../../shared/stem.ts'

/**
 * Returns the concepts of a stem, as terms of the search index: `+create` for add, create, post,
 * new. The leading `+` cannot occur in a word, so no prefix matches a concept.
 */
export function toConcepts(wordStem: string): readonly string[] {
  return CONCEPTS.get(wordStem) ?? NO_CONCEPTS
}

/** Returns the concept of an HTTP method (lower case), if it implies one. */
export function toMethodConcept(method: string): string | undefined {
  return METHOD_CONCEPTS.get(method)
}

/**
 * Returns the term of endpoints that list or create resources of this stem: `+get=repositori` for
 * `GET /orgs/{org}/repos`, and `+create=repositori` for the POST.
 */
export function toCollectionTerm(concept: CollectionConcept, wordStem: string): string {
  return `${concept}=${wordStem}`
}

/** Concepts of the methods of a collection. */
export type CollectionConcept = '+get' | '+create'

/** True if a word looks like the name of a collection: a plural in `s`. */
export function isPlural(word: string): boolean {
  return word.length > 3 && word.endsWith('s') && stem(word) !== word
}

/** True for verbs that read, such as `list` and `get`. */
export function isReadingVerb(wordStem: string): boolean {
  return toConcepts(wordStem).includes('+get')
}

/** True for verbs that create, such as `add` and `new`. */
export function isCreatingVerb(wordStem: string): boolean {
  return toConcepts(wordStem).includes('+create')
}

/**
 * Checks for a word without meaning for a search. It is ignored unless the query has no other
 * words.
 */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}

/**
 * Verbs that nearly every API contains. They affect the order, but match only if the query has
 * nothing else.
 */
export function isCommonVerb(wordStem: string): boolean {
  return toConcepts(wordStem).some((concept) => COMMON_CONCEPTS.has(concept))
}

/** Checks for a word that most APIs contain, or that only qualifies another: `upcoming concerts`. */
export function isCommonWord(wordStem: string): boolean {
  return isCommonVerb(wordStem) || isQualifier(wordStem)
}

/** Checks for a word that qualifies a noun, but does not tell one API from another. */
export function isQualifier(wordStem: string): boolean {
  return QUALIFIERS.has(wordStem) || isPossessive(wordStem)
}

/**
 * Returns a word that relevant APIs also contain, for a word whose synonyms are ambiguous: `venue`
 * for `concert`, because `event` also stands for notifications.
 */
export function getContext(wordStem: string): string | undefined {
  return CONTEXTS.get(wordStem)
}

/** True for `MY_CONCEPT`, the stem of query words for the authenticated user's own resources. */
export function isPossessive(wordStem: string): boolean {
  return wordStem === MY_CONCEPT
}

/** Returns the stem of a query word, or `MY_CONCEPT` for `my` and others, and `own` after them. */
export function toQueryStem(word: string, before: string | undefined): string {
  const isMy = word === 'own' ? POSSESSIVES.has(before ?? '') : QUERY_WORDS_OF_MY.has(word)
  return isMy ? MY_CONCEPT : stem(word)
}

/**
 * Returns the concepts of a word of an API's texts. Possessives are compared before stemming:
 * `mine` is also the stem of `mining`.
 */
export function toIndexedConcepts(word: string, wordStem: string): readonly string[] {
  return INDEXED_WORDS_OF_MY.has(word) ? [MY_CONCEPT] : toConcepts(wordStem)
}

/** Concept of the authenticated user's own resources. */
const MY_CONCEPT = '+my'
const POSSESSIVES: ReadonlySet<string> = new Set(['my', 'our', 'their'])
const QUERY_WORDS_OF_MY: ReadonlySet<string> = new Set(['my', 'our', 'mine'])
const INDEXED_WORDS_OF_MY: ReadonlySet<string> = new Set(['my', 'our', 'mine', 'own', 'me', 'self'])

const NO_CONCEPTS: readonly string[] = []

const COMMON_CONCEPTS = new Set(['+create', '+get', '+update', '+delete', '+find'])

const METHOD_CONCEPTS: ReadonlyMap<string, string> = new Map([
  ['get', '+get'],
  ['head', '+get'],
  ['post', '+create'],
  ['put', '+update'],
  ['patch', '+update'],
  ['delete', '+delete'],
  ['query', '+find'],
])

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the of for to in on at by with and or from into as is are be was were do does did ' +
    'it its this that these those i me we you your he she they their them his her ' +
    'how what which when where who why can could should would will want need needs please ' +
    'some any there via using near'
  ).split(' '),
)

const QUALIFIERS: ReadonlySet<string> = new Set(
  (
    'api git all upcoming coming current currently latest recent newest popular trending ' +
    'available existing specific various different multiple'
  )
    .split(' ')
    .map(stem),
)

const CONTEXTS: ReadonlyMap<string, string> = new Map(
  ['concert', 'gig', 'festival'].map((word) => [stem(word), 'venue']),
)

/** Synonyms in searches for endpoints; the first word of a group names the concept. */
const SYNONYM_GROUPS: readonly string[] = [
  'create add new post insert make',
  'get list fetch read retrieve show view display obtain',
  'find search query lookup browse discover',
  'update edit patch put modify change replace alter set',
  'delete remove destroy erase purge unset clear wipe',
  'send deliver dispatch transmit',
  'cancel void abort revoke',
  'start launch run begin execute trigger',
  'stop terminate halt end',
  'verify validate check confirm',
  'convert transform conversion',
  'generate produce render',
  'upload import',
  'download export',
  'login signin logon authenticate auth authentication',
  'logout signout logoff',
  'signup register registration enroll',
  'pay payment charge',
  'refund reimburse',
  'buy purchase',
  'join merge combine concatenate',
  'enable activate',
  'disable deactivate',
  'publish announce',
  'subscribe subscription',
  'compare comparison diff',
  'book reserve reservation booking',
  'detect recognize identify detection recognition',
  'rewrite paraphrase',
  'scrape crawl scraper crawler scraping',
  'image photo picture photograph photography',
  'event concert gig festival',
  'video clip',
  'movie film',
  'song track',
  'bike bicycle cycle',
  'car vehicle automobile',
  'email mail',
  'invoice bill',
  'phone telephone mobile cellphone',
  'cryptocurrency crypto bitcoin',
  'currency fx',
  'coronavirus covid covid19',
  'longitude lon long',
  'location place geolocation geo',
  'geocode geocoding geocoder',
  'direction route routing',
  'postcode zip postal zipcode',
  'configuration setting preference',
  'information detail',
  'log journal',
  'nearby nearest closest',
  'forum discussion',
  'price cost pricing fee',
  'employee staff worker',
  'shop store',
  'shipping delivery shipment',
  'trip journey itinerary',
  'hotel accommodation lodging',
  'folder directory',
  'url uri link',
  'website site webpage',
  'quote quotation',
  'quantity amount',
  'advertisement ad advert',
  'statistic metric analytics',
  'job vacancy',
  'recipe dish meal',
  'food nutrition',
  'medicine drug medication',
  'doctor physician',
  'company business enterprise corporation firm',
  'calendar schedule',
  'error exception failure',
  'secret credential',
  'barcode qrcode',
  'rank ranking leaderboard standing',
  'stock equity share',
  'transit transport transportation',
  'thumbnail preview',
  'country nation',
  'language locale',
  'tax vat',
  'joke humor',
  'quiz trivia',
  'soccer football',
]

const CONCEPTS: ReadonlyMap<string, readonly string[]> = buildConceptMap()

function buildConceptMap(): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>()
  for (const group of SYNONYM_GROUPS) {
    const words = group.split(' ')
    for (const word of words) {
      const concepts = map.get(stem(word)) ?? []
      if (!concepts.includes(`+${words[0]}`)) concepts.push(`+${words[0]}`)
      map.set(stem(word), concepts)
    }
  }
  return map
}
