import { describe, expect, it } from 'vitest'
import { findLowestVersion } from '../../../core/code-scanner/manifests/lowest-version.ts'
import { manifestReader } from '../../../core/code-scanner/manifests/reader.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { emptyCatalogue } from './scan.ts'

const table = createPackageTable()

function findPackages(path: string, text: string): readonly string[] {
  if (!manifestReader.fits(path)) return []
  return manifestReader
    .read({ path, text }, { ...table })
    .map((one) => `${one.line}:${one.column} ${one.package ?? one.url}`)
}

describe('scripts of actions/github-script', () => {
  const path = '.github/workflows/a.yml'

  it.each([
    ['await github.graphql(query, { owner })', 'call post https://api.github.com/graphql'],
    ['await octokit.rest.issues.removeLabel({ name })', 'manifest - https://api.github.com'],
    ["await github.request('GET /user')", 'manifest - https://api.github.com'],
    ["await github['rest'].issues.update({ owner })", 'manifest - https://api.github.com'],
    ['const { rest } = github', 'manifest - https://api.github.com'],
    ['await run({\n    github,\n    context,\n  })', 'manifest - https://api.github.com'],
    ['await run({ core, github, inputs })', 'manifest - https://api.github.com'],
    ['await run({ github: octokit })', 'manifest - https://api.github.com'],
    ['await run(github, context)', 'manifest - https://api.github.com'],
  ])('use the API: %s', (call, wanted) => {
    const text = `- uses: actions/github-script@v8\n  script: |\n  ${call}\n- name: on github\n`
    const found = manifestReader.read({ path, text }, { ...table })
    expect(found.map(({ via, method = '-', url }) => `${via} ${method} ${url}`)).toEqual([wanted])
  })

  it('call none for data of the event', () => {
    const text =
      'uses: actions/github-script@v8\nscript: |\n  core.info(github.event.rest.name, "github")\n  context.github.graphqlUrl'
    expect(manifestReader.read({ path, text }, { ...table })).toEqual([])
  })
})

