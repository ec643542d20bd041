// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are settings with expressions
import { describe, expect, it } from 'vitest'
import { configReader } from '../../../core/code-scanner/config/reader.ts'
import { scriptTagReader } from '../../../core/code-scanner/config/script-tags.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'

/** `line:column url` of each address, in order. */
function findConfiguredUrls(path: string, lines: readonly string[]): readonly string[] {
  if (!configReader.fits(path)) return []
  return configReader
    .read({ path, text: lines.join('\n') }, {})
    .map(({ line, column, url }) => `${line}:${column} ${url}`)
}

describe('addresses in configuration', () => {
  it.each([
    ['yum:\n  name: https://api.acme.io/v1', []],
    ['unarchive:\n  src: https://api.acme.io/v1', []],
    ['yum:\n  name:\n    - https://api.acme.io/v1', []],
    ['servers:\n  - a: b\nyum:\n  name: https://api.acme.io/v1', []],
    ['- uri:\n    url: https://api.acme.io/v1', []],
    ['- yum: { name: https://acme.io/a.rpm }', ['1:16 https://acme.io/a.rpm']],
    [
      'tasks:\n  - name: a\n    yum:\n      name: https://acme.io/a.rpm, b,https://acme.io/c.rpm d',
      ['4:13 https://acme.io/a.rpm', '4:38 https://acme.io/c.rpm'],
    ],
    ['- dnf:\n    name:\n      - https://acme.io/a.rpm', ['3:9 https://acme.io/a.rpm']],
    [
      '- get_url:\n    url: https://acme.io/{{ a | default(b, c) }}/d.tar.gz',
      ['2:10 https://acme.io/{}/d.tar.gz'],
    ],
  ])('are downloads only in a task of Ansible: %s', (text, wanted) => {
    const found = configReader.read({ path: 'config/app.yml', text }, {})
    const downloads = found.filter(({ dependencyRole }) => dependencyRole === 'download')
    expect(downloads.map(({ line, column, url }) => `${line}:${column} ${url}`)).toEqual(wanted)
  })

  it.each([
    ['vercel.json', '{ "rewrites": [{ "destination": "https://in.acme.io/:path" }] }', 1],
    ['vercel.json', '{ "redirects": [{ "destination": "https://in.acme.io" }] }', 0],
    ['poll.yaml', '- surveys_url: ${"https://in.acme.io/v2/" + id}', 1],
    ['poll.yaml', '- message: ${"https://in.acme.io/a" + id}', 0],
    ['page.tf', 'a = <<HTML\n <a href="https://in.acme.io/api">\nHTML', 0],
  ] as const)('are read of %s: %s', (path, text, count) => {
    const found = configReader.read({ path, text }, {})
    expect(found.map(({ url }) => url.split('/')[2])).toEqual(Array(count).fill('in.acme.io'))
  })

  it('are found in YAML, lists, blocks and environments of containers', () => {
    expect(
      findConfiguredUrls('deploy/values.yaml', [
        'payments:',
        '  base_url: https://api.acme.io/v1 # live',
        '  # base_url: https://old.acme.io',
        '  host: "api.other.io"',
        'services:',
        '  web:',
        '    environment:',
        '      - MAIL_API=https://mail.acme.io/v3',
        '      - name: SMS_URL',
        '        value: "https://sms.acme.io"',
        '    image: docker.acme.io/web:1',
        '  urls: { a: https://no.acme.io }',
        'data:',
        '  app.properties: |',
        '    geo.endpoint=https://geo.acme.io/api',
        'map: { endpoint: "https://maps.acme.io" }',
      ]),
    ).toEqual([
      '2:13 https://api.acme.io/v1',
      '4:10 api.other.io',
      '8:18 https://mail.acme.io/v3',
      '10:17 https://sms.acme.io',
      '15:18 https://geo.acme.io/api',
      '16:19 https://maps.acme.io',
    ])
  })

  it('are found in JSON with comments', () => {
    expect(
      findConfiguredUrls('config/default.json', [
        '{ // "url": "https://no.acme.io"',
        '  "$schema": "https://acme.io/schema.json",',
        '  "homepage": "https://acme.io",',
        '  "stripe": { "url": "https://api.acme.io/v1", "docs": { "url": "https://docs.acme.io" } },',
        '  "hosts": ["https://a.acme.io", "https://b.acme.io"],',
        '  "Logging": { "note": "see https://acme.io/help" }',
        '}',
      ]),
    ).toEqual(['4:23 https://api.acme.io/v1', '5:14 https://a.acme.io', '5:35 https://b.acme.io'])
  })

  it.each([
    ['.env', 'export API_URL="https://api.acme.io/v1" # live', '1:17 https://api.acme.io/v1'],
    ['.env.production', 'ACME_BASE=https://api.acme.io', '1:11 https://api.acme.io'],
    [
      'application.properties',
      `acme.api.base-url=\${X:https://api.acme.io}`,
      '1:23 https://api.acme.io',
    ],
    [
      'application.yml',
      `acme:\n  url: \${ACME_URL:https://api.acme.io/v2}`,
      '2:19 https://api.acme.io/v2',
    ],
    ['config.toml', '[acme]\nendpoint = "https://api.acme.io"', '2:13 https://api.acme.io'],
    ['app.ini', '; url = https://no.acme.io\nserver = api.acme.io', '2:10 api.acme.io'],
    [
      'main.tf',
      'variable "acme_url" {\n  default = "https://api.acme.io"\n}',
      '2:14 https://api.acme.io',
    ],
    ['Dockerfile', 'ENV A=1 \\\n  ACME_URL=https://api.acme.io', '2:12 https://api.acme.io'],
    ['Dockerfile', 'ENV ACME_URL https://api.acme.io', '1:14 https://api.acme.io'],
    ['Web.config', '<add key="AcmeUrl" value="https://api.acme.io" />', '1:27 https://api.acme.io'],
    [
      'res/values/strings.xml',
      '<string name="users_api">https://api.acme.io/users/%1$s/at/%2$f/%f/%f0</string>',
      '1:26 https://api.acme.io/users/{}/at/{}/{}/%f0',
    ],
    [
      'res/values/strings.xml',
      '<string name="api_base">https://api.acme.io</string>',
      '1:25 https://api.acme.io',
    ],
    [
      'Info.plist',
      '<key>ApiUrl</key>\n<string>https://api.acme.io</string>',
      '2:9 https://api.acme.io',
    ],
    [
      'appsettings.json',
      '{ "Acme": { "BaseUrl": "https://api.acme.io/" } }',
      '1:25 https://api.acme.io/',
    ],
    ['values.yml', 'acme: https://api.acme.io/v1', '1:7 https://api.acme.io/v1'],
    [
      'tariff.yaml',
      'render: |\n  uri: https://api.acme.io/p?z={{ .zone }}&d={{ `{{ now | date "06" }}` }}',
      '2:8 https://api.acme.io/p?z={}&d={}',
    ],
    ['k8s/a.yaml', 'spec:\n  externalName: api.acme.io', '2:17 api.acme.io'],
    ['Pulumi.dev.yaml', 'config:\n  shop:mailUrl: https://api.acme.io', '2:17 https://api.acme.io'],
    ['a.yml', `url: \${env:X, 'https://api.acme.io'}`, '1:16 https://api.acme.io'],
    ['a.yml', 'DD_SITE: us5.datadoghq.com', '1:10 us5.datadoghq.com'],
    [
      'a.json',
      '{ "KeyVault": "https://acme.vault.azure.net/" }',
      '1:16 https://acme.vault.azure.net/',
    ],
    [
      'nginx.conf',
      'location = /a { proxy_pass https://api.acme.io/a; }',
      '1:28 https://api.acme.io/a',
    ],
    ['nginx.conf', 'set $up "https://api.acme.io";', '1:10 https://api.acme.io'],
    ['nginx.conf', 'upstream a { server api.acme.io:443; }', '1:21 api.acme.io:443'],
    ['fluent-bit.conf', '[OUTPUT]\n    Host  in.logs.acme.io', '2:11 in.logs.acme.io'],
    ['logstash.conf', 'http {\n  url => "https://api.acme.io"\n}', '2:11 https://api.acme.io'],
    ['logstash.conf', 'http { url => ["https://api.acme.io"] }', '1:17 https://api.acme.io'],
    ['a.values.yaml.enc.template', 'ACME_URL: https://api.acme.io', '1:11 https://api.acme.io'],
    ['a.tfvars.example', 'acme_url = "https://api.acme.io"', '1:13 https://api.acme.io'],
  ])('are found in %s: %s', (path, text, wanted) => {
    expect(findConfiguredUrls(path, text.split('\n'))).toEqual([wanted])
  })

  it.each([
    ['values.yml', 'homepage: https://acme.io'],
    ['values.yml', 'repository:\n  url: https://git.acme.io/a'],
    ['values.yml', 'image: registry.acme.io/web'],
    ['values.yml', 'cors:\n  allowed_origins: https://app.acme.io'],
    ['values.yml', 'base_url: http://localhost:3000'],
    ['values.yml', 'base_url: http://localhost/api'],
    ['values.yml', 'base_url: http://localhost.com/api'],
    ['values.yml', 'about: https://acme.io'],
    ['role.yaml', 'server: a\nroleRef:\n  apiGroup: rbac.authorization.k8s.io'],
    ['openapi.yaml', 'openapi: 3.1.0\nservers:\n  - url: https://api.acme.io'],
    ['acme.postman_collection.json', '{ "url": "https://api.acme.io" }'],
    ['res/values-ja/strings.xml', '<string name="api_url">https://api.acme.io</string>'],
    ['locales/en.json', '{ "api_url": "https://api.acme.io" }'],
    ['package.json', '{ "url": "https://api.acme.io" }'],
    ['data.json', '{ "@context": "https://schema.acme.io", "url": "https://api.acme.io" }'],
    ['web.config', '<a xmlns="https://api.acme.io/ns" />'],
    ['.env', '# API_URL=https://api.acme.io'],
    ['nginx.conf', 'server_name api.acme.io;\nupstream a { server web.acme.io:3000; }'],
    ['ssh.conf', 'Host git.acme.io\n  HostName git.acme.io'],
    ['a.yml', 'server: a\nsite: acme.io'],
  ])('are not seen in %s: %s', (path, text) => {
    expect(findConfiguredUrls(path, text.split('\n'))).toEqual([])
  })

  it('are names that programs read, in environments and in settings of applications', () => {
    const text = 'A_URL=https://api.acme.io\nB=1\nC_HOST=api.acme.io\n'
    expect(configReader.names?.({ path: '.env', text })).toEqual({
      A_URL: 'https://api.acme.io',
      C_HOST: 'api.acme.io',
    })
    const settings =
      'acme.geo-api.base-url=https://api.acme.io\nacme.home.url=http://localhost:80\n'
    expect(configReader.names?.({ path: 'a.properties', text: settings })).toEqual({
      'acme:geoapi:baseurl': 'https://api.acme.io',
      'geoapi:baseurl': 'https://api.acme.io',
    })
    expect(configReader.names?.({ path: 'a.toml', text: settings })).toEqual({})
  })

  it.each([
    ['.env', 'IMAGE_API_URL=https://img.acme.io/v1', '1:15 https://img.acme.io/v1'],
    ['.env', 'API_DOCS_URL=https://api.acme.io/v1', undefined],
    ['.env', 'MAIL_HOST=out.acme.io', undefined],
    ['.env', 'API_SERVER=smtp.acme.io', undefined],
    ['.env', 'VIRTUAL_HOST=app.acme.io', undefined],
    ['.env', 'APP_URL=https://app.acme.io', undefined],
    ['.env', 'NEXT_PUBLIC_SITE_URL=https://acme.io', undefined],
    ['.env', 'NEXT_PUBLIC_SUPABASE_URL=https://a.supabase.co', '1:26 https://a.supabase.co'],
    ['.env', 'APP_URL=https://acme.io/api/v1', '1:9 https://acme.io/api/v1'],
    ['.env', 'DONATE_URL=https://paypal.me/acme', undefined],
    ['.env', 'MAIL_HOST=smtp.mailgun.org', '1:11 smtp.mailgun.org'],
    [
      'a.yaml',
      'mail:\n  server: email-smtp.eu-west-1.amazonaws.com',
      '2:11 email-smtp.eu-west-1.amazonaws.com',
    ],
    ['a.yaml', 'server:\n  maps: api.mapbox.com', '2:9 api.mapbox.com'],
    ['a.yaml', 'server:\n  maps: api.acme.io', undefined],
    [
      'a.yaml',
      'x: |\n  - webhook: https://discord.com/api/webhooks/1',
      '2:14 https://discord.com/api/webhooks/1',
    ],
    [
      'a.yaml',
      'tiles: https://{s}.tile.acme.io/{z}/{x}/{y}.png',
      '1:8 https://{}.tile.acme.io/{}/{}/{}.png',
    ],
    ['a.yaml', 'apiGroups:\n  - source.acme.io', undefined],
    [
      'a.yml',
      '- get_url:\n    url: https://acme.io/v1/a.tar.gz',
      '2:10 https://acme.io/v1/a.tar.gz',
    ],
    ['a.yml', '- get_url:\n    url: https://apt.acme.io/gpg', '2:10 https://apt.acme.io/gpg'],
    ['a.yml', 'tool:\n  url: https://acme.io/v1/a.tar.gz', undefined],
    ['a.yaml', 'page: https://acme.io/{a}/{b}/{c}', undefined],
    ['.renovaterc.json5', '{ registry_host: "https://acme.io/v1" }', undefined],
    ['a.json5', '{ $schema: "https://acme.io/a.json" }', undefined],
    ['a.json5', '{ api: { url: "https://acme.io/v1" } }', '1:16 https://acme.io/v1'],
    ['.env', 'AUTH0_DOMAIN=acme.eu.auth0.com', '1:14 acme.eu.auth0.com'],
    ['.env', 'MAIL_DOMAIN=mg.acme.io', undefined],
    ['a.yaml', 'apiVersion: cert-manager.io/v1', undefined],
    ['a.yaml', 'rules:\n  - host: app.acme.io', undefined],
    ['a.yaml', 'url: "https://acme.io/api/{{ id }}"', '1:7 https://acme.io/api/{}'],
    [
      'appsettings.json',
      '{ "Insights": "Key=1;IngestionEndpoint=https://eu.in.acme.io/;Live=1" }',
      '1:40 https://eu.in.acme.io/',
    ],
    ['a.json', '{ "Bus": "Endpoint=sb://x.acme.net/;Key=1" }', '1:20 https://x.acme.net/'],
    ['nginx.conf', 'location /a { proxy_pass https://acme.io/v1; }', '1:26 https://acme.io/v1'],
    ['Caddyfile', 'reverse_proxy /x/* https://acme.io', '1:20 https://acme.io'],
    ['main.tf', 'variable "api_host" { default = "api.acme.io" }', '1:34 api.acme.io'],
  ])('in %s are judged by their keys: %s', (path, text, wanted) => {
    expect(findConfiguredUrls(path, [text])).toEqual(wanted === undefined ? [] : [wanted])
  })
})

