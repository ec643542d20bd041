import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { findCredentialVendor } from '../../../core/code-scanner/config/credential-names.ts'
import { credentialReader } from '../../../core/code-scanner/config/credentials.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { emptyCatalogue, skipsSyntax } from './scan.ts'

/** `line url` of each vendor, in order. */
function findVendors(path: string, lines: readonly string[]): readonly string[] {
  if (!credentialReader.fits(path)) return []
  return credentialReader
    .read({ path, text: lines.join('\n') }, {})
    .map(({ line, url }) => `${line} ${url}`)
}

const secret = (name: string) => `\${{ secrets.${name} }}`

describe('the vendor of a credential', () => {
  it.each([
    ['SQUARE_ACCESS_TOKEN', 'https://connect.squareup.com'],
    ['VITE_MAPBOX_TOKEN', 'https://api.mapbox.com'],
    ['NEW_RELIC_LICENSE_KEY', 'https://collector.newrelic.com'],
    ['newrelic.license-key', 'https://collector.newrelic.com'],
    ['klaviyoApiKey', 'https://a.klaviyo.com/api'],
    ['BILLING_PADDLE_API_KEY', 'https://api.paddle.com'],
    ['GOOGLE_MAPS_API_KEY', 'https://maps.googleapis.com'],
    ['NEXT_PRIVATE_GOOGLE_CLIENT_ID', 'https://accounts.google.com'],
    ['GOOGLE_OAUTH2_CLIENT_SECRET', 'https://accounts.google.com'],
    ['GOOGLE_VERTEX_API_KEY', 'https://aiplatform.googleapis.com'],
    ['GOOGLE_API_KEY', 'https://{}.googleapis.com'],
    ['AZURE_STORAGE_ACCOUNT_KEY', 'https://{}.blob.core.windows.net'],
    ['UPLOAD_AZURE_ACCOUNT_KEY', 'https://{}.blob.core.windows.net'],
    ['AZURE_CLIENT_SECRET', 'https://login.microsoftonline.com'],
    ['AI_AZURE_API_KEY', 'https://{}.openai.azure.com'],
    ['SENTRY_AUTH_TOKEN', 'https://sentry.io/api/0'],
    ['SENTRY_DSN', 'https://{}.ingest.sentry.io'],
    ['NTFY_SH_TOKEN', 'https://ntfy.sh'],
    ['DOCKERHUB_TOKEN', 'https://registry-1.docker.io'],
    ['SLACK_WEBHOOK', 'https://slack.com/api'],
    ['TF_VAR_digitalocean_token', 'https://api.digitalocean.com'],
  ])('is read from %s', (name, url) => {
    expect(findCredentialVendor(name)).toBe(url)
  })

  it.each([
    'API_KEY',
    'X_API_KEY',
    'REMOTE_API_KEY',
    'MY_SECRET_KEY',
    'DB_ACCESS_TOKEN',
    'JWT_SECRET',
    'SQUARE_TOKEN',
    'STRIPE',
    'STRIPE_ENABLED',
    'UNSTRIPED_API_KEY',
    'BOX_DOMAIN',
    'NTFY_TOKEN',
  ])('is not read from %s', (name) => {
    expect(findCredentialVendor(name)).toBeUndefined()
  })
})

