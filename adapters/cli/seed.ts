import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Account, type ApiDiscovery, SCOPES, ServiceError } from '../../core/index.ts'
import {
  type CveRecord,
  EXAMPLE_SOURCE,
  EXAMPLES_NAME,
  readEpss,
  readKev,
  readNvdFeed,
  type Vulnerabilities,
} from '../../core/vulnerabilities/index.ts'
import { readFeedFile } from '../feeds/index.ts'
import { listDescriptionFiles, readFileBytes } from './files.ts'
import { OPERATOR } from './service.ts'

const DEFAULT_ACCOUNT = 'default'
const FIRST_KEY_NAME = 'first start'

/** The API key of a first start. */
export interface FirstKey {
  /** A newly created key with all scopes; undefined if none was created. */
  readonly key: string | undefined
  /** Whether keys existed before, revoked ones included. */
  readonly hasKey: boolean
}

/** Result of seeding. */
export interface SeedResult extends FirstKey {
  /** Number of descriptions imported now; 0 if the catalogue was not empty. */
  readonly imported: number
  /** Number of CVE records loaded now; 0 if the vulnerability database was not empty. */
  readonly loaded: number
  /** Number of rejected records among them. */
  readonly rejected: number
}

/**
 * Fills an empty service with the example descriptions and CVE records of the package. With
 * `makesKey`, also creates an account with a key. Repeated calls change nothing.
 */
export async function seedService(
  app: ApiDiscovery,
  { makesKey }: { readonly makesKey: boolean },
): Promise<SeedResult> {
  const { num_results: count } = await app.call('searchEndpoints', { size: 1 }, OPERATOR)
  const imported = count === 0 ? await importExamples(app) : 0
  const loaded = await seedVulnerabilities(app)
  const rejected = loaded > 0 ? (await app.vulnerabilities.status()).rejected : 0
  return { ...(await prepareFirstKey(app, { makesKey })), imported, loaded, rejected }
}

/** Creates an account with a key, if no account has a key. */
export async function prepareOnlyKey(app: ApiDiscovery): Promise<FirstKey> {
  return (await hasAnyKey(app))
    ? { key: undefined, hasKey: true }
    : prepareFirstKey(app, { makesKey: true })
}

/** With `makesKey`, creates an account with a key, if it was never created. */
async function prepareFirstKey(
  app: ApiDiscovery,
  { makesKey }: { readonly makesKey: boolean },
): Promise<FirstKey> {
  const hadKey = await hadFirstKey(app)
  const hasKey = hadKey || (await hasAnyKey(app))
  return { key: makesKey && !hadKey ? await createFirstKey(app) : undefined, hasKey }
}

async function importExamples(app: ApiDiscovery): Promise<number> {
  const files = await listDescriptionFiles(
    join(findPackageRoot(), 'fixtures', 'seed', 'descriptions'),
  )
  for (const file of files) {
    await app.imports.importDescription({
      bytes: await readFileBytes(file),
      createVendor: true,
      isPublic: true,
    })
  }
  return files.length
}

/** Finds or creates the account of the first user; another server may create it meanwhile. */
export async function findOrCreateAccount({ accounts }: ApiDiscovery): Promise<Account> {
  const find = async () =>
    (await accounts.listAccounts()).find(({ name }) => name === DEFAULT_ACCOUNT)
  const account = await find()
  if (account) return account
  try {
    return await accounts.createAccount(DEFAULT_ACCOUNT)
  } catch (error) {
    const created = await find()
    if (created) return created
    throw error
  }
}

/** True if the key was ever created: a restart must not undo its revocation. */
async function hadFirstKey(app: ApiDiscovery): Promise<boolean> {
  const account = await findOrCreateAccount(app)
  const keys = await app.accounts.listKeys(account)
  return keys.some(({ name }) => name === FIRST_KEY_NAME)
}

async function hasAnyKey(app: ApiDiscovery): Promise<boolean> {
  for (const account of await app.accounts.listAccounts()) {
    if ((await app.accounts.listKeys(account)).length > 0) return true
  }
  return false
}

async function createFirstKey(app: ApiDiscovery): Promise<string> {
  const account = await findOrCreateAccount(app)
  return (await app.accounts.createKey({ account, name: FIRST_KEY_NAME, scopes: SCOPES })).key
}

/**
 * Loads the examples into a vulnerability database without any other source. Resolves with the
 * number of loaded records: 0 if the examples are loaded already, or any other source was or is
 * being loaded.
 */
async function seedVulnerabilities({
  vulnerabilities,
}: Pick<ApiDiscovery, 'vulnerabilities'>): Promise<number> {
  const { exploited, scored, sources } = await vulnerabilities.status()
  // Scores are loaded last: if they exist, the examples are complete.
  if (exploited > 0 && scored > 0) return 0
  if (sources.some(({ name }) => name !== EXAMPLES_NAME)) return 0
  return loadExampleVulnerabilities(vulnerabilities).catch((error: unknown) => {
    // Another process is loading real records.
    if (error instanceof ServiceError && error.code === 'conflict') return 0
    throw error
  })
}

/** Loads the example records of the package. Resolves with their number. */
export async function loadExampleVulnerabilities(
  vulnerabilities: Pick<Vulnerabilities, 'loadRecords' | 'loadKnownExploited' | 'loadEpss'>,
): Promise<number> {
  const options = { source: EXAMPLES_NAME }
  const { total } = await vulnerabilities.loadRecords(readExampleRecords(), options)
  const { entries } = await readKev(readExampleFile('known-exploited-examples.json'))
  await vulnerabilities.loadKnownExploited(entries, options)
  await vulnerabilities.loadEpss(readExampleScores(), options)
  return total
}

async function* readExampleRecords() {
  for (const name of ['nvdcve-1.1-examples.json', 'nvdcve-2.0-examples.json']) {
    for await (const { records } of readNvdFeed(readExampleFile(name)))
      yield { records: records.map(markAsExample) }
  }
}

/**
 * Marks a record as an example: its texts are not from NVD, but its scores are. A real record of
 * the same CVE replaces it, because NVD modified every record after its publication.
 */
function markAsExample(record: CveRecord): CveRecord {
  return { ...record, source: EXAMPLE_SOURCE, modifiedAt: record.publishedAt }
}

async function* readExampleScores() {
  for await (const { scores } of readEpss(readExampleFile('epss-examples.csv'))) yield scores
}

function readExampleFile(name: string): AsyncIterable<Uint8Array> {
  return readFeedFile(join(findPackageRoot(), 'fixtures', 'seed', 'vulnerabilities', name))
}

/** Finds the folder of this package, from the sources or from the build. */
function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) {
    folder = dirname(folder)
  }
  return folder
}