describe('libraries of vendors in manifests', () => {
  it.each([
    [
      'package.json',
      '{\n "dependencies": {\n  "a": "1",\n  "stripe": "14.1.0"\n }\n}',
      '4:3 pkg:npm/stripe@14.1.0',
    ],
    [
      'package.json',
      '{ "devDependencies": { "@sentry/node": "^8" } }',
      '1:24 pkg:npm/@sentry/node',
    ],
    ['deno.json', '{ "imports": { "s": "npm:stripe@^14" } }', '1:21 pkg:npm/stripe'],
    [
      'requirements-dev.txt',
      '# stripe\nflask\nStripe[async]==7.1.0 # x',
      '3:1 pkg:pypi/stripe@7.1.0',
    ],
    [
      'pyproject.toml',
      '[project]\nname = "stripe"\ndependencies = [\n  "openai>=1",\n]',
      '4:3 pkg:pypi/openai',
    ],
    [
      'pyproject.toml',
      '[tool.poetry.dependencies]\npython = "^3"\ntwilio = "8.1.0"',
      '3:1 pkg:pypi/twilio@8.1.0',
    ],
    ['Pipfile', '[packages]\nboto3 = "*"', '2:1 pkg:pypi/boto3'],
    [
      'setup.py',
      'setup(\n  install_requires=[\n    "slack_sdk>=3",\n  ],\n)',
      '3:5 pkg:pypi/slack-sdk',
    ],
    ['setup.cfg', '[options]\ninstall_requires =\n  stripe>=1\n[x]', '3:3 pkg:pypi/stripe'],
    [
      'go.mod',
      'module x\n\nrequire (\n\tgithub.com/stripe/stripe-go/v76 v76.1.0\n\tgithub.com/slack-go/slack v0.1.0 // indirect\n)',
      '4:2 pkg:golang/github.com/stripe/stripe-go/v76@v76.1.0',
    ],
    [
      'pom.xml',
      '<dependency>\n  <groupId>com.stripe</groupId>\n  <artifactId>stripe-java</artifactId>\n  <version>24.0.0</version>\n</dependency>',
      '3:3 pkg:maven/com.stripe/stripe-java@24.0.0',
    ],
    [
      'app/build.gradle.kts',
      'implementation("com.stripe:stripe-java:24.0.0")',
      '1:16 pkg:maven/com.stripe/stripe-java@24.0.0',
    ],
    [
      'libs.versions.toml',
      'a = { group = "com.stripe", name = "stripe-java" }',
      '1:7 pkg:maven/com.stripe/stripe-java',
    ],
    [
      'build.gradle',
      "implementation 'com.google.firebase:firebase-auth:$v'",
      '1:16 pkg:maven/com.google.firebase/firebase-auth',
    ],
    [
      'buildSrc/src/main/kotlin/Libraries.kt',
      'object Libraries {\n  const val stripe = "com.stripe:stripe-java:24.0.0"\n}',
      '2:22 pkg:maven/com.stripe/stripe-java@24.0.0',
    ],
    ['main.tf', 'x = {\n  source  = "DataDog/datadog"\n}', '2:3 pkg:terraform/DataDog/datadog'],
    ['main.tf', '# provider "aws" {}\nprovider "aws" {}', '2:1 pkg:terraform/hashicorp/aws'],
    [
      'main.tf',
      'module "a" {\n  source = "terraform-aws-modules/vpc/aws"\n}\nmodule "b" {\n  source = "./aws"\n}',
      '2:3 pkg:terraform/hashicorp/aws',
    ],
    [
      'main.tf',
      'resource "github_repository" "a" {}\nresource "github_repository" "b" {}\nresource "random_id" "c" {}',
      '1:1 pkg:terraform/integrations/github',
    ],
    [
      'web.pkr.hcl',
      'a = {\n  source = "github.com/hashicorp/amazon"\n}',
      '2:3 pkg:terraform/hashicorp/aws',
    ],
    ['web.pkr.hcl', 'source "azure-arm" "web" {}', '1:1 pkg:terraform/hashicorp/azurerm'],
    [
      'web.pkr.hcl',
      'a = {\n  source = "github.com/linode/linode"\n}',
      '2:3 pkg:terraform/linode/linode',
    ],
    ['main.tf', 'backend "s3" {\n}\nbackend "local" {}', '1:1 pkg:terraform/hashicorp/aws'],
    [
      '.github/workflows/a.yml',
      '- uses: actions/checkout@v4\n- uses: slackapi/slack-github-action@v1',
      '2:1 pkg:githubactions/slackapi/slack-github-action',
    ],
    [
      '.github/workflows/a.yml',
      '  - uses: docker/login-action@v3\n    with:\n      registry: ghcr.io',
      '3:7 https://ghcr.io',
    ],
    [
      '.github/workflows/a.yml',
      'env:\n  REGISTRY: ghcr.io\n  HOME_REGISTRY: registry.lan\njobs:\n  a:\n    registry: $REGISTRY',
      '2:3 https://ghcr.io',
    ],
    [
      '.github/workflows/a.yml',
      'env:\n  IMAGE: ghcr.io/acme/shop\n  IMAGE_NAME: acme/shop\n  HOME_IMAGE: ./a.b/c',
      '2:3 https://ghcr.io',
    ],
    [
      '.github/workflows/a.yml',
      'registry-url: x\n  registry-url: "https://registry.npmjs.org"\n  registry-url: https://npm.acme.io',
      '2:3 https://registry.npmjs.org',
    ],
    [
      '.github/workflows/a.yml',
      '  with:\n    images: |\n      docker.io/acme/shop\n      acme/shop\n',
      '3:7 https://registry-1.docker.io',
    ],
    [
      '.github/workflows/a.yml',
      '  registry: quay.io\n  registry: registry.lan',
      '1:3 https://quay.io',
    ],
    [
      'app/AndroidManifest.xml',
      '<meta-data android:name="com.google.android.gms.version" />\n<meta-data android:name="com.google.android.gms.cast.framework.OPTIONS_PROVIDER_CLASS_NAME" />',
      '2:12 pkg:maven/com.google.android.gms/play-services-cast-framework',
    ],
    [
      'cache.tf',
      'upstream_registry_url = "ghcr.io"\nother_registry_url = "quay.io"',
      '1:1 https://ghcr.io',
    ],
    [
      'workflows/report.yaml',
      'call: googleapis\n  call: http.get\n  - call: googleapis.bigquery.v2.jobs.insert',
      '3:3 pkg:terraform/hashicorp/google',
    ],
    [
      'apps/mobile/app.config.js',
      "  'expo-router',\n  ['@sentry/react-native/expo', {}],\n  name: '@sentry/node',",
      '2:3 pkg:npm/@sentry/react-native',
    ],
    [
      'app.json',
      '{ "expo": {\n "plugins": ["@sentry/react-native",\n ["expo-ads", {}]] } }',
      '2:2 pkg:npm/@sentry/react-native',
    ],
    [
      'docs/docusaurus.config.ts',
      "  algolia: {\n    appId: 'A' },\n  title: 'algolia: {'",
      '1:3 pkg:npm/@docsearch/js',
    ],
    [
      '.github/workflows/a.yml',
      '  - uses: docker/login-action@v3\n    with:\n      username: x',
      '1:3 pkg:githubactions/docker/login-action',
    ],
    [
      '.circleci/config.yml',
      'orbs:\n  node: circleci/node@5\n  aws: circleci/aws-cli@4.1',
      '3:3 pkg:circleci/circleci/aws-cli',
    ],
    ['azure-pipelines.yml', '- task: AzureCLI@2', '1:1 pkg:azurepipelines/AzureCLI'],
    [
      'roles/web/tasks/main.yml',
      '- amazon.aws.s3_bucket:\n    name: x\n- ansible.builtin.copy:\n    src: x',
      '1:1 pkg:ansible/amazon.aws.s3_bucket',
    ],
    ['Gemfile', "# gem 'stripe'\ngem 'stripe', '~> 10.0'", '2:1 pkg:gem/stripe'],
    ['x.gemspec', "  s.add_dependency 'stripe', '10.0.0'", '1:3 pkg:gem/stripe@10.0.0'],
    [
      'composer.json',
      '{ "require": { "php": ">=8", "stripe/stripe-php": "^13" } }',
      '1:30 pkg:composer/stripe/stripe-php',
    ],
    [
      'A.csproj',
      '<PackageReference Include="Stripe.net" Version="43.0.0" />',
      '1:1 pkg:nuget/Stripe.net@43.0.0',
    ],
    ['packages.config', '<package id="Twilio" version="6.0.0" />', '1:1 pkg:nuget/Twilio@6.0.0'],
    [
      'Cargo.toml',
      '[package]\nname = "stripe"\n[dependencies]\nasync-stripe = "=0.31.0"',
      '4:1 pkg:cargo/async-stripe@0.31.0',
    ],
    [
      'Cargo.toml',
      '[dependencies.ai]\npackage = "async-openai"\nversion = "1"',
      '2:1 pkg:cargo/async-openai',
    ],
    [
      'composer.json',
      '{ "require": { "laravel/nightwatch": "^1" } }',
      '1:16 pkg:composer/laravel/nightwatch',
    ],
    ['Gemfile', "gem 'omniauth-slack'", '1:1 pkg:gem/omniauth-slack'],
    [
      'package.json',
      '{ "dependencies": { "passport-reddit": "^1" } }',
      '1:21 pkg:npm/passport-reddit',
    ],
    ['requirements.txt', 'pytube==15.0.0', '1:1 pkg:pypi/pytube@15.0.0'],
    ['compose.yml', 'services:\n  a:\n    image: datadog/agent:7', '3:5 pkg:docker/datadog/agent'],
    ['Dockerfile', 'FROM --platform=x amazon/aws-cli:2 AS a', '1:1 pkg:docker/amazon/aws-cli'],
    ['issuer.yaml', '- dns01:\n    cloudflare:\n      email: x', '1:3 pkg:lego/cloudflare'],
    ['external-dns/values.yaml', 'provider:\n  name: aws', '1:1 pkg:lego/route53'],
    ['external-dns.yaml', 'args:\n  - --provider=digitalocean', '2:3 pkg:lego/digitalocean'],
    [
      'clustersecretstore.yaml',
      'spec:\n  provider:\n    onepasswordSDK:\n      vault: Shop',
      '2:3 pkg:terraform/1password/onepassword',
    ],
    [
      'tunnel.yaml',
      'image:\n  repository: mirror.gcr.io/cloudflare/cloudflared',
      '2:3 pkg:docker/cloudflare/cloudflared',
    ],
    ['requirements.txt', 'exotel==0.1.5', '1:1 pkg:pypi/exotel@0.1.5'],
    ['stack.yml', 'A:\n  Type: AWS::S3::Bucket', '2:3 pkg:cloudformation/AWS'],
    ['serverless.yml', 'provider:\n  name: aws', '1:1 pkg:serverless/aws'],
    ['.travis.yml', 'deploy:\n  provider: heroku', '2:3 pkg:travis/heroku'],
    [
      'app.json',
      '{ "addons": ["sendgrid:starter"], "name": "heroku" }',
      '1:14 pkg:heroku/sendgrid',
    ],
    [
      'inventory/hosts.yml',
      'plugin: community.general.linode # all',
      '1:1 pkg:ansible/community.general.linode',
    ],
    ['inventory/web.aws_ec2.yml', 'plugin: aws_ec2', '1:1 pkg:ansible/amazon.aws.aws_ec2'],
    [
      'ansible/requirements.yml',
      'collections:\n  - name: community.digitalocean\n  - name: ansible.posix',
      '2:3 pkg:ansible/community.digitalocean',
    ],
    ['roles/a/tasks/main.yml', '- slack:\n    token: x', '1:1 pkg:ansible/community.general.slack'],
    ['alertmanager.yml', 'receivers:\n- slack_configs:\n  - channel: x', '2:1 pkg:telemetry/slack'],
    [
      'rules.yaml',
      'spec:\n  receivers:\n    - pagerdutyConfigs:\n        - routingKey: x',
      '3:5 pkg:telemetry/pagerduty',
    ],
    [
      'contacts.yaml',
      'contactPoints:\n  - receivers:\n      - type: opsgenie\n      - type: email',
      '3:7 pkg:telemetry/opsgenie',
    ],
    [
      'datasources.yaml',
      'datasources:\n  - type: prometheus\n  - name: a\n    type: cloudwatch',
      '4:5 pkg:telemetry/aws',
    ],
    [
      'values.yaml',
      'grafana:\n  additionalDataSources:\n    - type: stackdriver',
      '3:5 pkg:telemetry/google',
    ],
    [
      'otel.yaml',
      'receivers:\n  datadog:\nexporters:\n  otlp:\n  datadog/eu:\nservice:\n  datadog:',
      '5:3 pkg:telemetry/datadog',
    ],
    [
      'vector.yaml',
      'sources:\n  s3:\n    type: aws_s3\nsinks:\n  a:\n    type: new_relic',
      '6:5 pkg:telemetry/newrelic',
    ],
    [
      'vector.toml',
      '[sources.a]\ntype = "aws_s3"\n[sinks.b]\ntype = "axiom"',
      '4:1 pkg:telemetry/axiom',
    ],
    [
      'fluent-bit.conf',
      '[INPUT]\n    Name datadog\n[OUTPUT]\n    Name  cloudwatch_logs',
      '4:5 pkg:telemetry/aws',
    ],
    [
      'values.yaml',
      'config:\n  outputs: |\n    [OUTPUT]\n        Name bigquery',
      '4:9 pkg:telemetry/google',
    ],
    [
      'fluent.conf',
      '<source>\n  @type s3\n</source>\n<match **>\n  @type loggly\n</match>',
      '5:3 pkg:telemetry/loggly',
    ],
    [
      'logstash.conf',
      'input { s3 { bucket => "a" } }\noutput {\n  datadog { api_key => "k" }\n}',
      '3:3 pkg:telemetry/datadog',
    ],
    ['Caddyfile', '{\n\tacme_dns cloudflare {env.T}\n}', '2:2 pkg:lego/cloudflare'],
    [
      'Pulumi.dev.yaml',
      'config:\n  shop:name: a\n  gcp:project: a',
      '3:3 pkg:terraform/hashicorp/google',
    ],
    [
      'template.yaml',
      'Monitor:\n  Type: Datadog::Monitors::Monitor',
      '2:3 pkg:terraform/datadog/datadog',
    ],
    [
      'serverless.yml',
      'plugins:\n  - serverless-offline\n  - serverless-plugin-datadog',
      '3:3 pkg:npm/serverless-plugin-datadog',
    ],
    ['Jenkinsfile', "post { always { slackSend channel: '#a' } }", '1:17 pkg:jenkins/slack'],
    [
      '.github/workflows/greet.yml',
      'script: |\n  await github.rest.issues.createComment({ body })',
      '2:9 pkg:githubactions/actions/github-script',
    ],
    [
      '.github/workflows/count.yml',
      'script: |\n  const pages = github.paginate(query)',
      '2:17 pkg:githubactions/actions/github-script',
    ],
    [
      '.github/workflows/ask.yaml',
      'script: const { node } = await octokit.graphql(query)',
      '1:32 pkg:githubactions/actions/github-script',
    ],
    [
      '.github/workflows/label.yml',
      "uses: actions/github-script@v8\nscript: await require('./a.js')({ github, context })",
      '2:35 pkg:githubactions/actions/github-script',
    ],
    [
      '.github/workflows/old.yml',
      '- uses: actions/github-script@v3\n  script: github.issues.addLabels({ labels })',
      '2:11 pkg:githubactions/actions/github-script',
    ],
    [
      'app/src/main/AndroidManifest.xml',
      '<meta-data\n  android:name="com.google.android.geo.API_KEY"\n  android:value="@string/key" />',
      '2:3 pkg:maven/com.google.android.gms/play-services-maps',
    ],
    [
      'AndroidManifest.xml',
      '<action android:name="com.google.firebase.MESSAGING_EVENT" />',
      '1:9 pkg:maven/com.google.firebase/firebase-messaging',
    ],
    [
      'AndroidManifest.xml',
      '<meta-data android:name="io.sentry.dsn" android:value="x" />',
      '1:12 pkg:maven/io.sentry/sentry-android',
    ],
    [
      'crowdin.yml',
      '# Texts\n\n"project_id": "12"\nfiles:\n  - source: a.json',
      '3:1 https://api.crowdin.com/api/v2',
    ],
    ['fastlane/Fastfile', 'lane :beta do\n  pilot\nend', '2:3 pkg:fastlane/pilot'],
  ])('are found in %s: %s', (path, text, wanted) => {
    expect(findPackages(path, text)).toEqual([wanted])
  })

  it('are no actions that run scripts without calls', () => {
    const text =
      '# Labels (github, tests)\n- uses: actions/github-script@v8\n  if: github.event.issue\n  script: core.info(context.payload)'
    expect(findPackages('.github/workflows/say.yml', text)).toEqual([])
  })

  it('are collections of Ansible whose names have digits', () => {
    const row = { vendor: 'F5', url: 'https://f5.tools.io', source: 'https://f5.tools.io/docs' }
    const { findDependency } = createPackageTable([
      { ...row, packages: ['pkg:ansible/f5networks.f5_modules.*'] },
    ])
    const file = { path: 'requirements.yml', text: '- name: f5networks.f5_modules' }
    expect(manifestReader.read(file, { ...table, findDependency })).toMatchObject([
      { package: 'pkg:ansible/f5networks.f5_modules' },
    ])
  })

  it('are not seen where a name is none of a dependency', () => {
    expect(
      [
        findPackages('package.json', '{ "name": "stripe", "scripts": { "stripe": "1" } }'),
        findPackages('go.mod', 'module github.com/stripe/stripe-go\n'),
        findPackages('stripe.txt', 'stripe==1.0'),
        findPackages('receivers.yml', 'receivers:\n  - slack:\n      channel: x'),
        findPackages('compose.yml', 'image: acme/datadog-agent\nx: datadog/agent'),
        findPackages(
          '.github/workflows/a.yml',
          'if: github.event.action\nrun: echo github.sha my-octokit.request(1)',
        ),
        findPackages(
          'AndroidManifest.xml',
          '<activity android:name=".Maps" />\n<!-- android:name="io.sentry.dsn" -->',
        ),
        findPackages('crowdin.yml', 'other: 1\nfiles: []'),
        findPackages('Fastfile', '# pilot\nputs "pilot"'),
        findPackages('app.json', '{ "name": "sendgrid", "addons": [] }'),
        findPackages('src/Libraries.kt', 'const val stripe = "com.stripe:stripe-java:24.0.0"'),
      ].flat(),
    ).toEqual([])
  })
})

