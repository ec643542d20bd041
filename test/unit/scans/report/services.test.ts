import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../../core/code-scanner/model/finding.ts'
import { findFileRole } from '../../../../core/code-scanner/noise/path-roles.ts'
import { listServices, toCertainty } from '../../../../core/scans/report/services.ts'
import { findPurpose } from '../../../../core/vendors/purposes.ts'
import { PAYMENTS, toFinding } from '../../../helpers/findings.ts'

const at = (url: string, more: Partial<Finding> = {}) => toFinding(url, more)

describe('the services of a project', () => {
  it('are located where their host stands, not in a function that calls several hosts', () => {
    const fetcher = { file: 'lib/fetcher.ts', line: 7, column: 3, via: 'call' } as const
    const services = listServices([
      at('https://api.one.dev/a', fetcher),
      at('https://api.two.dev/b', fetcher),
      at('https://api.one.dev', { file: 'src/one.ts', via: 'base' }),
    ])
    expect(services.map(({ name, location }) => [name, location.file])).toEqual([
      ['one.dev', 'src/one.ts'],
      ['two.dev', 'lib/fetcher.ts'],
    ])
  })

  it('are catalogued APIs, then vendors and domains, by certainty and locations', () => {
    const services = listServices([
      at('https://eu.other.io/a', { confidence: 0.7 }),
      at('https://www.other.io/b', { confidence: 0.7 }),
      at('https://one.rare.io/a'),
      at('https://api.two.dev/a', { vendorName: 'Two', confidence: 0.4 }),
      at('https://api.acme.io/v1/payments/{}', { ...PAYMENTS, confidence: 0.7 }),
    ])
    expect(services.map(({ name, hosts, certainty }) => [name, ...hosts, certainty])).toEqual([
      ['Payments', 'api.acme.io', 'medium'],
      ['rare.io', 'one.rare.io', 'high'],
      ['other.io', 'eu.other.io', 'www.other.io', 'medium'],
      ['Two', 'api.two.dev', 'low'],
    ])
  })

  it('are hosts of their own unless they are folded', () => {
    const findings = [
      at('https://maps.big.com/a', { vendorName: 'Big' }),
      at('https://mail.big.com/a', { vendorName: 'Big' }),
    ]
    const hostsOf = (foldsHosts: boolean) =>
      listServices(findings, { foldsHosts }).map(({ hosts }) => hosts)
    expect(hostsOf(true)).toEqual([['mail.big.com', 'maps.big.com']])
    expect(hostsOf(false)).toEqual([['mail.big.com'], ['maps.big.com']])
  })

  it.each([
    ['https://maven.mirror.io/public', 'build.gradle.kts', 'download'],
    ['https://jitpack.io', 'app/build.gradle', 'download'],
    ['https://archive.org/advancedsearch.php', 'scripts/find.py', 'build'],
    ['https://files.tools.io/tool-1.2.tar.gz', 'installers/tool.sh', 'download'],
    ['https://files.tools.io/tool-1.2.tar.gz', 'bin/install', 'download'],
    ['https://files.tools.io/tool-1.2.tar.gz', 'bin/install-tool', 'download'],
    ['https://files.tools.io/tool-1.2.tar.gz', 'docker/web/upgrade-tool', 'download'],
    ['https://api.tools.io/v1', 'docker/web/upgrade-tool', 'production'],
    ['https://raw.githubusercontent.com/acme/shop/main/a.yml', 'docker/shop.sh', 'download'],
    ['https://raw.githubusercontent.com/acme/shop/main/a.yml', 'bin/shop.sh', 'production'],
    ['https://data.tools.io/today.zip', 'bin/report', 'production'],
    ['https://archive.tools.io/stable', 'scripts/find.py', 'download'],
    ['https://web.archive.io/web/3', 'scripts/find.py', 'build'],
    ['https://files.tools.io/v1/files', 'installers/tool.sh', 'production'],
    ['https://pypi.mirror.io/simple', 'Dockerfile', 'download'],
    ['https://releases.tools.io/index.json', 'scripts/get.py', 'download'],
    ['https://tools.io/a.tar.xz', 'src/update.ts', 'production'],
    ['https://slack.com/api/conversations.list', 'src/chat.ts', 'production'],
    ['https://gitlab.com/api/v4/projects/{}/repository/tags', '.gitlab-ci.yml', 'build'],
    ['https://github.com/login/oauth/access_token', 'scripts/login.py', 'build'],
    ['https://tools.io/a.tar.xz', 'tests/update.ts', 'test'],
    ['https://registry.npmjs.org/left-pad', 'src/update.ts', 'production'],
    ['https://api.ping.io/v1', 'build.gradle', 'production'],
    ['https://api.ping.io/v1', 'Makefile', 'build'],
    ['https://acme.github.io/helm-charts', 'deploy.sh', 'download'],
    ['https://charts.tools.io', 'deploy.sh', 'download'],
    ['https://charts.tools.io/v1', 'src/draw.ts', 'production'],
  ])('have %s in %s as a usage of the role %s', (url, file, role) => {
    const others = at('https://api.acme.io/a')
    const services = listServices([at(url, { file }), others])
    expect(services.find(({ name }) => name !== 'acme.io')?.role).toBe(role)
  })

  it('have the role of a library that only builds or tests need', () => {
    const roleOf = (dependencyRole: 'build' | 'test', file: string) =>
      listServices([
        at('https://api.other.io/a'),
        at('https://api.acme.io', { dependencyRole, file, package: 'pkg:npm/acme' }),
      ]).find(({ name }) => name === 'acme.io')?.role
    expect(roleOf('build', 'package.json')).toBe('build')
    expect(roleOf('test', 'app/build.gradle')).toBe('test')
    const plugin = { package: 'pkg:gradle/io.acme.publish', file: 'app/build.gradle' } as const
    expect(listServices([at('https://api.acme.io', plugin)])[0]?.role).toBe('build')
    expect(roleOf('build', 'examples/web/package.json')).toBe('example')
  })

  it('are not folded below a domain at which anyone can have a host', () => {
    const findings = [at('https://one.herokuapp.com/a'), at('https://two.herokuapp.com/a')]
    expect(listServices(findings).map(({ name }) => name)).toEqual([
      'one.herokuapp.com',
      'two.herokuapp.com',
    ])
  })

  it('include the client libraries that the project implements, which are no usages', () => {
    const own = { via: 'own-package', package: 'pkg:npm/acme', method: undefined } as const
    const client = at('https://api.acme.io', { ...own, vendorName: 'Acme' })
    expect(listServices([client])).toMatchObject([
      {
        name: 'Acme',
        isOwnClient: true,
        endpoints: 0,
        locations: 0,
        uses: [],
        packages: ['pkg:npm/acme'],
      },
    ])
  })

  it('count endpoints in the code, and have other evidence if there are none', () => {
    const evidenceOf = (...findings: readonly Partial<Finding>[]) => {
      const all = findings.map((more) => at('https://api.acme.io', { vendorName: 'Acme', ...more }))
      return listServices(all).map(({ endpoints, evidence }) => [endpoints, evidence])[0]
    }
    const library = { via: 'import', package: 'pkg:npm/acme', method: undefined } as const
    const action = { ...library, via: 'manifest', package: 'pkg:githubactions/acme/login' } as const
    const setting = { via: 'config', method: undefined } as const
    const script = { via: 'import', method: undefined } as const
    expect(evidenceOf({ via: 'name' })).toEqual([0, 'user-set'])
    expect(evidenceOf({ via: 'manifest' })).toEqual([0, 'tool'])
    expect(evidenceOf({ via: 'import' })).toEqual([0, 'script'])
    expect(evidenceOf({ via: 'name' }, setting)).toEqual([0, 'setting'])
    expect(evidenceOf(setting)).toEqual([0, 'setting'])
    expect(evidenceOf(setting, script)).toEqual([0, 'script'])
    expect(evidenceOf(script, action)).toEqual([0, 'tool'])
    expect(evidenceOf(action, library)).toEqual([0, 'library'])
    expect(evidenceOf({ url: 'https://api.acme.io/v1' }, setting)?.[0]).toBe(1)
    expect(evidenceOf({})).toEqual([1, undefined])
  })

  it('count neither bases nor URLs without a method that calls have or extend', () => {
    const countOf = (...findings: readonly (readonly [string, Partial<Finding>])[]) =>
      listServices(findings.map(([path, more]) => at(`https://api.acme.io${path}`, more)))[0]
        ?.endpoints
    const unknown = { method: undefined, via: 'literal' } as const
    const base = { method: undefined, via: 'base' } as const
    expect(countOf(['/v1/items', {}], ['/{}', base], ['', unknown])).toBe(1)
    expect(countOf(['/v1/items', {}], ['/v1/items', unknown])).toBe(1)
    expect(countOf(['/v1/items', {}], ['/v1/items/{}', {}], ['/v2', unknown])).toBe(3)
    expect(countOf(['/v1/{}', base])).toBe(1)
  })

  it('have the purposes of their APIs, most frequent first', () => {
    const purposesOf = (...findings: readonly (readonly [string, Partial<Finding>])[]) =>
      listServices(findings.map(([url, more]) => at(url, more)))[0]?.purposes
    const google = { vendorName: 'Google' } as const
    expect(
      purposesOf(
        ['https://accounts.google.com/o/oauth2/auth', google],
        ['https://www.googleapis.com/youtube/v3/videos?id={}', google],
        ['https://www.googleapis.com/youtube/v3/search', { ...google, line: 2 }],
        ['https://www.googleapis.com/other/v1', google],
      ),
    ).toEqual(['video', 'login'])
    const aws = { vendorName: 'Amazon Web Services' } as const
    expect(purposesOf(['https://s3.eu-west-1.amazonaws.com/a', aws])).toEqual(['files'])
    expect(purposesOf(['https://eu.api.stripe.com/v1', { vendorName: 'Stripe' }])).toEqual([
      'payments',
    ])
    expect(purposesOf(['https://api.acme.io/v1', { kind: 'ai-models' }])).toEqual(['AI models'])
    expect(purposesOf(['https://api.acme.io/v1', {}])).toEqual([])
    const deepgram = { vendorName: 'Deepgram', kind: 'ai-models' } as const
    expect(purposesOf(['https://api.deepgram.com/v1/listen', deepgram])).toEqual(['speech'])
  })

  it.each([
    ['Expo', 'https://exp.host/--/api/v2/push/send', 'notifications'],
    ['Expo', 'https://api.expo.dev', 'builds'],
    ['Upstash', 'https://qstash.upstash.io/v2/publish', 'queues'],
    ['Unity', 'https://services.api.unity.com/auth/v1', undefined],
    ['Zoho', 'https://mail.zoho.com/api/accounts', 'e-mail'],
    ['Freshworks', 'https://acme.freshdesk.com/api/v2/tickets', 'support'],
    ['DigitalOcean', 'https://acme.nyc3.digitaloceanspaces.com/a', 'files'],
    ['Hetzner', 'https://dns.hetzner.com/api/v1/zones', 'DNS'],
    ['GitLab', 'https://registry.gitlab.com', 'containers'],
    ['GitHub', 'https://models.github.ai/inference', 'AI models'],
  ])('have the purpose of the product: %s at %s', (vendorName, url, purpose) => {
    expect(findPurpose(url, vendorName)).toBe(purpose)
  })

  it('have no hosts that only users set', () => {
    const named = at('https://slack.com/api', { vendorName: 'Slack', via: 'name' })
    const [service] = listServices([named])
    expect([service?.name, service?.hosts, service?.evidence]).toEqual(['Slack', [], 'user-set'])
    const library = { vendorName: 'MinIO', via: 'import', package: 'pkg:npm/minio' } as const
    const [store] = listServices([at('https://{}.min.io', library)])
    expect([store?.name, store?.hosts, store?.evidence]).toEqual(['MinIO', [], 'library'])
    const [both] = listServices([
      at('https://{}.min.io', library),
      at('https://play.min.io', { vendorName: 'MinIO' }),
    ])
    expect(both?.hosts).toEqual(['play.min.io'])
    const config = at('https://hooks.slack.com/services', { vendorName: 'Slack', via: 'config' })
    expect(listServices([named, named, config])[0]?.hosts).toEqual(['hooks.slack.com'])
  })

  it('are located in production code before builds and tests', () => {
    const locationOf = (...files: readonly (readonly [string, Finding['via']])[]) =>
      listServices(
        files.map(([file, via]) => at('https://api.acme.io', { file, via, vendorName: 'Acme' })),
      )[0]?.location.file
    expect(locationOf(['a/test/a.ts', 'call'], ['src/z.ts', 'import'])).toBe('src/z.ts')
    expect(locationOf(['scripts/a.ts', 'call'], ['src/z.ts', 'base'])).toBe('src/z.ts')
    expect(locationOf(['examples/a.ts', 'call'], ['Makefile', 'import'])).toBe('Makefile')
    expect(locationOf(['gen/a.ts', 'call'], ['tests/z.ts', 'import'])).toBe('tests/z.ts')
    expect(
      locationOf(['web/client/package.json', 'manifest'], ['z/package.json', 'manifest']),
    ).toBe('z/package.json')
  })

  it('are located at calls, then at other URLs, imports and settings, and manifests', () => {
    const order: readonly Partial<Finding>[] = [
      { file: 'src/call.py', via: 'call', confidence: 0.7 },
      { file: 'src/base.py', via: 'base' },
      { file: 'src/address.py', via: 'literal' },
      { file: 'src/import.py', via: 'import' },
      { file: 'config.yaml', via: 'config' },
      { file: 'versions.tf', via: 'manifest' },
      { file: 'src/guess.py', via: 'call', confidence: 0.5 },
    ]
    const found = order.map((more) => at('https://api.acme.io', { vendorName: 'Acme', ...more }))
    for (const [index, { file }] of order.entries()) {
      expect(listServices(found.slice(index).reverse())[0]?.location.file).toBe(file)
    }
  })

  it('are located in the file with most imports, before links for people and types', () => {
    const library = { via: 'import', vendorName: 'Acme' } as const
    const found = [
      at('https://www.acme.io', { vendorName: 'Acme', via: 'base', file: 'a.cs', confidence: 0.7 }),
      at('https://api.acme.io', { ...library, file: 'src/errors.rs', line: 2 }),
      at('https://api.acme.io', { ...library, file: 'src/keys.rs', line: 9 }),
      at('https://api.acme.io', { ...library, file: 'src/login/check.rs', line: 4 }),
      at('https://api.acme.io', { ...library, file: 'src/login/check.rs', line: 5 }),
    ]
    const locationOf = (findings: typeof found) => listServices(findings)[0]?.location
    expect(locationOf(found)).toMatchObject({ file: 'src/login/check.rs', line: 4 })
    expect(locationOf(found.slice(0, 3))?.file).toBe('src/keys.rs')
    expect(locationOf(found.slice(0, 2))?.file).toBe('src/errors.rs')
    expect(locationOf(found.slice(0, 1))?.file).toBe('a.cs')
  })

  it('are located in code before configuration, and in clients before other files', () => {
    const locationOf = (via: Finding['via'], ...files: readonly string[]) =>
      listServices(
        files.map((file) => at('https://api.acme.io', { file, via, vendorName: 'Acme' })),
      )[0]?.location.file
    expect(locationOf('config', '.env.example', 'app.yml', 'src/mail/send.ts')).toBe(
      'src/mail/send.ts',
    )
    expect(locationOf('import', 'src/acme/a.ts', 'src/acme/index.ts')).toBe('src/acme/index.ts')
  })

  it('are sorted by calls before packages in manifests', () => {
    const services = listServices([
      ...[1, 2].map((line) => at('https://a.net', { line, via: 'manifest', package: 'pkg:npm/a' })),
      at('https://b.net/v1', { confidence: 0.9 }),
      at('https://c.net', { via: 'base', confidence: 0.9 }),
    ])
    expect(services.map(({ name }) => name)).toEqual(['b.net', 'c.net', 'a.net'])
  })

  it('are sorted by calls and libraries, usages in production code, and known vendors', () => {
    const services = listServices([
      at('https://a.net/v1', { via: 'literal' }),
      at('https://a.net/v2', { via: 'literal' }),
      at('https://b.net/v1', {}),
      at('https://b.net/v1', { file: 'Makefile', line: 2 }),
      at('https://b.net/v1', { file: 'Makefile', line: 3 }),
      at('https://c.net/v1', { vendorName: 'C' }),
      at('https://d.net/v1', {}),
      at('https://d.net/v2', { line: 2 }),
    ])
    expect(services.map(({ name }) => name)).toEqual(['d.net', 'b.net', 'C', 'a.net'])
  })

  it('have the most relevant role of their usages, and are sorted by it', () => {
    const inTest = at('https://api.mock.io/a', { file: 'tests/a.ts' })
    expect(listServices([inTest]).map(({ role }) => role)).toEqual(['test'])
    const services = listServices([
      inTest,
      at('https://acme.net/a', { isOwnHost: true }),
      at('https://files.big.com/a.tar.gz', { vendorName: 'Big', file: 'Dockerfile' }),
      at('https://api.ci.io/a', { file: 'Jenkinsfile' }),
      at('https://api.big.com/a', { vendorName: 'Big' }),
      at('https://mail.big.com/a', { vendorName: 'Big', file: 'tests/a.ts' }),
    ])
    expect(services.map(({ name, roles, locations }) => [name, roles.join(), locations])).toEqual([
      ['Big', 'production,test', 2],
      ['ci.io', 'build', 1],
      ['mock.io', 'test', 1],
      ['Big', 'download', 1],
      ['acme.net', 'own-host', 1],
    ])
  })
})

