import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { findUsageRole } from '../../../core/code-scanner/noise/usage-roles.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { emptyCatalogue } from './scan.ts'

const grammars = await openGrammars(['bash'])
const go = await openGrammars(['go'])
const table = createPackageTable()
const SCRIPTS = '"scripts":{"shots":"chromatic --ci"}'

it.skipIf(grammars === undefined).each([
  [`{${SCRIPTS},"devDependencies":{"chromatic":"6"}}`, 'build'],
  [`{${SCRIPTS},"dependencies":{"chromatic":"6"}}`, 'production'],
  [`{${SCRIPTS}}`, 'production'],
  [
    `{${SCRIPTS},"devDependencies":{"chromatic":"6"},"dependencies":{"@chromatic-com/storybook":"1"}}`,
    'production',
  ],
])('a script of npm has the role of the dependency that it runs: %s', async (text, role) => {
  const files = [{ path: 'package.json', text }]
  const { findings } = await scanProject({ files, grammars, catalogue: emptyCatalogue, ...table })
  const scripts = findings.filter(({ via }) => via === 'import')
  expect(scripts.map(findUsageRole)).toEqual([role])
})

it('code in a folder of tools is production code, as agents have it there', async () => {
  const text = "await fetch('https://api.acme.io/v1/domains')"
  const files = ['tools/domains.mjs', 'src/main.mjs'].map((path) => ({ path, text }))
  const { findings } = await scanProject({ files, grammars, catalogue: emptyCatalogue, ...table })
  expect(findings.map(findUsageRole)).toEqual(['production', 'production'])
})

describe.skipIf(go === undefined)('a program of Go', () => {
  const text = 'package main\nfunc main() { http.Get("https://api.acme.io/v1/names") }\n'
  async function findRoles(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const all = Object.entries(files).map(([path, text]) => ({ path, text }))
    const scan = { files: all, grammars: go, catalogue: emptyCatalogue, ...table }
    const { findings } = await scanProject(scan)
    return findings.map(findUsageRole)
  }

  it.each([
    ['go run ./names -out names.go', 'shop/names/main.go'],
    ['go run -mod=mod ../tools/names', 'tools/names/main.go'],
    ['go run names.go in.txt', 'shop/names.go'],
  ])('that only generates code is used by the build: %s', async (command, path) => {
    const files = { [path]: text, 'shop/shop.go': `package shop\n\n//go:generate ${command}\n` }
    expect(await findRoles(files)).toEqual(['build'])
  })

  it.each([
    ['go run ./server docs', 'shop/server/main.go'],
    ['go run . -out docs', 'shop/main.go'],
    ['go run ./names -out names.go', 'shop/names/api/client.go'],
    ['go run ./names -out names.go', 'names/main.go'],
  ])('that also does other work is production code: %s', async (command, path) => {
    const files = { [path]: text, 'shop/shop.go': `package shop\n\n//go:generate ${command}\n` }
    expect(await findRoles(files)).toEqual(['production'])
  })

  it('that no build contains is used by the build', async () => {
    expect(await findRoles({ 'a/names.go': `//go:build ignore\n\n${text}` })).toEqual(['build'])
    expect(await findRoles({ 'a/names.go': `//go:build linux\n\n${text}` })).toEqual(['production'])
  })
})

it('a registry that a build pushes to is used by the build, though its host has an index', () => {
  const usage = { file: '.github/workflows/a.yml', url: 'https://registry.gitlab.com' } as const
  expect(findUsageRole({ ...usage, via: 'manifest' })).toBe('build')
  expect(findUsageRole({ ...usage, via: 'call' })).toBe('download')
})
