import { VENDORS } from '../../vendors/vendors.ts'
import { COMMON_WORDS } from '../model/common-words.ts'
import { anyOf } from '../model/name-patterns.ts'
import { wordsOf } from './roles.ts'

/**
 * Returns the base of the vendor whose credential a setting contains, by the name of the setting:
 * `STRIPE_SECRET_KEY`, `sendgridApiKey`. Undefined for all other names.
 */
export function findCredentialVendor(name: string): string | undefined {
  const words = wordsOf(name)
  for (let start = 0; start < words.length - 1; start += 1) {
    for (let size = Math.min(MAX_WORDS, words.length - start - 1); size > 0; size -= 1) {
      const vendor = findVendor(words.slice(start, start + size).join(''))
      if (!vendor) continue
      const rest = words.slice(start + size).join(' ')
      const url = SERVICES.get(vendor.url)?.find(([names]) => names.test(rest))?.[1] ?? vendor.url
      const isFirst = words.slice(0, start).every((word) => PREFIXES.has(word))
      const isPlain = isFirst && !vendor.isOrdinary && (PLAIN.test(rest) || QUALIFIED.test(rest))
      if (isPlain || CREDENTIAL.test(rest)) return url
    }
  }
  return undefined
}

/** Whether a name is a vendor's and no common word, such as a section of settings. */
export function isVendorName(name: string): boolean {
  return findVendor(wordsOf(name).join(''))?.isOrdinary === false
}

/**
 * Returns the base of the vendor that a class, file or setting of a call is named after:
 * `DiscordNotifier`, `slack_webhook_url`. Undefined for all other names. Words such as `teams` are
 * vendors only in code for messages: `isMessage`, by default if the name has a word of messages.
 */
export function findCalledVendor(name: string, isMessage?: boolean): string | undefined {
  const words = wordsOf(name)
  const end = words.findLastIndex((word) => !CALLER.has(word)) + 1
  const called = words.slice(0, end).join('')
  const vendor = end > MAX_WORDS ? undefined : findVendor(called)
  const isMessenger =
    MESSENGERS.has(called) && (isMessage ?? words.slice(end).some((word) => MESSAGE.test(word)))
  const isName = vendor?.isOrdinary === false || isMessenger
  return isName ? vendor?.url : undefined
}

/** Words after the vendor's name in names of classes, files and settings of calls. */
const CALLER = toSet(`
  notifier notification notifications provider providers client api apis service channel transport
  webhook webhooks hook geocoder sender integration gateway connector uploader handler adapter driver
  backend source fetcher importer exporter http rest impl message messenger alert alerts alerter bot
  url uri base endpoint server host address
`)

const MESSAGE = /^(?:notif|webhook|hook|messag|messeng|alert|bot)/

/** Services for messages whose names are words of other things. */
const MESSENGERS = toSet('teams bark lark')

/** Most words of a vendor's name. */
const MAX_WORDS = 3

interface NamedVendor {
  readonly url: string
  /** Whether the name is a common word, too. */
  readonly isOrdinary: boolean
}

let named: ReadonlyMap<string, NamedVendor> | undefined

function findVendor(name: string): NamedVendor | undefined {
  named ??= indexNames()
  return named.get(name)
}

