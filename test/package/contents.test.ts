import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../core/version.ts'
import { ensureBuild, ROOT } from '../helpers/build.ts'
import { listPackedFiles, readManifest } from '../helpers/installed.ts'

beforeAll(ensureBuild, 120_000)

/** What a host's bundler would take in: packages by name, and what it leaves outside. */
async function bundle(
  entry: string,
): Promise<{ packages: string[]; outside: string[]; bytes: number }> {
  const { metafile } = await build({
    entryPoints: [join(ROOT, 'dist', entry)],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    outdir: 'out',
    logLevel: 'silent',
    external: [...builtinModules, 'node:*', 'bun:*', 'pg', 'vitest'],
  })
  const names = new Set<string>()
  const outside = new Set<string>()
  for (const [path, { imports }] of Object.entries(metafile.inputs)) {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
    if (name !== undefined) names.add(name)
    for (const { path: target, external } of imports) if (external === true) outside.add(target)
  }
  const outputs = Object.values(metafile.outputs)
  const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0)
  return { packages: [...names].sort(), outside: [...outside], bytes }
}

describe('the package', () => {
  it('holds the build, the seed and the documents, and nothing else', async () => {
    const paths = await listPackedFiles()
    const others = paths.filter((path) => !/^dist\/[\w-]+\.(js|d\.ts)$/.test(path))
    expect(others.filter((path) => !/^(README|CHANGELOG)\.md$/.test(path))).toEqual([
      'LICENSE',
      'fixtures/seed/descriptions/ledgerly-payments.json',
      'fixtures/seed/descriptions/pigeon-messaging.json',
      'fixtures/seed/descriptions/skycast-weather.yaml',
      'fixtures/seed/descriptions/wayfare-maps.yaml',
      'fixtures/seed/vulnerabilities/epss-examples.csv',
      'fixtures/seed/vulnerabilities/known-exploited-examples.json',
      'fixtures/seed/vulnerabilities/nvdcve-1.1-examples.json',
      'fixtures/seed/vulnerabilities/nvdcve-2.0-examples.json',
      'package.json',
    ])
  })

  it('has a file behind every export, its types included', async () => {
    const { exports } = await readManifest()
    const paths = await listPackedFiles()
    const wanted = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
    )
    expect(wanted.map((path) => path.slice(2)).filter((path) => !paths.includes(path))).toEqual([])
  })

  it('is locked without saying where to download from', async () => {
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
    const places = Object.values(lock.packages as Record<string, { resolved?: string }>)
    const resolved = places.map((place) => place.resolved).filter((url) => url !== undefined)
    expect(resolved).toEqual(['test/runtimes'])
  })

  it('says the same version everywhere', async () => {
    const deno = JSON.parse(await readFile(join(ROOT, 'deno.json'), 'utf8'))
    expect([(await readManifest()).version, deno.version]).toEqual([VERSION, VERSION])
  })
})

describe('a bundle', () => {
  it('of the core takes in no database and no module of a runtime', async () => {
    const { packages, outside, bytes } = await bundle('index.js')
    expect(outside).toEqual([])
    expect(packages.filter((name) => /kysely|pg|sqlite|cyclonedx/.test(name))).toEqual([])
    const { dependencies } = await readManifest()
    expect(packages.filter((name) => name in dependencies)).toEqual([
      '@remix-run/multipart-parser',
      '@valibot/to-json-schema',
      'ipaddr.js',
      'itty-router',
      'js-yaml',
      'openapi-sampler',
      'stemmer',
      'tldts',
      'valibot',
    ])
    expect(bytes).toBeLessThan(700_000)
  })

  it('of the client takes in nothing of the server', async () => {
    const { packages, outside, bytes } = await bundle('client.js')
    expect([packages, outside]).toEqual([['valibot'], []])
    expect(bytes).toBeLessThan(100_000)
  })

  it('of the OpenAPI document takes in nothing of the server', async () => {
    const { packages, outside } = await bundle('openapi.js')
    expect([packages, outside]).toEqual([['@valibot/to-json-schema', 'valibot'], []])
  })
})
