import { describe, expect, it } from 'vitest'
import {
  findFileRole,
  isBuildWrapper,
  isTestData,
  isTestPath,
  isTextPath,
} from '../../../core/code-scanner/noise/path-roles.ts'

describe('the path of a file', () => {
  it.each([
    'src/test/java/com/shop/ClientTest.java',
    'pkg/client_test.go',
    'tests/test_client.py',
    'app/test_client.py',
    'web/src/client.spec.ts',
    'Shop.Tests/ClientTests.cs',
    'spec/client_spec.rb',
    'Sources/ClientTests.swift',
    'ShopTests/Support/Server.swift',
    'AppUITests/Launch.m',
    'apps/web/playwright/utils/helper.ts',
    'playwright.service.config.ts',
  ])('says that %s is a test', (path) => {
    expect(isTestPath(path)).toBe(true)
  })

  it.each([
    'src/latest/client.go',
    'src/Contest.java',
    'app/attestation.py',
    'src/testimonials.ts',
    'src/SpeedTest.tsx',
    'app/contests/client.rb',
    'src/playwright/browser.ts',
    'services/playwright/app.py',
  ])('says that %s is none', (path) => {
    expect(isTestPath(path)).toBe(false)
  })

  it.each([
    ['examples/app/src/main.ts', 'example'],
    ['packages/client/demo/index.ts', 'example'],
    ['docs/snippets/a.py', 'example'],
    ['documentation/site.config.js', 'example'],
    ['app/src/main/java/com/example/shop/Client.java', 'production'],
    ['com/example/shop/Client.kt', 'production'],
    ['src/integrations/docs/client.ts', 'production'],
    ['src/services/vue.js', 'production'],
    ['web/vite.config.ts', 'build'],
    ['.forgejo/workflows/ci.yml', 'build'],
    ['.goreleaser.yml', 'build'],
    ['requirements-dev.txt', 'build'],
    ['script/load-dump', 'build'],
    ['bin/setup_heroku', 'build'],
    ['bin/rails', 'production'],
    ['tools/release/notes.sh', 'build'],
    ['tools/weather.py', 'production'],
    ['src/tools/run.sh', 'production'],
    ['src/script/load.ts', 'production'],
    ['packages/e2e_tests/setup.ts', 'test'],
    ['prisma/seed.ts', 'test'],
    ['tools/seed-data/index.ts', 'test'],
    ['src/wallet/seed.ts', 'production'],
    ['lib/seed-phrase/derive.ts', 'production'],
    ['.github/actions/pay/__tests__/a.test.js', 'test'],
    ['.agents/skills/review/list.sh', 'build'],
    ['server/scripts/import.py', 'build'],
    ['.env.test', 'test'],
    ['cypress/support/pay.ts', 'test'],
    ['packages/api/scripts/seed.ts', 'build'],
    ['packages/api/src/scripts/seed.ts', 'production'],
    ['shop/scripts/main.py', 'production'],
    ['web/scripts/map.js', 'production'],
    ['web/scripts/fetch-icons.mjs', 'build'],
    ['web/src/scripts/map.mjs', 'production'],
    ['shop/scripts/map.mjs', 'production'],
    ['docker/bake.sh', 'build'],
    ['docker/worker/build-image.sh', 'build'],
    ['docker/docker-entrypoint.sh', 'production'],
    ['docker/backup.sh', 'production'],
    ['docker/rebuild-index.sh', 'production'],
    ['tooling/lint/index.ts', 'build'],
    ['tools/weather.py', 'production'],
    ['docker/.env', 'production'],
  ])('gives %s the role %s', (path, role) => {
    expect(findFileRole(path)).toBe(role)
  })

  it.each([
    ['mvnw', true],
    ['gradlew.bat', true],
    ['app/gradle/wrapper/gradle-wrapper.properties', true],
    ['.mvn/wrapper/MavenWrapperDownloader.java', true],
    ['gradle/build.gradle', false],
    ['src/wrapper/client.go', false],
  ])('tells whether %s fetches a build tool', (path, expected) => {
    expect(isBuildWrapper(path)).toBe(expected)
  })

  it.each([
    ['src/i18n/en.js', true],
    ['config/locales/de.yml', true],
    ['lang/en/messages.php', true],
    ['src/language/parser.ts', false],
    ['src/locale.ts', false],
    ['src/i18n/loader.go', false],
    ['packages/i18n/scripts/translate.ts', false],
    ['packages/i18n/src/locales/en.ts', true],
    ['packages/email/templates/join.tsx', true],
    ['app/templates/mail/welcome.html', true],
    ['emails/welcome.tsx', true],
    ['packages/email/transports/send.ts', false],
  ])('tells whether %s contains texts for people', (path, expected) => {
    expect(isTextPath(path)).toBe(expected)
  })

  it.each([
    ['src/test/resources/com/acme/Response.json', true],
    ['spec/cassettes/list.yml', true],
    ['tests/docker-compose.yml', false],
    ['src/main/resources/application.yml', false],
  ])('tells whether %s is data of a test', (path, expected) => {
    expect(isTestData(path)).toBe(expected)
  })
})