/** Indexes the vendors by their names without blanks; a name of several vendors is none. */
function indexNames(): ReadonlyMap<string, NamedVendor> {
  const names = new Map<string, NamedVendor>()
  const vendors = new Map<string, string>()
  const add = (name: string, url: string) =>
    names.set(name, { url, isOrdinary: name.length < 3 || COMMON_WORDS.has(name) })
  for (const { vendor, url, selfHosted } of VENDORS) {
    const name = vendor.toLowerCase().replaceAll(/[ /'-]/g, '')
    if (selfHosted || !/^[a-z\d]{2,}$/.test(name) || AMBIGUOUS.has(name)) continue
    if (!vendors.has(name)) add(name, url)
    else if (vendors.get(name) !== vendor) names.delete(name)
    vendors.set(name, vendor)
  }
  for (const [, url = '', all = ''] of PRODUCTS.matchAll(/(\S+)=(\S+)/g)) {
    for (const name of all.split(',')) add(name, url)
  }
  return names
}

/** Other names of vendors, and of their products. */
const PRODUCTS = `
  https://{}.amazonaws.com=aws,amazon https://login.microsoftonline.com=azure,azuread,microsoft
  https://{}.googleapis.com=google,gcp https://www.googleapis.com/youtube/v3=youtube
  https://firebase.googleapis.com=firebase,fcm https://maps.googleapis.com=googlemaps
  https://aiplatform.googleapis.com=googlevertex,googlevertexai,vertexai
  https://generativelanguage.googleapis.com=gemini,googlegemini,googleai,googlegenerativeai
  https://www.google.com/recaptcha/api=recaptcha,googlerecaptcha
  https://graph.facebook.com=facebook,instagram,whatsapp https://api.twitter.com=twitter
  https://api.anthropic.com=claude https://api.mistral.ai=mistral https://api.together.xyz=together
  https://qstash.upstash.io=qstash https://api.expo.dev=expo,eas https://api.bunny.net=bunny,bunnynet
  https://nightwatch.laravel.com=nightwatch https://api.victorops.com=victorops
  https://mandrillapp.com/api/1.0=mandrill https://quickbooks.api.intuit.com=quickbooks
  https://api.cloudflare.com/client/v4=cf https://challenges.cloudflare.com/turnstile=turnstile
  https://sonarcloud.io/api=sonar,sonarcloud https://percy.io/api=percy https://api.cypress.io=cypress
  https://app.terraform.io/api/v2=tf,tfe https://registry-1.docker.io=dockerhub
  https://api.trigger.dev=trigger https://api.github.com=gh https://api.datadoghq.com=dd
  https://{}.atlassian.net/rest/api=jira https://api.bitbucket.org/2.0=bitbucket
  https://api.brevo.com/v3=sendinblue https://api.nexmo.com=nexmo https://chat.googleapis.com=gchat,googlechat
  https://open.feishu.cn/open-apis=feishu,lark,larksuite https://api.dingtalk.com=dingding
  https://qyapi.weixin.qq.com/cgi-bin=weixinwork,wechatwork,qyweixin,wecombot
  https://cliq.zoho.com/api/v2=zohocliq https://graph.microsoft.com/v1.0=teams,msteams,microsoftteams
  https://apis.mappls.com/advancedmaps/v1=mapmyindia,mappls https://api.vk.com/method=vkontakte
  https://{}.luna.akamaiapis.net=edgedns https://csp.infoblox.com=infobloxuddi
  https://secure.hosting.de/api=hostingde
  https://ntfy.sh=ntfysh https://us1.unwiredlabs.com/v2=unwired,unwiredlabs https://overpass-api.de/api=overpass
`

/** Services of a vendor by the rest of a credential's name. */
const SERVICES: ReadonlyMap<string, readonly (readonly [rest: RegExp, url: string])[]> = new Map([
  ['https://{}.googleapis.com', [[/^(?:oauth2? |client )/, 'https://accounts.google.com']]],
  ['https://{}.ingest.sentry.io', [[/^auth token/, 'https://sentry.io/api/0']]],
  [
    'https://login.microsoftonline.com',
    [
      [/^(?:storage |blob |account key)/, 'https://{}.blob.core.windows.net'],
      [/^api key/, 'https://{}.openai.azure.com'],
    ],
  ],
])

/** Words that frameworks or teams put before the name. */
const PREFIXES = toSet(
  'next public vite react nuxt expo gatsby mix app my the tf var vue ng plasmo secret secrets env',
)

const THING = anyOf`
  api app application client account site project access auth bot secret publishable public private
  license licence record webhook oauth2? consumer integration ingest deploy personal service anon
  tracking signing write admin measurement sdk merchant
`

/** A name of a credential that is none of anything else. */
const CREDENTIAL = new RegExp(
  String.raw`^(?:dsn|webhook|apikey|(?:${THING} ){1,3}(?:key|token|secret|id|sid|url|dsn))(?: \w+)?$`,
)

/** Names that are credentials after the name of a vendor. */
const PLAIN = /^(?:token|key|secret|auth|sid|account|domain|pat|password|access key)$/

/** A credential of one of the vendor's products. */
const QUALIFIED = new RegExp(
  String.raw`^(?:\w+ ){1,2}(?:token|secret|webhook|${THING} (?:key|token|secret|id|sid|host))$`,
)

/** Vendors whose names are words of other settings, or products that some host themselves. */
const AMBIGUOUS = toSet(`
  appwrite batch bill branch chroma close column convex core cursor currents daily depot dimensions
  dynamic embrace flare gate harness heap here hunter increase kit magic make max merge mono mx
  orange outline plain plane reed remote render singular socket spider split stream string trunk
  unify unit ups writer plausible ntfy
`)

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
