import { join } from 'node:path'
import { type Account, type ApiDiscovery, SCOPES } from '../../core/index.ts'
import { listDescriptionFiles, readFileBytes } from './files.ts'
import { findPackageRoot } from './package-root.ts'
import { seedVulnerabilities } from './seed-vulnerabilities.ts'
import { OPERATOR } from './service.ts'

const ACCOUNT = 'default'
const KEY_NAME = 'first start'

/** What a first start made, or found. */
export interface Seeded {
  /** A key with every scope that was made now; undefined otherwise. */
  readonly key: string | undefined
  /** A key of an earlier start is in force. */
  readonly hasKey: boolean
  /** Descriptions imported now; 0 when the catalogue held something already. */
  readonly imported: number
  /** CVE records loaded now; 0 when the vulnerability database held some already. */
  readonly loaded: number
  /** How many of them are rejected. */
  readonly rejected: number
}

/**
 * Makes an empty service usable: imports the small example descriptions of the package, loads its
 * example CVE records, and with `makesKey` creates an account with a key. A later start finds all of
 * them.
 */
export async function seed(
  app: ApiDiscovery,
  { makesKey }: { readonly makesKey: boolean },
): Promise<Seeded> {
  const { num_results: count } = await app.call('searchEndpoints', { size: 1 }, OPERATOR)
  const imported = count === 0 ? await importExamples(app) : 0
  const loaded = await seedVulnerabilities(app)
  const rejected = loaded > 0 ? (await app.vulnerabilities.status()).rejected : 0
  const hasKey = await hasFirstKey(app)
  const key = makesKey && !hasKey ? await createFirstKey(app) : undefined
  return { key, hasKey, imported, loaded, rejected }
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

/** The account of whoever comes first. */
export async function findOrCreateAccount(app: ApiDiscovery): Promise<Account> {
  const accounts = await app.accounts.listAccounts()
  const account = accounts.find(({ name }) => name === ACCOUNT)
  return account ?? app.accounts.createAccount(ACCOUNT)
}

async function hasFirstKey(app: ApiDiscovery): Promise<boolean> {
  const account = await findOrCreateAccount(app)
  const keys = await app.accounts.listKeys(account)
  return keys.some(({ name, revokedAt }) => name === KEY_NAME && revokedAt === undefined)
}

async function createFirstKey(app: ApiDiscovery): Promise<string> {
  const account = await findOrCreateAccount(app)
  return (await app.accounts.createKey({ account, name: KEY_NAME, scopes: SCOPES })).key
}
