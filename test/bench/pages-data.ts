import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createScryptHasher } from '../../adapters/secret/scrypt.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import { createApiDiscovery } from '../../core/app.ts'
import type { ApiDiscovery } from '../../core/index.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { type Caller, SCOPES } from '../../core/shared/account.ts'
import { FORMAT } from '../../core/vulnerabilities/index/manifest.ts'
import { strongRandom } from '../helpers/random.ts'
import { createSyntheticCves } from './cve-data.ts'
import { type AccountSizes, fillAccount } from './pages-account.ts'
import {
  type CatalogueSize,
  type FilledApi,
  fillAgreements,
  fillCatalogue,
  type NamedVendor,
} from './pages-catalogue.ts'
import { type FilledScans, fillScans, type ScanSizes } from './pages-scans.ts'

/** Sizes of all generated data. */
export interface PageSizes {
  readonly cves: number
  readonly catalogue: CatalogueSize
  readonly scans: ScanSizes
  readonly account: AccountSizes
}

/** The sizes required of the console, and accounts that use all of it. */
export const FULL: PageSizes = {
  cves: 350_000,
  catalogue: { apis: 2000, endpoints: 100_000, vendors: 500 },
  scans: { groups: 200, project: 20_000, largeProject: 200_000, network: 20_000 },
  account: { users: 50, keys: 200, runs: 500, reports: 1000, calls: 100_000 },
}

/** A hundredth of it, to test the benchmark itself. */
export const TINY: PageSizes = {
  cves: 3500,
  catalogue: { apis: 40, endpoints: 1000, vendors: 20 },
  scans: { groups: 12, project: 200, largeProject: 2000, network: 200 },
  account: { users: 5, keys: 10, runs: 10, reports: 20, calls: 1000 },
}

/** IDs in the database, for page addresses. */
export interface FilledPages {
  readonly scans: FilledScans
  /**
   * The API with the most endpoints, one with added agreements, and one of a vendor with many CVEs.
   */
  readonly largest: FilledApi
  readonly agreed: FilledApi
  readonly vulnerable: FilledApi
  /** Rate-limit runs; the last one has most requests. */
  readonly runs: number
  readonly reports: number
}

/** The user who views the pages. */
export const PERSON = { name: 'Ada', password: 'quiet lamps over water' } as const

/** Creates the service like a server, but with cheap password hashes. */
export function openPagesApp(storage: FullStorage): ApiDiscovery {
  return createApiDiscovery({
    storage,
    random: strongRandom,
    passwords: createScryptHasher({ costLog2: 4, maxWaiting: 1000 }),
    sealer: createSealer({ current: new Uint8Array(32).fill(7) }, strongRandom),
    scanLimits: { maxRows: 1_000_000 },
  })
}

/**
 * Opens the filled database in the folder. Creates it if there is none with these sizes, this
 * schema and these generators.
 */
export async function openFilledPages(given: {
  readonly folder: string
  /** Folder of the real data for vulnerability records. */
  readonly data: string
  readonly sizes: PageSizes
  readonly isFresh: boolean
  readonly tell: (line: string) => void
}): Promise<{ readonly file: string; readonly filled: FilledPages }> {
  const { sizes, isFresh, tell } = given
  const folder = join(given.folder, `api-discovery-bench-pages-${await toName(sizes)}`)
  if (isFresh) await rm(folder, { recursive: true, force: true })
  const file = join(folder, 'pages.db')
  if (!existsSync(folder)) {
    const draft = `${folder}.draft`
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { recursive: true })
    const filled = await fillPagesDatabase({ ...given, file: join(draft, 'pages.db') })
    await writeFile(join(draft, 'filled.json'), JSON.stringify(filled))
    await rename(draft, folder)
  }
  const { size } = await stat(file)
  tell(`SQLite file ${file}: ${Math.round(size / 1e6)} MB`)
  const filled = JSON.parse(await readFile(join(folder, 'filled.json'), 'utf8')) as FilledPages
  return { file, filled }
}