describe('roles of libraries', () => {
  it.each([
    ['package.json', '{"dependencies":{"stripe":"1"},"devDependencies":{"twilio":"1"}}', '- build'],
    [
      'pyproject.toml',
      '[tool.poetry.dependencies]\nstripe="1"\n[tool.poetry.group.dev.dependencies]\ntwilio="1"',
      '- build',
    ],
    [
      'pyproject.toml',
      '[project.optional-dependencies]\npay=["stripe"]\n[dependency-groups]\nci=["twilio"]',
      '- build',
    ],
    ['Pipfile', '[packages]\nstripe="*"\n[dev-packages]\ntwilio="*"', '- build'],
    ['setup.py', 'setup(\n tests_require=["twilio"],\n install_requires=["stripe"],\n)', 'build -'],
    [
      'composer.json',
      '{"require-dev":{"twilio/sdk":"7"},"require":{"stripe/stripe-php":"1"}}',
      'build -',
    ],
    ['Cargo.toml', '[dependencies]\nasync-stripe="1"\n[dev-dependencies]\nsentry="1"', '- build'],
    [
      'Gemfile',
      'gem "stripe"\ngroup :development, :test do\n  gem "twilio-ruby"\nend\ngem "sentry-ruby"',
      '- build -',
    ],
    ['Gemfile', 'group :test, :production do\n  gem "stripe"\nend', '-'],
    [
      'pubspec.yaml',
      'dependencies:\n  sentry_flutter: 1.0.0\ndev_dependencies:\n  flutter_stripe: 1.0.0',
      '- build',
    ],
    [
      'pom.xml',
      ['compile', 'test']
        .map(
          (scope) =>
            `<dependency><groupId>com.stripe</groupId><artifactId>stripe-java</artifactId><version>1.0</version><scope>${scope}</scope></dependency>`,
        )
        .join('\n'),
      '- test',
    ],
    [
      'build.gradle.kts',
      'plugins { id("io.sentry.jvm.gradle") version "4.1.0" }\nclasspath("io.sentry:sentry:1")\nimplementation("com.stripe:stripe-java:1")\ntestImplementation("com.twilio.sdk:twilio:1")\nandroidTestImplementation(\'com.sendgrid:sendgrid-java:1\')',
      'build build - test test',
    ],
    [
      'build.sbt',
      '"com.stripe" % "stripe-java" % "1",\n"com.twilio.sdk" % "twilio" % "1" % Test',
      '- test',
    ],
  ])('in %s are those of their scopes: %j', (path, text, roles) => {
    const found = manifestReader.read({ path, text }, { ...table })
    expect(found.map(({ dependencyRole = '-' }) => dependencyRole).join(' ')).toBe(roles)
  })

  it('are those of the uses of a name that another build file declares', async () => {
    const rolesIn = async (build: string) => {
      const text = '[libraries]\nstripe = { module = "com.stripe:stripe-java" }'
      const files = [
        { path: 'gradle/libs.versions.toml', text },
        { path: 'app/build.gradle.kts', text: build },
      ]
      const scan = { files, grammars: undefined, catalogue: emptyCatalogue, ...table }
      const { findings } = await scanProject(scan)
      return findings.map(({ dependencyRole }) => dependencyRole)
    }
    const test = 'testImplementation(libs.stripe)'
    expect(await rolesIn(test)).toEqual(['test', 'test'])
    expect(await rolesIn(`${test}\nimplementation(libs.stripe)`)).toEqual([
      'test',
      undefined,
      undefined,
    ])
  })
})