describe('settings with credentials', () => {
  it('are found once per vendor in environments, with or without values', () => {
    expect(
      findVendors('deploy/.secrets.env.sample', [
        '# PLAID_SECRET=',
        'KLAVIYO_API_KEY=',
        'export PUSHOVER_API_TOKEN=abc',
        'KLAVIYO_PRIVATE_KEY=',
        'SESSION_SECRET=x',
      ]),
    ).toEqual(['2 https://a.klaviyo.com/api', '3 https://api.pushover.net/1'])
  })

  it('are found in builds, other than the token of the build itself', () => {
    expect(
      findVendors('.github/workflows/release.yml', [
        'env:',
        `  GITHUB_TOKEN: ${secret('GITHUB_TOKEN')}`,
        `  TOKEN: ${secret('NETLIFY_AUTH_TOKEN')}`,
      ]),
    ).toEqual(['3 https://api.netlify.com'])
  })

  it('are found in containers and sections', () => {
    expect(
      findVendors('k8s/web.yaml', [
        'env:',
        '  - name: TWILIO_AUTH_TOKEN',
        '    valueFrom: {}',
        'mixpanel:',
        '  enabled: true',
        '  token: x',
        'plaid:',
        'other:',
        '  secret: x',
      ]),
    ).toEqual(['2 https://api.twilio.com', '4 https://api.mixpanel.com'])
    expect(
      findVendors('appsettings.json', ['{ "A": 1,', '  "Mailjet": {', '    "ApiKey": ""']),
    ).toEqual(['2 https://api.mailjet.com'])
    expect(findVendors('a.toml', ['[hcaptcha]', '# key = "x"', '[b]', 'site-key = "x"'])).toEqual(
      [],
    )
    expect(findVendors('a.toml', ['[hcaptcha]', '# See the docs.', 'site-key = "x"'])).toEqual([
      '1 https://api.hcaptcha.com',
    ])
  })

  it.each([
    ['a.py', 'key = os.environ.get("MAILJET_API_KEY")'],
    ['a.py', 'key = os.environ["MAILJET_API_KEY"]'],
    ['a.go', 'key := os.Getenv("MAILJET_API_KEY")'],
    ['a.rb', "key = ENV.fetch('MAILJET_API_KEY')"],
    ['a.php', "'key' => env('MAILJET_API_KEY', null),"],
    ['a.rs', 'let key = std::env::var("MAILJET_API_KEY")?;'],
    ['a.ts', 'const key = process.env.MAILJET_API_KEY'],
    ['a.ts', 'const hash = hashSecret("MAILJET_API_KEY")'],
    ['a.py', '@checkout_config("MAILJET_API_KEY")'],
    ['a.ts', '@requireSecret("MAILJET_API_KEY") private key!: string'],
    ['a.gradle', 'buildConfigField "String", "MAILJET_API_KEY", key'],
    ['a.ts', 'const key = process.env.MAILJET_API_KEY !== x && f()'],
    ['a.ts', 'if (process.env.MAILJET_API_KEY) send(process.env.MAILJET_API_KEY)'],
    ['a.ts', 'send(isOn && !process.env.OFF ? process.env.MAILJET_API_KEY : null)'],
  ])('are found where code reads them: %s', (path, line) => {
    expect(findVendors(path, [line])).toEqual(['1 https://api.mailjet.com'])
  })

  it.each([
    ['a.py', '@require_setting("MAILJET_API_KEY")'],
    ['a.ts', '@requireSecret("MAILJET_API_KEY") async send() {}'],
    ['a.py', '@testing.skip_unless_env("MAILJET_API_KEY")'],
    ['a.php', "if ($env->has('MAILJET_API_KEY')) {"],
    ['a.rb', "hidden unless has_setting?('MAILJET_API_KEY')"],
    ['a.ts', 'const isOn = !!process.env.MAILJET_API_KEY'],
    ['a.ts', 'const isOn = Boolean(env.MAILJET_API_KEY && env.MAILJET_API_SECRET)'],
    ['a.ts', 'const isOn = process.env.MAILJET_API_KEY !== undefined'],
    ['a.py', 'is_on = os.environ.get("MAILJET_API_KEY") is not None'],
  ])('are not found where code checks for them: %s', (path, line) => {
    expect(findVendors(path, [line])).toEqual([])
  })

  it('are found in functions that require and return them', () => {
    expect(findVendors('a.ts', ["const key = requireEnv('MAILJET_API_KEY')"])).toEqual([
      '1 https://api.mailjet.com',
    ])
  })

  it('are not found in other texts of code, nor in tests', () => {
    expect(
      findVendors('a.py', ['print("MAILJET_API_KEY")', 'raise E(f("MAILJET_API_KEY"))']),
    ).toEqual([])
    expect(findVendors('test/a.py', ['key = os.getenv("MAILJET_API_KEY")'])).toEqual([])
  })

  it('are not repeated where the same file runs the action of the service', async () => {
    const step = (name: string) =>
      `      - uses: ${name}\n        with: { token: ${secret('CODECOV_TOKEN')} }`
    const files = [
      { path: '.github/workflows/a.yml', text: step('codecov/codecov-action@v5') },
      { path: '.github/workflows/b.yml', text: step('./.github/actions/report') },
    ]
    const scan = { files, catalogue: emptyCatalogue, grammars: undefined, ...createPackageTable() }
    const { findings } = await scanProject(scan)
    expect(findings.map(({ file, line, via }) => `${file}:${line} ${via}`)).toEqual([
      '.github/workflows/a.yml:1 manifest',
      '.github/workflows/b.yml:2 config',
    ])
  })

  it.skipIf(skipsSyntax)('are not repeated where code imports the library', async () => {
    const text = 'f(process.env.STRIPE_SECRET_KEY)'
    const files = [
      { path: 'a.ts', text: `import Stripe from 'stripe'\n${text}` },
      { path: 'b.ts', text },
    ]
    const grammars = await openGrammars(['tsx', 'typescript'])
    const scan = { files, catalogue: emptyCatalogue, grammars, ...createPackageTable() }
    const { findings } = await scanProject(scan)
    expect(findings.map(({ file, line, via }) => `${file}:${line} ${via}`)).toEqual([
      'a.ts:1 import',
      'b.ts:1 config',
    ])
  })

  it.skipIf(skipsSyntax)('are kept where code imports another library of the vendor', async () => {
    const text =
      "import '@microsoft/microsoft-graph-client'\nf(process.env.AZURE_STORAGE_ACCOUNT_KEY)"
    const grammars = await openGrammars(['tsx', 'typescript'])
    const files = [{ path: 'a.ts', text }]
    const scan = { files, catalogue: emptyCatalogue, grammars, ...createPackageTable() }
    const { findings } = await scanProject(scan)
    expect(findings.map(({ line, url }) => `${line} ${url}`)).toEqual([
      '1 https://graph.microsoft.com/v1.0',
      '2 https://{}.blob.core.windows.net',
    ])
  })
})
