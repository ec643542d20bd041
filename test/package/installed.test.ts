import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../core/version.ts'
import { type InstalledPackage, installPackage, readManifest } from '../helpers/installed.ts'
import { RUNTIME, runScript, startScript } from '../helpers/script.ts'

let installed: InstalledPackage
let commandLine = ''

beforeAll(async () => {
  installed = await installPackage()
  commandLine = join(installed.root, 'dist', 'cli.js')
  await writeFile(join(installed.folder, 'package.json'), '{ "type": "module" }')
}, 900_000)
afterAll(() => installed.remove())

/** Runs code in the user's project and parses the JSON it prints. */
async function evaluate(code: string): Promise<unknown> {
  await writeFile(join(installed.folder, 'ask.js'), code)
  const { output, errors } = await runScript(['ask.js'], { cwd: installed.folder })
  if (output === '') throw new Error(errors)
  return JSON.parse(output)
}

describe('the installed package', () => {
  it('prints its version', async () => {
    const { code, output } = await runScript([commandLine, '--version'], { cwd: installed.folder })
    expect([code ?? 0, output]).toEqual([0, `${VERSION}\n`])
  })

  it('can be imported by each export name', async () => {
    // The suites can be imported only by vitest, see `custom-storage.test.ts`.
    const left = new Set([
      './package.json',
      './testing',
      ...(RUNTIME === 'bun' ? [] : ['./bun-sqlite']),
    ])
    const names = Object.keys((await readManifest()).exports).filter((name) => !left.has(name))
    const code = `
      const names = ${JSON.stringify(names)}
      const found = {}
      for (const name of names) found[name] = Object.keys(await import('api-discovery' + name.slice(1)))
      console.log(JSON.stringify(found))`
    expect(await evaluate(code)).toEqual({
      '.': [
        'EgressError',
        'SCOPES',
        'ServiceError',
        'VERSION',
        'createApiDiscovery',
        'createSealer',
        'parseBasePath',
        'stripPublicPath',
        'toCaller',
      ],
      './contract': ['contract'],
      './storage': [
        'LOAD_LEASE_MS',
        'MAX_LEASE_MS',
        'MAX_NAME_LENGTH',
        'NEEDED_WITHIN_MS',
        'compareCodePoints',
        'foldName',
        'toSpdxId',
      ],
      './accounts': ['createSealTest', 'parseDuration'],
      './catalogue': ['CATEGORIES', 'adviseClient', 'buildMatcher', 'formatApiKind'],
      './gateway': ['CREDENTIAL_KINDS', 'Numeral', 'describeParameters', 'parseExactJson'],
      './rate-limits': ['DEFAULT_BUDGET', 'MAX_BUDGET'],
      './jobs': ['JOB_STATES'],
      './boms': [
        'BOM_FORMATS',
        'SPEC_VERSIONS',
        'buildFindingsBom',
        'buildNetworkBom',
        'buildProjectBom',
        'compareBoms',
        'explainBom',
        'mergeBoms',
        'readBom',
        'renderBom',
        'renderBoms',
      ],
      './vulnerabilities': [
        'CVE_RELEASES_URL',
        'EPSS_URL',
        'EXAMPLES_NAME',
        'EXAMPLE_SOURCE',
        'KEV_URL',
        'NVD_URL',
        'SourceError',
        'checkFullArchive',
        'countVersions',
        'createRemoteArchive',
        'createRemoteFile',
        'decodeEntities',
        'explainMissingRecord',
        'findKnownVulnerabilities',
        'findNamedApis',
        'findPackageVulnerabilities',
        'listAliases',
        'listStatedProducts',
        'pullArchive',
        'readArchiveBase',
        'readCveDocuments',
        'readCveFeed',
        'readEpss',
        'readKev',
        'readNvdFeed',
        'sleep',
        'splitPackageUrl',
        'syncCve',
        'syncCveFiles',
        'syncEpss',
        'syncKev',
        'syncNvd',
        'syncNvdFiles',
        'toAffectedProducts',
        'toHitWire',
        'toRecordProducts',
        'toVersionText',
      ],
      './client': ['ClientError', 'createClient'],
      './openapi': ['buildOpenApiDocument'],
      './console': ['createConsole'],
      './mcp': ['createMcpHandler'],
      './serve': ['closeOnSignals', 'serve'],
      './node': ['serveNode', 'toNodeListener'],
      './bun': ['serveBun'],
      './deno': ['serveDeno'],
      './sqlite': ['backupSqlite', 'checkSqlite', 'openSqlite'],
      ...(RUNTIME === 'bun' ? { './bun-sqlite': ['openBunSqlite'] } : {}),
      './postgres': ['openPostgres'],
      './isolate': ['createWorkerIsolate'],
      './egress': [
        'EGRESS_LIMITS',
        'createDecoder',
        'createFetchEgress',
        'createHttpGet',
        'createPinnedEgress',
        'toAllowEntries',
      ],
      './feeds': [
        'createBrotli',
        'decompressFeed',
        'listFeedFiles',
        'readCveFile',
        'readFeedFile',
        'unpackCveFile',
      ],
      './secret': expect.arrayContaining(['openSecrets']),
      './assessments': [
        'ASSESSMENT_CATEGORIES',
        'ASSESSMENT_RULES',
        'CLASSIFICATIONS',
        'POLICY_CONDITIONS',
        'assessFacts',
        'checkVendorNames',
        'evaluatePolicy',
        'findPolicyNeeds',
        'parsePolicy',
        'splitSentences',
        'toLicenceFamily',
        'toPolicySarif',
        'writePolicySarif',
      ],
      './scans': [
        'SCAN_CHECKS',
        'USAGE_ROLES',
        'addCveReviews',
        'buildProjectReport',
        'checkReport',
        'createNetworkReport',
        'createPackageTable',
        'createTrafficReader',
        'diffUsages',
        'findUsageRole',
        'fromPrintedScan',
        'getUsageName',
        'groupEndpoints',
        'isApiRole',
        'isEmptyDiff',
        'isLocalHost',
        'isPlausibleTime',
        'joinApprovals',
        'joinDecisions',
        'listServices',
        'listUsedPackages',
        'mergeCveReviews',
        'mergeReviewFile',
        'mergeUsages',
        'readApiFacts',
        'readCapture',
        'readCveReviews',
        'readStoredUsages',
        'scanNetwork',
        'scanProject',
        'toCertainty',
        'toFindingsDocument',
        'toFlowDocument',
        'toOpenVex',
        'toReviewFile',
        'toSarif',
        'toScanSubmission',
        'toSubmittedFlow',
        'toUsageDecisions',
        'writeFindingsDocument',
        'writeSarif',
      ],
      './geoip': ['GeoIpError', 'openGeoIp'],
      './scanner': expect.arrayContaining(['parsePackageRows', 'scanFolder']),
    })
  })

  it('parses in its own worker', async () => {
    const code = `
      import { createApiDiscovery } from 'api-discovery'
      import { createWorkerIsolate } from 'api-discovery/isolate'
      import { openSqlite } from 'api-discovery/sqlite'
      const isolate = createWorkerIsolate()
      const app = createApiDiscovery({ storage: await openSqlite({ file: ':memory:' }), isolate })
      const bytes = new TextEncoder().encode(JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Tides', version: '1' },
        servers: [{ url: 'https://tides.example' }],
        paths: { '/tides': { get: { responses: {} } } },
      }))
      const { report } = await app.imports.importDescription({ bytes, createVendor: true, isPublic: true })
      console.log(JSON.stringify(report.endpoints ?? report))
      await isolate.close()
      await app.close()`
    expect(await evaluate(code)).toMatchObject({ added: 1 })
  })

  it('scans a project in its own threads', async () => {
    await mkdir(join(installed.folder, 'src'))
    await writeFile(
      join(installed.folder, 'src', 'tides.sh'),
      'curl -X POST https://api.tides.io/v1/tides\n',
    )
    const code = `
      import { scanFolder } from 'api-discovery/scanner'
      const { files, findings } = await scanFolder({
        root: 'src',
        catalogue: { match: () => undefined },
      })
      const found = findings.map(({ line, method, host }) => [line, method, host])
      console.log(JSON.stringify({ files, found }))`
    expect(await evaluate(code)).toEqual({
      files: 1,
      found: [[1, 'post', 'api.tides.io']],
    })
  })

  it('serves its examples on a first start', async () => {
    const words = [
      ...['serve', '--seed', '--port', '0', '--json', '--print-setup'],
      ...['--database', 'sqlite:data/apis.db'],
    ]
    const server = await startScript([commandLine, ...words], { cwd: installed.folder })
    try {
      const line = JSON.parse(server.output())
      const { base_url: baseUrl, api_key: key, console_url: consoleUrl, setup_link: link } = line
      const response = await fetch(`${baseUrl}/endpoint_search?q=weather`, {
        headers: { 'api-key': key },
      })
      const { num_results: count } = (await response.json()) as { num_results: number }
      expect([response.status, count > 0]).toEqual([200, true])
      const page = await (await fetch(link)).text()
      expect(page).toContain('<h1>Welcome</h1>')
      const addresses = [...page.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g)]
      const answers = await Promise.all(
        addresses.map(([, path]) => fetch(new URL(path ?? '', consoleUrl))),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const guides = await (await fetch(new URL('guides', consoleUrl))).text()
      const links = [...guides.matchAll(/href="(\/console\/guides\/[^"]+)"/g)]
      const texts = await Promise.all(
        [...links.map(([, link = '']) => link), '/console/guides/pictures/vulnerabilities'].map(
          async (link) => (await fetch(new URL(link, consoleUrl))).status,
        ),
      )
      expect(texts.length).toBeGreaterThan(20)
      expect(texts.filter((status) => status !== 200)).toEqual([])
    } finally {
      await server.end()
    }
  })
})