describe('findLowestVersion', () => {
  it.each([
    ['^8.1.0', '8.1.0'],
    ['~8.1', '8.1'],
    ['~> 8.1.2', '8.1.2'],
    ['~=2.0', '2.0'],
    ['>=1.2.3 <2', '1.2.3'],
    ['>= 1.2, < 2', '1.2'],
    ['v1.0.0-beta.1', '1.0.0-beta.1'],
    ['2.0rc1', '2.0rc1'],
    ['1.x', '1'],
    ['1.2.*', '1.2'],
    ['[1.0,2.0)', '1.0'],
    ['^10 || ^9.1', '9.1'],
    ['^9 || ^10', '9'],
    ['*', undefined],
    ['latest', undefined],
    ['<2.0', undefined],
    ['>1.0', undefined],
    ['^1 || <1', undefined],
    ['(1.0,2.0)', undefined],
    ['git+https://example.com/a.git', undefined],
    ['', undefined],
  ])('of %s is %s', (range, lowest) => {
    expect(findLowestVersion(range)).toBe(lowest)
  })
})

describe('lowest versions of ranges', () => {
  it.each([
    ['package.json', '{ "dependencies": { "stripe": "^8.1.0" } }', 'pkg:npm/stripe@8.1.0'],
    ['package.json', '{ "dependencies": { "stripe": "8.1.0" } }', undefined],
    ['requirements.txt', 'stripe>=7.1', 'pkg:pypi/stripe@7.1'],
    ['requirements.txt', 'Plaid_Python>=9.1', 'pkg:pypi/plaid-python@9.1'],
    ['requirements.txt', 'stripe<8', undefined],
    ['pyproject.toml', '[tool.poetry.dependencies]\ntwilio = "^8.1"', 'pkg:pypi/twilio@8.1'],
    ['Gemfile', "gem 'stripe', '~> 10.1'", 'pkg:gem/stripe@10.1'],
    ['Cargo.toml', '[dependencies]\nasync-stripe = "0.31"', 'pkg:cargo/async-stripe@0.31'],
    [
      'Cargo.toml',
      '[dependencies]\nasync-stripe = { version = "0.31", features = ["a"] }',
      'pkg:cargo/async-stripe@0.31',
    ],
    [
      'composer.json',
      '{ "require": { "stripe/stripe-php": "^10.0" } }',
      'pkg:composer/stripe/stripe-php@10.0',
    ],
  ])('are found in %s: %s', (path, text, lowest) => {
    const [found] = manifestReader.read({ path, text }, { ...table })
    expect(found && 'lowestPackage' in found ? found.lowestPackage : undefined).toBe(lowest)
  })
})