it.each([
  [0.9, 'high'],
  [0.89, 'medium'],
  [0.7, 'medium'],
  [0.69, 'low'],
])('a confidence of %f is %s', (confidence, certainty) => {
  expect(toCertainty(confidence)).toBe(certainty)
})

it.each([
  ['src/a.ts', 'production'],
  ['latest/contest.go', 'production'],
  ['_examples/web/a.go', 'example'],
  ['src/test/resources/reply.json', 'test'],
  ['fixtures/reply.json', 'test'],
  ['lib/api.g.dart', 'generated'],
  ['src/generated/client.ts', 'generated'],
  ['.github/workflows/test.yml', 'build'],
  ['web/Dockerfile.dev', 'build'],
  ['deploy-staging.sh', 'build'],
  ['scripts/release.py', 'build'],
  ['src/main/java/io/acme/build/Client.java', 'production'],
  ['src/scripts/client.ts', 'production'],
  ['setup.py', 'production'],
  ['crowdin.yml', 'build'],
  ['apps/web/.bin/pay.sh', 'build'],
  ['bin/pay-dev.sh', 'build'],
  ['k3d/k3d-deploy.sh', 'build'],
  ['bin/deploy', 'production'],
  ['src/dev.ts', 'production'],
])('the file %s is %s', (path, role) => {
  expect(findFileRole(path)).toBe(role)
})
