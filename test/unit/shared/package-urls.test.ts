import { describe, expect, it } from 'vitest'
import {
  findPackageUrlIssue,
  findStatedPackage,
  parsePackageUrl,
  splitPackageUrl,
} from '../../../core/shared/package-urls.ts'

describe('parsePackageUrl', () => {
  it.each([
    ['pkg:npm/lodash@4.17.20', 'npm/lodash', '4.17.20'],
    ['pkg:npm/%40Acme/SDK@1.0.0-rc.1', 'npm/@acme/sdk', '1.0.0-rc.1'],
    ['pkg:npm/@acme/sdk', 'npm/@acme/sdk', undefined],
    ['PKG:NPM/lodash@', 'npm/lodash', undefined],
    ['pkg:pypi/Foo_Bar.baz@1.0', 'pypi/foo-bar-baz', '1.0'],
    ['pkg:maven/org.Acme/sdk@2.0?type=jar#x', 'maven/org.Acme/sdk', '2.0'],
    ['pkg:golang/github.com/Acme/sdk/v2@v2.1.0', 'golang/github.com/acme/sdk', 'v2.1.0'],
    ['pkg:golang/github.com/acme/sdk@v1.21', 'golang/github.com/acme/sdk', 'v1.21'],
    ['pkg:golang/github.com/acme/sdk@v1', 'golang/github.com/acme/sdk', 'v1'],
    ['pkg:nuget/Acme.Sdk@1.2.3.4', 'nuget/acme.sdk', '1.2.3.4'],
    ['pkg:gem/Acme', 'gem/Acme', undefined],
    ['pkg:cargo/acme_sdk', 'cargo/acme-sdk', undefined],
    ['pkg:composer/Acme/SDK', 'composer/acme/sdk', undefined],
  ])('parses %s', (text, key, version) => {
    expect(parsePackageUrl(text).found).toEqual({ type: key.split('/')[0], key, version })
  })

  it.each([
    ['npm/lodash', 'missing required "pkg" scheme component'],
    ['pkg:npm/', '"name" is a required component'],
    ['pkg:maven/log4j', 'maven requires a "namespace" component'],
    ['pkg:npm/lod%ash', 'unable to decode "name" component'],
    ['pkg:golang/a.b/c@vx', 'the version is invalid'],
    ['pkg:gem/rails%09x', 'it contains control characters'],
    [`pkg:golang/${'@v1'.repeat(10_000)}%zz`, 'it has more than 2048 characters'],
    ['pkg:golang/a.b/c@v1@v2%zz', 'unable to decode "version" component'],
    ['pkg:npm/lodash@^4', 'the version does not begin with a letter or digit'],
  ])('explains what is wrong with %s', (text, issue) => {
    expect(findPackageUrlIssue(text)).toBe(issue)
  })
})

describe('findStatedPackage', () => {
  it.each([
    ['https://www.npmjs.org', '@acme/sdk', 'npm/@acme/sdk'],
    ['https://www.npmjs.com/package/acme', 'Acme', 'npm/acme'],
    ['https://pypi.org/project/', 'Foo_Bar', 'pypi/foo-bar'],
    ['https://repo.maven.apache.org/maven2', 'org.acme:sdk', 'maven/org.acme/sdk'],
    ['https://repo1.maven.org/maven2', 'org.acme:sdk', 'maven/org.acme/sdk'],
    ['https://pkg.go.dev', 'github.com/acme/sdk/v3', 'golang/github.com/acme/sdk'],
    ['https://proxy.golang.org', 'a.b/c', 'golang/a.b/c'],
    ['https://www.nuget.org/packages', 'Acme.Sdk', 'nuget/acme.sdk'],
    ['rubygems.org', 'acme', 'gem/acme'],
    ['https://crates.io:443/crates', 'acme_sdk', 'cargo/acme-sdk'],
    ['https://packagist.org', 'acme/sdk', 'composer/acme/sdk'],
  ])('names the package of a registry: %s, %s', (collectionUrl, packageName, key) => {
    const type = key.split('/')[0]
    expect(findStatedPackage({ collectionUrl, packageName })).toEqual({ type, key })
  })

  it('prefers a valid package URL, without its version', () => {
    const registry = { collectionUrl: 'https://pypi.org', packageName: 'acme' }
    const ofUrl = findStatedPackage({ ...registry, packageUrl: 'pkg:npm/acme@1.0' })
    expect(ofUrl).toMatchObject({ type: 'npm', key: 'npm/acme' })
    expect(findStatedPackage({ ...registry, packageUrl: 'acme' })?.key).toBe('pypi/acme')
  })

  it.each([
    [{ collectionUrl: 'https://pypi.org' }],
    [{ packageName: 'acme' }],
    [{ collectionUrl: 'https://github.com/acme', packageName: 'acme' }],
    [{ collectionUrl: 'https://notcrates.io', packageName: 'acme' }],
    [{ collectionUrl: 'https://pypi.org', packageName: 'Acme for Django' }],
  ])('returns undefined for %j', (stated) => {
    expect(findStatedPackage(stated)).toBeUndefined()
  })
})

describe('splitPackageUrl', () => {
  const GO = 'pkg:golang/github.com/acme/sdk@v0.0.0-20200802174311-f27d2ca7f6d5'
  it.each([
    ['pkg:npm/@acme/sdk@1.2.0', ['pkg:npm/%40acme/sdk@1.2.0', '@acme', 'sdk', '1.2.0']],
    ['pkg:pypi/Acme_SDK', ['pkg:pypi/acme-sdk', '', 'acme-sdk', '']],
    [GO, [GO, 'github.com/acme', 'sdk', 'v0.0.0-20200802174311-f27d2ca7f6d5']],
  ])('splits %j', (text, parts) => {
    const found = splitPackageUrl(text)
    expect([found?.purl, found?.namespace, found?.name, found?.version]).toEqual(parts)
  })
})