/** Builds a key of sizes, schema and generators. */
async function toName(sizes: PageSizes): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify([FORMAT, sizes]))
  const migrations = fileURLToPath(
    new URL('../../adapters/storage/kysely/migrations', import.meta.url),
  )
  const here = fileURLToPath(new URL('.', import.meta.url))
  const generators = (await readdir(here)).filter((name) =>
    /^(?:pages-(?!asked)|synthetic|cve-data)/.test(name),
  )
  for (const name of (await readdir(migrations)).sort())
    digest.update(await readFile(join(migrations, name)))
  for (const name of generators.sort()) digest.update(await readFile(join(here, name)))
  return digest.digest('hex').slice(0, 12)
}

async function fillPagesDatabase(given: {
  readonly file: string
  readonly data: string
  readonly sizes: PageSizes
  readonly tell: (line: string) => void
}): Promise<FilledPages> {
  const { sizes, tell } = given
  const storage = await openSqlite({ file: given.file })
  const app = openPagesApp(storage)
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now()
    const result = await work()
    tell(`Filled in ${((performance.now() - start) / 1000).toFixed(0)} s: ${what}`)
    return result
  }
  try {
    const account = await app.accounts.createAccount('Company')
    const caller: Caller = { account, scopes: new Set(SCOPES) }
    await app.users.createUser({ ...PERSON, account, scopes: SCOPES })
    await timed(`${sizes.cves} CVEs`, () => fillVulnerabilities(app, given))
    const vendors = await chooseVendors(app, sizes.catalogue.vendors)
    const { apis: count, endpoints } = sizes.catalogue
    const apis = await timed(`${count} APIs, ${endpoints} endpoints`, () =>
      fillCatalogue(storage, { size: sizes.catalogue, vendors }),
    )
    await timed('agreements with texts', () =>
      fillAgreements(app, { apis: apis.filter((_, index) => index % 10 === 0), by: account }),
    )
    const scans = await timed('projects and networks', () =>
      fillScans(app, { caller, apis, sizes: sizes.scans }),
    )
    await timed('the account', () =>
      fillAccount({ storage, app }, { account, apis, sizes: sizes.account }),
    )
    const { runs, reports } = sizes.account
    return { scans, runs, reports, ...(await chooseApis(storage, apis)) }
  } finally {
    await app.close()
  }
}

async function fillVulnerabilities(
  { vulnerabilities }: ApiDiscovery,
  { data, sizes }: { readonly data: string; readonly sizes: PageSizes },
): Promise<void> {
  const cves = createSyntheticCves(data, sizes.cves)
  await vulnerabilities.loadRecords(cves.batches(), { source: 'nvd' })
  await vulnerabilities.loadEpss(cves.scores(), { source: 'epss' })
  await vulnerabilities.loadKnownExploited(cves.exploited(), { source: 'kev' })
}

const WELL_KNOWN = 'microsoft google cisco apple oracle adobe ibm apache linux mozilla'.split(' ')

/** Lists vendors with many vulnerabilities first, which get most APIs, then others. */
async function chooseVendors(
  { vulnerabilities }: ApiDiscovery,
  count: number,
): Promise<readonly NamedVendor[]> {
  const all = JSON.parse(await vulnerabilities.listVendors()) as readonly string[]
  const step = Math.max(1, Math.floor(all.length / count))
  const others = all.filter((name, index) => index % step === 0 && !WELL_KNOWN.includes(name))
  const chosen: NamedVendor[] = []
  for (const name of [...WELL_KNOWN.filter((each) => all.includes(each)), ...others].slice(
    0,
    count,
  )) {
    const products = (await vulnerabilities.listProducts(name)).slice(0, 8)
    chosen.push({ name: toTitle(name), products: products.map(toTitle) })
  }
  return chosen
}

function toTitle(name: string): string {
  return name
    .replaceAll('\\', '')
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
}

async function chooseApis(storage: FullStorage, apis: readonly FilledApi[]) {
  const facts = new Map((await storage.catalogue.listFacts()).map((each) => [each.id, each]))
  const largest = apis.toSorted(
    (one, other) => (facts.get(other.id)?.endpoints ?? 0) - (facts.get(one.id)?.endpoints ?? 0),
  )[0]
  const agreed = apis[10 * Math.floor(apis.length / 20)]
  const vulnerable = apis.find(({ vendor }) => vendor.name === 'Microsoft') ?? apis[0]
  if (!largest || !agreed || !vulnerable) throw new Error('There are no APIs')
  return { largest, agreed, vulnerable }
}
