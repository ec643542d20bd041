import { describe, expect, it } from 'vitest'
import { scanText } from '../../../core/code-scanner/find/scan-text.ts'
import type { Finding } from '../../../core/code-scanner/model/finding.ts'
import { findOwnSites } from '../../../core/code-scanner/packages/own-hosts.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { createProjectScan } from '../../../core/code-scanner/scan-project.ts'
import { emptyCatalogue, grammars, scanFiles } from './scan.ts'

function scanWithPackages(files: Readonly<Record<string, string>>, ownHosts?: readonly string[]) {
  const project = createProjectScan(emptyCatalogue, [], ownHosts)
  for (const [path, text] of Object.entries(files)) {
    project.add(scanText({ path, text }, { grammars, ...createPackageTable() }))
  }
  return project.finish().findings
}

describe('hosts of the project itself', () => {
  it.each([
    ['package.json', '{ "homepage": "https://acme.io/docs" }', ['acme.io']],
    ['package.json', '{ "homepage": "https://github.com/acme/shop" }', []],
    ['go.mod', 'module acme.io/shop/v2\n\ngo 1.24', ['acme.io']],
    ['go.mod', 'module github.com/acme/shop', []],
    ['go.mod', 'module shop\n\nrequire tools.io/log v1.0.0', []],
    ['internal/forked/go.mod', 'module acme.io/client', []],
    ['Cargo.toml', 'homepage = "https://acme.io"', ['acme.io']],
    ['src/Shop.csproj', '<Company>acme.io</Company>', ['acme.io']],
    ['src/Shop.csproj', '<Company>Acme Inc.</Company>', []],
    [
      'Directory.Build.props',
      '<PackageProjectUrl>https://acme.io/</PackageProjectUrl>',
      ['acme.io'],
    ],
    ['docs/CNAME', 'docs.acme.io\n', ['docs.acme.io']],
    ['a.yaml', 'kind: Ingress\nspec:\n  rules:\n    - host: app.acme.io', ['app.acme.io']],
    [
      'a.yaml',
      'kind: VirtualService\nspec:\n  http:\n    - route:\n        - destination:\n            host: api.acme.io',
      [],
    ],
    ['compose.yml', 'labels:\n  - rule=Host(`app.acme.io`)', ['app.acme.io']],
    ['a.yaml', 'database:\n  host: db.acme.io', []],
    [
      'config/environments/production.rb',
      "config.action_mailer.default_url_options = {\n  protocol: 'https',\n  host: 'acme.io'\n}",
      ['acme.io'],
    ],
    [
      'config/sitemap.rb',
      "SitemapGenerator::Sitemap.default_host = 'https://www.acme.io'",
      ['www.acme.io'],
    ],
    [
      'config/environments/production.rb',
      "config.hosts << ENV['HOST']\napi = 'https://acme.io'",
      [],
    ],
    ['config/application.rb', "config.api_host = 'https://acme.io'", []],
    ['config/routes.rb', 'get "terms", to: redirect("https://acme.io/terms")', []],
    [
      'config/routes.rb',
      "get 'privacy', to: redirect('https://www.iubenda.com/privacy-policy/1')",
      [],
    ],
    ['config/routes.rb', 'get "pay", to: redirect("https://pay.acme.io/v1")', []],
    ['app/build.gradle.kts', '    applicationId = "io.acme.shop"', ['shop.acme.io']],
    ['build.gradle', '  "Main-Class": "io.acme.shop.Main",', ['main.shop.acme.io']],
    ['app/build.gradle.kts', '  mainClass.set("io.acme.shop.App")', ['app.shop.acme.io']],
    ['app/build.gradle', '  applicationIdSuffix "beta.acme"', []],
    ['app/build.gradle', "group 'com.stripe.android'", []],
    [
      'apps/mobile/app.json',
      '{ "ios": { "bundleIdentifier": "io.acme.shop" }, "android": { "package": "com.stripe.app" } }',
      ['shop.acme.io'],
    ],
    [
      'app.json',
      '{ "android": { "adaptiveIcon": { "color": "#fff" }, "package": "io.acme.shop" } }',
      ['shop.acme.io'],
    ],
    ['plugins/app.config.js', "queries: { package: 'io.acme.shop' }", []],
    ['app.config.ts', "ios: { bundleIdentifier: 'io.acme.shop' }", ['shop.acme.io']],
    ['src/app.ts', "const a = { package: 'io.acme.shop' }", []],
    ['mkdocs.yml', 'site_name: Acme\nsite_url: https://docs.acme.io/en/', ['docs.acme.io']],
    ['mkdocs.yml', 'nav:\n  - site_url: https://docs.acme.io', []],
    [
      'apps/docs/docusaurus.config.ts',
      "  url: 'https://docs.acme.io',\n  presets: [['a', { specs: [\n    {\n      url: 'https://acme.dev',",
      ['docs.acme.io'],
    ],
    ['docusaurus.config.js', "  url: 'https://api.acme.io',", []],
    ['docusaurus.config.js', "  url: 'https://acme.io/openapi.json',", []],
    ['test/fixtures/mkdocs.yml', 'site_url: https://docs.acme.io', []],
    ['examples/app/build.gradle', '  applicationId "io.acme.shop"', []],
    ['docs/examples/app/build.gradle', '  applicationId "io.acme.shop"', []],
    [
      'dns.tf',
      `resource "aws_route53_zone" "main" {\n  name = "\${var.stage}.acme.io."\n}
resource "aws_acm_certificate" "web" {\n  domain_name = "*.acme.net"\n}
data "google_dns_managed_zone" "z" {\n  dns_name = "acme.dev."\n}`,
      ['acme.io', 'acme.net', 'acme.dev'],
    ],
    [
      'private.tf',
      `resource "aws_route53_zone" "a" {\n  name = "byoc.redpanda.cloud"\n  vpc {\n    vpc_id = var.vpc\n  }\n}
resource "azurerm_private_dns_zone" "b" {\n  name = "privatelink.acme.io"\n}
resource "google_dns_managed_zone" "c" {\n  dns_name = "acme.dev."\n  visibility = "private"\n}
data "aws_route53_zone" "d" {\n  name = "acme.net"\n  private_zone = true\n}
data "aws_route53_zone" "e" {\n  name = "acme.org"\n  private_zone = false\n}
resource "fastly_domain" "f" {\n  upstream_zone = "origin.acme.com"\n}`,
      ['acme.org'],
    ],
    [
      'dns.tf',
      `resource "aws_route53_record" "mail" {\n  name = "mg.acme.io"\n}
resource "aws_route53_zone" "a" {\n  name = var.zone\n}
locals {\n  name = "api.acme.io"\n}`,
      [],
    ],
    ['.env.production', 'APP_URL="https://acme.io"\nAPI_URL=https://api.acme.io', ['acme.io']],
  ])('are named in %s: %s', (path, text, wanted) => {
    expect(findOwnSites({ path, text }).ownHosts).toEqual(wanted)
  })

  it('are not reported where nothing is called', async () => {
    const { findings } = await scanFiles({
      'package.json': '{ "homepage": "https://acme.io" }',
      'config.yml':
        'base_url: https://acme.io\napi_url: https://acme.io/api\nother_url: https://b.acme.io',
    })
    expect(findings.map(({ url }) => url)).toEqual(['https://acme.io/api', 'https://b.acme.io'])
  })

  it.each([
    ['package.json', '{ "name": "@acme-labs/web", "author": { "name": "Someone" } }', ['acmelabs']],
    ['package.json', '{ "name": "geocoder", "version": "1.0.0" }', []],
    ['package.json', '{ "private": true, "name": "night-market" }', []],
    [
      'package.json',
      '{ "repository": "github:acme-labs/shop", "dependencies": { "a": "git+https://github.com/foxes/a.git" } }',
      ['acmelabs'],
    ],
    [
      'package.json',
      '{ "repository": { "type": "git", "url": "git+https://github.com/acme-labs/a.git" } }',
      ['acmelabs'],
    ],
    ['composer.json', '{ "name": "acme-labs/shop", "type": "project" }', ['acmelabs']],
    ['composer.json', '{ "name": "laravel/laravel", "type": "project" }', []],
    ['composer.json', '{ "require": { "name": "parcelfox/api" } }', []],
    ['composer.json', '{ "repositories": [{ "url": "https://github.com/foxes/a" }] }', []],
    ['go.mod', 'module shop\n\nrequire github.com/parcelfox/parcelfox-go v1.0.0\n', []],
    ['pyproject.toml', 'dependencies = ["a @ git+https://github.com/parcelfox/a"]', []],
    [
      'pyproject.toml',
      '[project.urls]\nHomepage = "https://github.com/acme-labs/a/"',
      ['acmelabs'],
    ],
    ['setup.py', '# based on https://github.com/parcelfox/template/\nsetup(name="shop")', []],
    [
      'a.gemspec',
      "spec.metadata['source_code_uri'] = 'https://github.com/acme-labs/a/tree/main'",
      ['acmelabs'],
    ],
    ['go.mod', 'module github.com/skyforge/cli-tool\n', ['skyforge']],
    ['Cargo.toml', 'repository = "https://gitlab.com/big-river/nets.git"', ['bigriver']],
    ['packages/a/package.json', '{ "name": "storefront" }', []],
    ['a.ts', "const name = 'storefront'", []],
  ])('may have a name in %s: %s', (path, text, wanted) => {
    expect(findOwnSites({ path, text }).ownLabels).toEqual(wanted)
  })

  it('are marked, unless a vendor is known for them', async () => {
    const { findings } = await scanFiles({
      'package.json': '{ "name": "stripe-shop", "homepage": "https://shop.acme.co.uk" }',
      'go.mod': 'module github.com/skyforge/stripe\n',
      'composer.json': '{ "name": "big-nets-io/web" }',
      'a.ts': `fetch('https://api.acme.co.uk/v1')
fetch('https://skyforge.dev/v1')
fetch('https://api.stripe.com/v1')
fetch('https://api.other.co.uk/v1')
fetch('https://cdn.bignets.io/v1')
fetch('https://cdn.bignets.com/v1')
`,
    })
    expect(findings.map(({ host, isOwnHost = false }) => [host, isOwnHost])).toEqual([
      ['api.acme.co.uk', true],
      ['skyforge.dev', true],
      ['api.stripe.com', false],
      ['api.other.co.uk', false],
      ['cdn.bignets.io', true],
      ['cdn.bignets.com', false],
    ])
  })

  it('are those of a known vendor only if they are declared', async () => {
    const named = (name: string) => JSON.stringify({ name, private: true })
    const files = {
      ...{ 'a/package.json': named('@linear/a'), 'b/package.json': named('@linear/b') },
      ...{ 'c/package.json': named('@linear/c'), 'package.json': named('@linear/d') },
      'web/package.json': '{ "dependencies": { "@linear/sdk": "1.0.0", "stripe": "1.0.0" } }',
      'web/a.ts': "fetch('https://api.linear.app/graphql')\n",
    }
    const toRows = (findings: readonly Finding[]) =>
      findings.map(({ vendorName, isOwnHost = false }) => [vendorName, isOwnHost])
    expect(toRows(scanWithPackages(files))).toEqual([
      ['Linear', false],
      ['Linear', false],
      ['Stripe', false],
    ])
    expect(toRows(scanWithPackages(files, ['linear.app']))).toEqual([
      ['Linear', true],
      ['Linear', true],
      ['Stripe', false],
    ])
  })

  it.each([
    ['its workspace', {}, [['Documenso', true]]],
    ['two packages', { 'c/package.json': '{}' }, [['Documenso', false]]],
    ['the root of another project', { 'package.json': '{}' }, [['Documenso', false]]],
    [
      'a root without its site',
      { 'package.json': '{ "name": "@documenso/root" }' },
      [['Documenso', false]],
    ],
    [
      'a root without its scope',
      { 'package.json': '{ "name": "root", "repository": "github:documenso/documenso" }' },
      [['Documenso', false]],
    ],
    [
      'a root with its homepage',
      { 'package.json': '{ "name": "@documenso/root", "homepage": "https://documenso.com" }' },
      [['Documenso', true]],
    ],
    ['examples', { 'c/package.json': '{}', 'examples/c/package.json': 3 }, [['Documenso', false]]],
    [
      'a workspace with the library of the vendor',
      { 'c/package.json': '{ "dependencies": { "@documenso/sdk-typescript": "1" } }' },
      [
        ['Documenso', false],
        ['Documenso', false],
      ],
    ],
    [
      'the library of the vendor',
      { 'sdk/package.json': '{ "name": "@documenso/sdk-typescript" }' },
      [
        ['Documenso', false],
        ['Documenso', false],
      ],
    ],
  ] as const)('of a known vendor are own in its workspace alone: %s', (_, more, wanted) => {
    const named = (name: string) => JSON.stringify({ name: `@documenso/${name}`, private: true })
    const findings = scanWithPackages({
      'package.json': '{ "name": "@documenso/root", "repository": "github:documenso/documenso" }',
      'a/package.json': named('a'),
      'c/package.json': named('c'),
      'a/licence.ts': "fetch('https://license.documenso.com/api/license', { method: 'POST' })",
      ...Object.fromEntries(
        Object.entries(more).map(([path, text]) => [path, text === 3 ? named('d') : text]),
      ),
    })
    expect(findings.map(({ vendorName, isOwnHost = false }) => [vendorName, isOwnHost])).toEqual(
      wanted,
    )
  })

  it.each([
    ['its application', '"name": "umami", "scripts": { "start": "next start" }', true],
    ['an application with another name', '"name": "stats", "scripts": { "start": "a" }', undefined],
    ['a library', '"name": "umami", "scripts": { "build": "tsc" }', undefined],
    [
      'an application with its library',
      '"name": "umami", "scripts": { "start": "a" }, "dependencies": { "@umami/node": "1" }',
      undefined,
    ],
  ])('of a known vendor are own in its product: %s', (_, manifest, wanted) => {
    const findings = scanWithPackages({
      'package.json': `{ "homepage": "https://umami.is", ${manifest} }`,
      'a.ts': "fetch('https://api.umami.is/v1/updates')",
    })
    expect(findings.find(({ file }) => file === 'a.ts')?.isOwnHost).toBe(wanted)
  })

  it.each([
    ['its product with its library', 'documenso', {}, true],
    ['a client of others', 'signer', {}, undefined],
    ['two packages', 'documenso', { 'c/package.json': '{}' }, undefined],
    [
      'packages without its site',
      'documenso',
      { 'a/package.json': '{}', 'd/package.json': 1 },
      undefined,
    ],
  ] as const)(
    'of a known vendor and packages are own in its product: %s',
    (_, name, more, wanted) => {
      const named = (each: string) => `{ "name": "@documenso/${each}" }`
      const findings = scanWithPackages({
        'package.json': `{ "name": "${name}", "scripts": { "start": "turbo run start" } }`,
        'a/package.json': '{ "name": "@documenso/a", "homepage": "https://documenso.com" }',
        ...{ 'b/package.json': named('b'), 'c/package.json': named('c') },
        ...Object.fromEntries(
          Object.entries(more).map(([path, text]) => [path, text === 1 ? named('d') : text]),
        ),
        'web/package.json': '{ "dependencies": { "@documenso/sdk-typescript": "1" } }',
        'web/a.ts': "fetch('https://app.documenso.com/api/v2/document')",
      })
      expect(findings.map(({ file, isOwnHost }) => [file, isOwnHost])).toEqual([
        ['web/a.ts', wanted],
        ['web/package.json', wanted],
      ])
    },
  )

  it('are not those of a vendor whose name is a common word', () => {
    const findings = scanWithPackages({
      'package.json': '{ "name": "@render/root", "repository": "github:render/site" }',
      ...{
        'a/package.json': '{ "name": "@render/a" }',
        'b/package.json': '{ "name": "@render/b" }',
      },
      'a/deploy.ts': "fetch('https://api.render.com/v1/services')",
    })
    expect(findings.map(({ vendorName, isOwnHost }) => [vendorName, isOwnHost])).toEqual([
      ['Render', undefined],
    ])
  })

  it('do not have the name of an application, which may be that of a service', async () => {
    const { findings } = await scanFiles({
      'app/build.gradle': 'android {\n  applicationId "dev.someone.nightmarket"\n}',
      'app/src/main/res/values/strings.xml':
        '<string name="site">https://nightmarket.app/</string>',
      'app/src/main/java/A.java': `class A { void a(OkHttpClient client) {
    client.newCall(new Request.Builder().url("https://api.nightmarket.app/v1").build());
  } }`,
    })
    expect(findings.map(({ host, isOwnHost }) => [host, isOwnHost])).toEqual([
      ['api.nightmarket.app', undefined],
    ])
  })
})
