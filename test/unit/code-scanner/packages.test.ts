import { describe, expect, it } from 'vitest'
import { toCanonicalPackageUrl } from '../../../core/code-scanner/packages/package-urls.ts'
import { parsePackageRows } from '../../../core/code-scanner/packages/rows.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { VENDOR_PACKAGES } from '../../../core/vendors/packages.ts'
import { VENDORS } from '../../../core/vendors/vendors.ts'

const table = createPackageTable()

describe('the table of libraries', () => {
  it.each([
    ['pkg:npm/meilisearch', true],
    ['pkg:pypi/grafana-client', true],
    ['pkg:terraform/grafana/grafana', undefined],
    ['pkg:ansible/grafana.grafana.dashboard', undefined],
    ['pkg:npm/stripe', undefined],
  ])('guesses the host of products that people run themselves: %s', (name, isGuess) => {
    expect(table.findDependency(name)?.isGuess).toBe(isGuess)
  })

  it.each([
    ['javascript', 'stripe', undefined, 'pkg:npm/stripe'],
    ['javascript', 'npm:stripe@14/lib', undefined, 'pkg:npm/stripe'],
    ['javascript', '@sentry/node', undefined, 'pkg:npm/@sentry/node'],
    ['javascript', '@aws-sdk/client-s3', undefined, 'pkg:npm/@aws-sdk/client-s3'],
    ['python', 'google.cloud', 'storage', 'pkg:pypi/google-cloud-storage'],
    ['python', 'google.cloud.storage.blob', undefined, 'pkg:pypi/google-cloud-storage'],
    [
      'go',
      'github.com/stripe/stripe-go/v76/customer',
      undefined,
      'pkg:golang/github.com/stripe/stripe-go',
    ],
    ['java', 'com.stripe.model.Customer', undefined, 'pkg:maven/com.stripe/stripe-java'],
    [
      'java',
      'com.amazonaws.services.simpleemail.A',
      undefined,
      'pkg:maven/software.amazon.awssdk/ses',
    ],
    ['java', 'de.umass.lastfm.Artist', undefined, 'pkg:maven/de.u-mass/lastfm-java'],
    [
      'java',
      'com.google.android.gms.nearby.Nearby',
      undefined,
      'pkg:maven/com.google.android.gms/*',
    ],
    ['php', '\\Stripe\\StripeClient', undefined, 'pkg:composer/stripe/stripe-php'],
    ['c-sharp', 'Amazon.S3.Model', undefined, 'pkg:nuget/AWSSDK.S3'],
    ['rust', 'async_stripe::Client', undefined, 'pkg:cargo/async-stripe'],
    ['swift', 'StripePaymentSheet', undefined, 'pkg:cocoapods/Stripe'],
    ['swift', 'Rollbar', undefined, 'pkg:cocoapods/Rollbar'],
    ['ruby', 'aws-sdk-s3', undefined, 'pkg:gem/aws-sdk-s3'],
    ['python', 'discogs_client', undefined, 'pkg:pypi/python3-discogs-client'],
    ['javascript', '@ai-sdk/xai', undefined, 'pkg:npm/@ai-sdk/xai'],
    ['python', 'langchain_fireworks', 'ChatFireworks', 'pkg:pypi/langchain-fireworks'],
    ['python', 'llama_index.llms.mistralai', 'MistralAI', 'pkg:pypi/llama-index-llms-mistralai'],
    ['python', 'pydantic_ai.models.anthropic', 'AnthropicModel', 'pkg:pypi/pydantic-ai'],
    [
      'java',
      'dev.langchain4j.model.openai.OpenAiChatModel',
      undefined,
      'pkg:maven/dev.langchain4j/langchain4j-openai',
    ],
    [
      'go',
      'github.com/tmc/langchaingo/llms/anthropic',
      undefined,
      'pkg:golang/github.com/tmc/langchaingo/llms/anthropic',
    ],
    [
      'c-sharp',
      'Microsoft.SemanticKernel.Connectors.MistralAI',
      undefined,
      'pkg:nuget/Microsoft.SemanticKernel.Connectors.MistralAI',
    ],
    ['rust', 'rig::providers::cohere', 'Client', 'pkg:cargo/rig-core'],
    ['shell', 'aws', 's3', 'pkg:generic/aws'],
    ['shell', 'aws', 'unheard-of', 'pkg:generic/aws'],
    ['shell', '@sentry/cli', 'releases', 'pkg:generic/@sentry/cli'],
    ['shell', 'fly', 'deploy', 'pkg:generic/fly'],
    ['shell', 'fly', 'set-pipeline', undefined],
    ['shell', 'lpass', 'sync', 'pkg:generic/lpass'],
    [
      'php',
      'NotificationChannels\\Telegram\\TelegramMessage',
      undefined,
      'pkg:composer/laravel-notification-channels/telegram',
    ],
    ['java', 'com.google.mlkit.vision.barcode', undefined, undefined],
    // A model that runs on the device, and one that is loaded.
    ['java', 'com.google.mlkit.common.model.LocalModel', undefined, undefined],
    [
      'java',
      'com.google.mlkit.common.model.RemoteModelManager',
      undefined,
      'pkg:maven/com.google.mlkit/translate',
    ],
    ['python', 'kraken.spot', 'Market', 'pkg:pypi/krakenex'],
    // Names of other libraries, too.
    ['python', 'kraken', 'blla', undefined],
    ['python', 'kraken.lib', 'models', undefined],
    ['python', 'interactions', 'Client', undefined],
    ['php', 'Inspector\\Inspector', undefined, 'pkg:composer/inspector-apm/inspector-laravel'],
    [
      'php',
      'Inspector\\Laravel\\Filters',
      undefined,
      'pkg:composer/inspector-apm/inspector-laravel',
    ],
    ['php', 'Inspector\\Rules\\Rule', undefined, undefined],
    ['python', 'os', 'path', undefined],
    ['javascript', 'stripes', undefined, undefined],
    ['java', 'com.stripes.A', undefined, undefined],
    ['java', 'com.google.android.gms.security.ProviderInstaller', undefined, undefined],
    ['java', 'com.google.android.gms.wearable.Wearable', undefined, undefined],
    ['java', 'com.google.android.gms.common.GoogleApiAvailability', undefined, undefined],
  ] as const)('knows what %s imports as %s %s', (family, module, imported, wanted) => {
    expect(table.findPackage({ family, module, imported })?.package).toBe(wanted)
  })

  it.each([
    ['pkg:npm/%40aws-sdk/client-s3@3.1.0', 'https://s3.{}.amazonaws.com'],
    ['pkg:npm/@aws-sdk/s3-request-presigner', 'https://s3.{}.amazonaws.com'],
    ['pkg:npm/@aws-sdk/client-acm', 'https://{}.amazonaws.com'],
    ['pkg:npm/@aws-sdk/cloudfront-signer', undefined],
    ['pkg:npm/@aws-sdk/signature-v4-crt', undefined],
    ['pkg:npm/@aws-sdk/util-dynamodb', undefined],
    ['pkg:npm/@azure/core-auth', undefined],
    ['pkg:npm/@datadog/pprof', undefined],
    ['pkg:npm/@datadog/browser-logs', 'https://api.datadoghq.com'],
    ['pkg:pub/google_fonts', 'https://fonts.googleapis.com'],
    ['pkg:npm/google-auth-library', 'https://oauth2.googleapis.com'],
    ['pkg:npm/@google-cloud/run', 'https://{}.googleapis.com'],
    ['pkg:maven/com.google.android.gms/play-services-wearable', undefined],
    ['pkg:maven/com.google.android.gms/play-services-base', undefined],
    ['pkg:golang/github.com/aws/aws-sdk-go-v2', undefined],
    ['pkg:golang/github.com/aws/aws-sdk-go-v2/credentials', undefined],
    ['pkg:golang/github.com/aws/aws-sdk-go-v2/service/s3', 'https://s3.{}.amazonaws.com'],
    ['pkg:maven/com.google.android.gms/play-services-nearby', 'https://{}.googleapis.com'],
    ['pkg:pypi/Discord_py', 'https://discord.com/api'],
    ['pkg:golang/github.com/stripe/stripe-go/v76@v76.0.1', 'https://api.stripe.com'],
    ['pkg:nuget/stripe.NET@43.0.0?a=b', 'https://api.stripe.com'],
    ['pkg:golang/github.com/zorkian/go-datadog-api@v2.30.0', 'https://api.datadoghq.com'],
    ['pkg:golang/github.com/microsoft/azure-devops-go-api/azuredevops', 'https://dev.azure.com'],
    ['pkg:npm/azure-devops-node-api@12.0.0', 'https://dev.azure.com'],
    [
      'pkg:maven/org.springframework.ai/spring-ai-starter-model-anthropic@1.0.0',
      'https://api.anthropic.com',
    ],
    ['pkg:npm/@langchain/groq', 'https://api.groq.com'],
    ['pkg:pypi/langchain-deepseek', 'https://api.deepseek.com'],
    ['pkg:npm/@modelcontextprotocol/server-slack', 'https://slack.com/api'],
    ['pkg:docker/ghcr.io/github/github-mcp-server', 'https://api.github.com'],
    ['pkg:pypi/pydantic-ai', undefined],
    ['pkg:terraform/hashicorp/aws', 'https://{}.amazonaws.com'],
    ['pkg:terraform/datadog', 'https://api.datadoghq.com'],
    ['pkg:terraform/acme/datadog', 'https://api.datadoghq.com'],
    ['pkg:terraform/hashicorp/random', undefined],
    ['pkg:githubactions/aws-actions/configure-aws-credentials@v4', 'https://{}.amazonaws.com'],
    ['pkg:ansible/community.general.slack', 'https://slack.com/api'],
    ['pkg:maven/com.stripe/stripe-android@20.1.0', 'https://api.stripe.com'],
    ['pkg:pypi/plexapi@4.15.0', 'https://plex.tv/api/v2'],
    ['pkg:nuget/MegaApiClient', 'https://g.api.mega.co.nz'],
    ['pkg:maven/com.mandrillapp.wrapper.lutung/lutung', 'https://mandrillapp.com/api/1.0'],
    ['pkg:maven/com.google.android.play/review-ktx', 'https://play.googleapis.com'],
    ['pkg:gem/wikidata-client', 'https://www.wikidata.org/w/api.php'],
    ['pkg:cargo/ytmapi-rs', 'https://music.youtube.com/youtubei/v1'],
    ['pkg:githubactions/wow-actions/potential-duplicates', 'https://api.github.com'],
    ['pkg:githubactions/th0th/notify-discord', 'https://discord.com/api'],
    ['pkg:githubactions/actions/checkout', undefined],
    ['pkg:maven/com.google.android.material/material', undefined],
    ['pkg:hex/turnstile', 'https://challenges.cloudflare.com/turnstile'],
    ['pkg:npm/react-turnstile', 'https://challenges.cloudflare.com/turnstile'],
    ['pkg:maven/com.google.mlkit/smart-reply', undefined],
    ['pkg:npm/left-pad', undefined],
  ])('knows the package URL %s', (packageUrl, wanted) => {
    expect(table.findDependency(packageUrl)?.url).toBe(wanted)
  })

  it.each([
    ['python', 'from google.cloud import storage', true],
    ['python', 'import os', false],
    ['python', '# import stripe', false],
    ['javascript', `import {\n  a\n} from 'stripe/x'`, true],
    ['javascript', `const a = require("twilio")`, true],
    ['go', 'import (\n\tx "github.com/slack-go/slack"\n)', true],
    ['java', 'import static com.twilio.Twilio.init;', true],
    ['php', 'use Stripe\\Stripe;', true],
    ['swift', '@testable import Stripe', true],
    ['swift', 'import Foundation', false],
    ['other', 'import Stripe', false],
    ['c-sharp', 'using Stripe;', true],
    ['rust', 'use stripe::Client;', true],
    ['ruby', `require 'stripe'`, true],
    ['shell', 'stripe', false],
    ['shell', '  stripe listen', true],
    ['shell', 'stripes listen', false],
    ['shell', 'until /opt/stripe listen --key "$KEY"; do', true],
    ['shell', 'cd /opt/stripes listen', false],
  ] as const)('sees cheaply whether %s may import one: %s', (family, text, wanted) => {
    expect(table.mayImport({ family, text })).toBe(wanted)
  })

  it('has more than 1,600 vendors, each package once, in the format of files of users', () => {
    const names = VENDOR_PACKAGES.flatMap(({ packages }) => packages)
    expect(names.length - new Set(names).size).toBe(0)
    expect(new Set(VENDORS.map(({ vendor }) => vendor)).size).toBeGreaterThan(1600)
    const rows = [...VENDORS, ...VENDOR_PACKAGES]
    expect(rows.filter(({ source }) => source === undefined)).toEqual([])
    expect(parsePackageRows(JSON.stringify(VENDOR_PACKAGES))).toEqual(VENDOR_PACKAGES)
    const vendors = VENDORS.map((row) => ({ ...row, packages: [] }))
    expect(parsePackageRows(JSON.stringify(vendors))).toEqual(vendors)
  })

  it('finds every package by its URL, and every named module by its import', () => {
    const { findDependency, findPackage } = createPackageTable(VENDOR_PACKAGES)
    const closed = VENDOR_PACKAGES.flatMap(({ packages }) =>
      packages.filter((name) => !name.endsWith('*')),
    )
    expect(
      closed.filter((name) => findDependency(name)?.package !== toCanonicalPackageUrl(name)),
    ).toEqual([])
    const modules = VENDOR_PACKAGES.flatMap(({ imports = {} }) =>
      Object.entries(imports).flatMap(([family, names = []]) =>
        names.map((module) => ({ family, module })),
      ),
    )
    expect(modules.filter((module) => !findPackage(module))).toEqual([])
  })

  it.each([
    ['javascript', 'passport-acme', 'pkg:npm/passport-acme'],
    ['javascript', 'next-auth/providers/acme', 'pkg:npm/next-auth'],
    ['python', 'allauth.socialaccount.providers.acme', 'pkg:pypi/django-allauth'],
    ['python', 'reauth.factors.oauth2.acme', 'pkg:pypi/reauth'],
    ['go', 'golang.org/x/oauth2/acme', 'pkg:golang/golang.org/x/oauth2'],
    ['ruby', 'omniauth-acme', 'pkg:gem/omniauth-acme'],
    ['php', 'login/acme', 'pkg:composer/laravel/socialite'],
  ] as const)('knows libraries for the login with a vendor: %s %s', (family, module, name) => {
    const row = { vendor: 'Acme', url: 'https://api.acme.io', packages: [], logins: ['acme'] }
    const { findPackage } = createPackageTable([row])
    expect(findPackage({ family, module })?.package).toBe(name)
  })

  it('takes rows of a user before its own', () => {
    const own = { vendor: 'Proxy', url: 'https://stripe.acme.io', packages: ['pkg:npm/stripe'] }
    const { findPackage } = createPackageTable([own, ...VENDOR_PACKAGES])
    expect(findPackage({ family: 'javascript', module: 'stripe' })?.url).toBe(own.url)
  })
})

describe('a list of packages', () => {
  it.each([
    ['{', 'Cannot read the packages: they must be JSON'],
    ['{}', 'Cannot read the packages: the list must be an array'],
    [
      '[{"vendor":"A","url":"a","packages":[]}]',
      'Cannot read the packages: url of item 1 must be an HTTP URL',
    ],
    ['[{"vendor":"A","url":"https://a.b","packages":["a"]}]', /must be a package URL$/],
    ['[{"vendor":"A","url":"https://a.b","packages":[],"x":1}]', /^Cannot read the packages: /],
  ])('is refused with a reason: %s', (text, reason) => {
    expect(() => parsePackageRows(text)).toThrow(reason)
  })
})

describe('packages of a vendor that call nothing', () => {
  it.each([
    ['pkg:npm/@auth0/angular-jwt', undefined],
    ['pkg:npm/@sentry/types@8.0.0', undefined],
    ['pkg:npm/@auth0/auth0-spa-js', 'https://{}.auth0.com'],
    ['pkg:npm/@auth0/icons-client', 'https://{}.auth0.com'],
  ])('are no usages: %s', (url, base) => {
    expect(table.findDependency(url)?.url).toBe(base)
  })
})
