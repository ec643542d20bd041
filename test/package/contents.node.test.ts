import { readdir, readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../core/version.ts'
import { ensureBuild, ROOT } from '../helpers/build.ts'
import { listPackedFiles, readManifest } from '../helpers/installed.ts'
import { findLinks, readPages } from '../helpers/markdown.ts'

beforeAll(ensureBuild, 900_000)

interface Bundle {
  /** Names of packages that are loaded statically. */
  readonly packages: readonly string[]
  /** Names of packages that are loaded on demand. */
  readonly later: readonly string[]
  /** Imports that are not bundled. */
  readonly outside: readonly string[]
  /** Size of the statically loaded code. */
  readonly bytes: number
}

/** Bundles an entry like the bundler of a host. */
async function bundle(entry: string): Promise<Bundle> {
  const { metafile } = await build({
    entryPoints: [join(ROOT, 'dist', entry)],
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    outdir: 'out',
    logLevel: 'silent',
    external: [...builtinModules, 'node:*', 'bun:*', 'pg', 'vitest'],
  })
  const outputs = Object.entries(metafile.outputs)
  const atOnce = new Set(outputs.filter(([, { entryPoint }]) => entryPoint?.endsWith(entry)))
  for (const [, { imports }] of atOnce) {
    for (const { path, kind } of imports) {
      const found = outputs.find(([name]) => name === path)
      if (found && kind === 'import-statement') atOnce.add(found)
    }
  }
  const packagesOf = (chosen: Iterable<(typeof outputs)[number]>) => {
    const inputs = [...chosen].flatMap(([, output]) => Object.keys(output.inputs))
    const names = inputs.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
    return [...new Set(names.filter((name) => name !== undefined))].sort()
  }
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports)
  return {
    packages: packagesOf(atOnce),
    later: packagesOf(outputs.filter((output) => !atOnce.has(output))),
    outside: imports.filter(({ external }) => external).map(({ path }) => path),
    bytes: [...atOnce].reduce((sum, [, output]) => sum + output.bytes, 0),
  }
}

describe('the package', () => {
  it('contains only the build, the seed, the examples and the documentation', async () => {
    const paths = await listPackedFiles()
    const others = paths.filter((path) => !/^dist\/[\w-]+\.(js|d\.ts)$/.test(path))
    expect(others.filter((path) => !/^([A-Z]+\.md$|docs\/.+\.(md|png)$)/.test(path))).toEqual([
      'LICENSE',
      'dist/assets/console.css',
      'dist/assets/console.js',
      'dist/assets/htmx.LICENSE',
      'dist/assets/htmx.min.js',
      'dist/assets/icon.svg',
      ...(await readdir(join(ROOT, 'examples'))).sort().map((name) => `examples/${name}`),
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

  it('contains the pages that the README links to', async () => {
    const [readme] = await readPages()
    const links = readme ? findLinks(readme).filter((link) => !/^([a-z]+:|#)/.test(link)) : []
    const packed = await listPackedFiles()
    expect(readme?.path).toBe('README.md')
    expect(links.filter((link) => !packed.includes(link.replace(/#.*/, '')))).toEqual([])
  })

  it('has a file and types for every export', async () => {
    const { exports } = await readManifest()
    const paths = await listPackedFiles()
    const wanted = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
    )
    expect(wanted.map((path) => path.slice(2)).filter((path) => !paths.includes(path))).toEqual([])
  })

  it('has a lockfile without download URLs', async () => {
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
    const places = Object.values(lock.packages as Record<string, { resolved?: string }>)
    const resolved = places.map((place) => place.resolved).filter((url) => url !== undefined)
    expect(resolved).toEqual(['test/runtimes'])
  })

  it('has the same version everywhere', async () => {
    const deno = JSON.parse(await readFile(join(ROOT, 'deno.json'), 'utf8'))
    expect([(await readManifest()).version, deno.version]).toEqual([VERSION, VERSION])
  })
})

describe('a bundle', () => {
  it('of the core contains no database and no runtime module', async () => {
    const { packages, later, outside, bytes } = await bundle('index.js')
    expect(outside).toEqual([])
    expect(later).toEqual(
      expect.arrayContaining(['@cyclonedx/cyclonedx-library', 'js-yaml', 'openapi-sampler']),
    )
    expect(packages.filter((name) => /kysely|pg|sqlite|cyclonedx/.test(name))).toEqual([])
    const { dependencies } = await readManifest()
    expect(packages.filter((name) => name in dependencies)).toEqual([
      '@remix-run/multipart-parser',
      '@renovatebot/pep440',
      '@renovatebot/ruby-semver',
      '@valibot/to-json-schema',
      'ipaddr.js',
      'itty-router',
      'packageurl-js',
      'semver',
      'stemmer',
      'tldts',
      'valibot',
    ])
    // The built-in vendors, which every read needs to name the vendor of a host, take 450 kB.
    expect(bytes).toBeLessThan(1_100_000)
  })

  it('of the client contains no server code', async () => {
    const { packages, outside, bytes } = await bundle('client.js')
    expect([packages, outside]).toEqual([['valibot'], []])
    expect(bytes).toBeLessThan(100_000)
  })

  it('of the OpenAPI document contains no server code', async () => {
    const { packages, outside } = await bundle('openapi.js')
    expect([packages, outside]).toEqual([['@valibot/to-json-schema', 'valibot'], []])
  })
})
