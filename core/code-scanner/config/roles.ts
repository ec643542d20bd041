import { anyOf } from '../model/name-patterns.ts'

/** What a key tells about a value: an address that is called, the project's own one, neither, nothing. */
export type ConfigRole = 'address' | 'own' | 'other' | 'unknown'

/** Judges the keys of a value, outermost first. */
export function judgeKeys(keys: readonly string[]): ConfigRole {
  const last = keys.at(-1) ?? ''
  // The page of a deployment, which CI systems link.
  if (keys[0] === 'jobs' && keys.at(-2) === 'environment' && last === 'url') return 'other'
  if (keys.some((key) => OTHER_GROUPS.has(key.trim().toLowerCase().replaceAll(/[-_]/g, '')))) {
    return 'other'
  }
  if (last === 'destination' && keys.at(-2) === 'rewrites') return 'address'
  const words = wordsOf(last)
  const isApi = words.some((word) => API_WORDS.has(word))
  const isOther = (word: string) => OTHER_WORDS.has(word) || (!isApi && THING_WORDS.has(word))
  if (words.some(isOther)) return 'other'
  // `url` alone is what the key around it says.
  const isBare =
    words.length === 1 && /^(?:url|uri|value|default|link|href|src)$/.test(words[0] ?? '')
  const around = isBare ? wordsOf(keys.at(-2) ?? '') : []
  if (around.some(isOther)) return 'other'
  if (OWN_ADDRESS.test(words.join(' '))) return 'own'
  return words.some((word) => ADDRESS_WORDS.has(word) || API_WORDS.has(word))
    ? 'address'
    : 'unknown'
}

/** Whether keys say that a host is reached by another protocol than HTTP, or that it is the own one. */
export function isOfOtherProtocol(keys: readonly string[]): boolean {
  return keys.some((key) => wordsOf(key).some((word) => PROTOCOL_WORDS.has(word)))
}

/** `STRIPE_API_BASE`, `stripeApiBase`, `stripe.api-base` as words in lower case. */
export function wordsOf(key: string): readonly string[] {
  return key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}

/** Names of the address at which the project itself is reached: `APP_URL`, `NEXT_PUBLIC_SITE_URL`. */
const OWN_ADDRESS = new RegExp(
  String.raw`^(?:\w+ ){0,2}${anyOf`
    public external advertised? canonical site app application live self portal
  `} (?:base )?${anyOf`url uri host hostname domain address`}(?: host)?$`,
)

/** Words of addresses that are called, whatever they give: `IMAGE_API_URL`. */
const API_WORDS = toSet(
  'api apis apiurl apiroot endpoint endpoints webhook webhooks graphql rpc vault',
)

const ADDRESS_WORDS = toSet(`
  url urls uri uris host hostname hosts baseurl baseuri base server servers origin address upstream
  upstreams target targets backend gateway service services authority issuer token oauth jwks proxy rest
  domain dsn ingest collector exporter remote provider root prefix bootstrap discovery`)

/** Words of links and of addresses of the project itself. */
const OTHER_WORDS = toSet(`
  homepage docs doc documentation license licence schema schemas xmlns registry registries icon icons
  logo author authors maintainer maintainers funding sponsor donate donation donations website site blog help badge badges
  description example examples comment changelog favicon thumbnail distribution tarball mirror mirrors
  redirect callback return referer referrer frontend allowed cors agent terms privacy policy tos readme
  guide tutorial reference references install namespace ns dtd xsd canonical sitemap stylesheet font fonts
  manual advisory cve version virtual vhost cookie ingress`)

/** Words of things that a link leads to, unless an API gives them. */
const THING_WORDS = toSet(`
  repository repo repos bugs issues image images img source sources context avatar support title picture
  photo video download downloads see vcs scm git feedback community twitter social feed rss cdn script
  scripts banner screenshot note notes message text content body html template usage summary key`)

const PROTOCOL_WORDS = toSet(`
  smtp imap pop pop3 mail mailer email db database datasource mysql postgres postgresql redis mongo mongodb
  kafka rabbitmq amqp broker mqtt ldap ftp sftp ssh dns ntp syslog memcached cassandra`)

/** Keys below which nothing is called. */
const OTHER_GROUPS = toSet(`
  dependencies devdependencies peerdependencies optionaldependencies resolutions overrides repository
  repositories bugs license licenses author contributors maintainers externaldocs $schema @context xmlns
  links badges social socials nav navbar footer funding plugins extends packages package mirrors
  allowedorigins origins authors source sources image images icon icons logo logos precommit repos uses
  remotes pluginmanagement distributionmanagement scm urls project.urls metadata annotations labels docs
  documentation definitions example examples messages translations headers paths components registries
  ingress tls rules apigroup apigroups apiversion`)
