/** What a key says of its value: an address that is called, one that is not, or neither. */
export type ConfigRole = 'address' | 'other' | 'unknown'

/** Judges the keys of a value, outermost first. */
export function judgeKeys(keys: readonly string[]): ConfigRole {
  const last = keys.at(-1) ?? ''
  if (keys.some((key) => OTHER_GROUPS.test(key.trim()))) return 'other'
  const words = wordsOf(last)
  if (words.some((word) => OTHER_WORDS.has(word))) return 'other'
  // `url` alone is what the key around it says.
  const isBare =
    words.length === 1 && /^(?:url|uri|value|default|link|href|src)$/.test(words[0] ?? '')
  const around = isBare ? wordsOf(keys.at(-2) ?? '') : []
  if (around.some((word) => OTHER_WORDS.has(word))) return 'other'
  return words.some((word) => ADDRESS_WORDS.has(word)) ? 'address' : 'unknown'
}

/** `STRIPE_API_BASE`, `stripeApiBase`, `stripe.api-base` as words in lower case. */
function wordsOf(key: string): readonly string[] {
  return key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

const ADDRESS_WORDS: ReadonlySet<string> = new Set(
  `url urls uri uris endpoint endpoints host hostname hosts api apis apiurl apiroot baseurl baseuri base
  server servers origin webhook webhooks address upstream upstreams target targets backend gateway service
  services authority issuer token oauth jwks proxy rpc graphql rest domain dsn ingest collector exporter
  remote provider root prefix bootstrap discovery`.split(/\s+/),
)

const OTHER_WORDS: ReadonlySet<string> = new Set(
  `homepage repository repo repos bugs issues docs doc documentation license licence schema schemas xmlns
  registry registries image images img icon icons source sources context logo avatar author authors
  maintainer maintainers funding sponsor website site blog help support badge badges description title
  example examples comment changelog favicon thumbnail picture photo video download downloads distribution tarball
  mirror mirrors redirect callback return referer referrer frontend allowed cors agent terms privacy
  policy tos readme guide tutorial reference references see install namespace ns dtd xsd vcs scm git
  feedback community twitter social canonical sitemap feed rss cdn stylesheet font fonts script scripts
  banner screenshot manual note notes message text content body html template usage summary
  advisory cve key`.split(/\s+/),
)

/** Keys below which nothing is called. */
const OTHER_GROUPS =
  /^(?:dependencies|devDependencies|peerDependencies|optionalDependencies|resolutions|overrides|repository|repositories|bugs|license|licenses|author|contributors|maintainers|externalDocs|\$schema|@context|xmlns|links|badges|social|socials|nav|navbar|footer|funding|plugins|extends|packages|package|mirrors|allowed[-_]?origins|origins|authors|source|sources|images?|icons|logos?|pre-commit|repos|uses|remotes|pluginManagement|distributionManagement|scm|urls|project\.urls|metadata|annotations|labels|docs|documentation|definitions|examples?|messages|translations|headers|paths|components|examples|registries)$/i