describe('scripts of vendors', () => {
  const table = createPackageTable()
  const scripts = (path: string, text: string) =>
    scriptTagReader.fits(path)
      ? scriptTagReader
          .read({ path, text }, { ...table })
          .map((one) => `${one.line}:${one.column} ${one.url} ${one.package ?? '-'}`)
      : []

  it.each([
    [
      'a.html',
      '<script src="https://js.stripe.com/v3/"></script>',
      '1:14 https://js.stripe.com/v3/ -',
    ],
    [
      'v/a.blade.php',
      '<script\n  async\n  src="//maps.googleapis.com/maps/api/js?key=1"></script>',
      '3:8 https://maps.googleapis.com/maps/api/js?key=1 -',
    ],
    ['a.tsx', "<Script src={'https://js.stripe.com/v3'} />", '1:15 https://js.stripe.com/v3 -'],
    [
      'a.erb',
      '<script src="https://cdn.jsdelivr.net/npm/algoliasearch@4/dist/a.js"></script>',
      '1:14 https://{}.algolia.net pkg:npm/algoliasearch',
    ],
    ['a.pug', "  script(async, src='https://js.stripe.com/v3')", '1:22 https://js.stripe.com/v3 -'],
    ['a.haml', '%script{ :src => "https://js.stripe.com/v3" }', '1:19 https://js.stripe.com/v3 -'],
    ['a.slim', '  script src="https://js.stripe.com/v3"', '1:15 https://js.stripe.com/v3 -'],
    [
      'a.html.erb',
      '<%= javascript_include_tag "https://js.stripe.com/v3", defer: true %>',
      '1:29 https://js.stripe.com/v3 -',
    ],
    ['a.liquid', "{{ 'https://js.stripe.com/v3' | script_tag }}", '1:5 https://js.stripe.com/v3 -'],
    ['a.js', "$.getScript('https://js.stripe.com/v3')", '1:14 https://js.stripe.com/v3 -'],
    ['a.ts', 'await loadScript(`https://js.stripe.com/v3`)', '1:19 https://js.stripe.com/v3 -'],
    ['a.ts', "script.src = 'https://js.stripe.com/v3'", '1:15 https://js.stripe.com/v3 -'],
    ['a.ts', "image.src = 'https://js.stripe.com/v3/logo'", undefined],
    [
      'a.erb',
      "<script>j.async=true;j.src=\n'https://www.googletagmanager.com/gtm.js?id='+i;</script>",
      '2:2 https://www.googletagmanager.com/gtm.js?id= -',
    ],
    [
      'a.erb',
      `<script>(g=>{var a,c="google";a.src=\`https://maps.\${c}apis.com/maps/api/js?\`+e})()</script>`,
      '1:38 https://maps.googleapis.com/maps/api/js? -',
    ],
    [
      'a.html',
      '<iframe src="https://www.googletagmanager.com/ns.html?id=GTM-A"></iframe>',
      '1:14 https://www.googletagmanager.com/ns.html?id=GTM-A -',
    ],
    ['a.html', '<iframe src="https://www.google.com/about"></iframe>', undefined],
    ['a.js', "a.src = 'https://acme.io/a.js'", undefined],
    ['a.js', "importScripts('https://storage.googleapis.com/workbox/a.js')", undefined],
    ['a.pug', "a(href='https://js.stripe.com/v3') script", undefined],
    ['a.html', '<script src="https://cdn.jsdelivr.net/npm/vue@3"></script>', undefined],
    ['a.html', '<script src="https://ajax.googleapis.com/jquery.js"></script>', undefined],
    ['a.html', '<script src="https://cdnjs.cloudflare.com/a.js"></script>', undefined],
    ['a.html', '<script src="https://acme.io/a.js"></script>', undefined],
    ['a.html', '<a href="https://js.stripe.com/v3/">x</a>', undefined],
    ['a.md', '<script src="https://js.stripe.com/v3/"></script>', undefined],
    ['tests/pages/shop.html', '<script src="https://js.stripe.com/v3/"></script>', undefined],
  ])('in %s are found: %s', (path, text, wanted) => {
    expect(scripts(path, text)).toEqual(wanted === undefined ? [] : [wanted])
  })
})
