import { type Account, SCOPES } from '../../core/shared/account.ts'
import { addProject, findNetwork } from './console-scans.ts'
import { apiOf, listStops, type Stop, type TourIds } from './console-stops.ts'
import { openPremisesWith, type Premises } from './console-visit.ts'
import { TESTED } from './rate-limit-seed.ts'
import type { TestServiceOptions } from './service.ts'

/** An empty and a filled service for a tour of the console. */
export interface Tour {
  readonly filled: Premises
  readonly empty: Premises
  readonly ids: TourIds
  /** Every page in every distinct state. */
  readonly stops: readonly Stop[]
  close(): Promise<void>
}

/** A malicious name. */
const ODD_NAME = `<b onclick=alert(1)>Zoë</b> "&amp;'`

const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: {
    title: `Loaf ${ODD_NAME}`,
    version: '2.0',
    description: '# Bread\n\n<b>raw</b> [go](javascript:alert(1)) [there](https://loaf.example)',
  },
  servers: [{ url: 'https://loaf.example/v2' }],
  paths: { '/loaves': { get: { responses: {} } }, '/crumbs': { get: 'soon' } },
})

/**
 * Opens both services. Users with the default password: `Root` with all scopes, and `Reader` with
 * `read` in the filled service.
 */
export async function openTour(
  storage: Pick<TestServiceOptions, 'openStorage'> = {},
): Promise<Tour> {
  // The clock does not move, so a blocked login stays blocked.
  const now = Date.now()
  const filled = await openPremisesWith({ clock: () => now }, { hasExamples: true, ...storage })
  const empty = await openPremisesWith({ clock: () => now })
  await filled.addUser('Root', SCOPES)
  await filled.addUser('Reader', ['read'])
  await empty.addUser('Root', SCOPES)
  const ids = await addTourData(filled)
  return {
    filled,
    empty,
    ids,
    stops: listStops(ids),
    async close() {
      await filled.close()
      await empty.close()
    },
  }
}

/** Adds the remaining data that pages show. */
async function addTourData(premises: Premises): Promise<TourIds> {
  const { app, caller, account } = premises
  await premises.addUser(ODD_NAME, ['read'])
  const projects = await addProject(premises, ODD_NAME)
  const endpoints = [
    { endpoint_url: 'https://new.example/v2', approval: 'no' as const, reason: ODD_NAME },
  ]
  await app.call('reviewProjectScan', { body: { project_id: projects.after, endpoints } }, caller)
  const [weather, payments] = await Promise.all(
    ['weather forecast', 'payments'].map((q) => findPath(premises, q)),
  )
  const endpointId = payments?.split('/').at(-1) ?? ''
  const { run } = await app.rateLimits.start({ ...PLAIN_TEST, endpointId }, { account })
  const users = await app.users.listUsers(account)
  return {
    ...projects,
    ...(await fillKeys(premises, account)),
    credential: await fillCredentials(premises),
    ...(await importBread(premises)),
    network: await findNetwork(premises),
    weather: weather ?? '',
    payments: payments ?? '',
    payment: endpointId,
    invitation: (await app.users.invite({ account, scopes: ['read', 'call'] })).token,
    link: (await app.users.invite({ account, scopes: ['read'] })).invitation.id,
    reset: (await app.users.inviteToReset({ userName: ODD_NAME, account })).token,
    user: users.find(({ name }) => name === ODD_NAME)?.id ?? '',
    run: run.id,
    ...(await readHidden(premises, weather ?? '')),
  }
}

/** Reads the required fields of the forms for rate-limit tests and agreements. */
async function readHidden(premises: Premises, weather: string) {
  const root = premises.open()
  await root.logIn('Root')
  const { html } = await root.get(`/console/rate-limits/new?endpoint=${TESTED}`)
  const agreements = await root.get(`/console${apiOf(weather)}/agreements`)
  return {
    shape: /name="shape" value="(\w+)"/.exec(html)?.[1] ?? '',
    noAgreements: /name="seen" value="(\w+)"/.exec(agreements.html)?.[1] ?? '',
  }
}

const PLAIN_TEST = { values: {}, usesCredentials: false, confirmsUnsafe: true }

/** Finds the page of the first endpoint in a search. */
async function findPath({ app, caller }: Premises, q: string): Promise<string> {
  const { endpoints } = await app.call('searchEndpoints', { q }, caller)
  const [api] = endpoints
  return `/console/apis/${api?.encrypted_id}/endpoints/${api?.matched_endpoints[0]?.endpoint_id}`
}

/** Stores a credential for a vendor. */
async function fillCredentials({ app, caller }: Premises): Promise<string> {
  const origins = ['https://eu.api.skycast.example']
  const body = {
    vendor: 'Skycast',
    kind: 'header' as const,
    name: 'X-Key',
    value: 'canary',
    origins,
  }
  return (await app.call('putCredential', { body }, caller)).credential_id
}

async function fillKeys({ app, caller }: Premises, account: Account) {
  const make = (name: string) => app.accounts.createKey({ account, name, scopes: ['read'] })
  const key = (await make(ODD_NAME)).record.id
  const revoked = (await make('old')).record.id
  await app.accounts.revokeKey({ account, keyId: revoked })
  const body = { key_id: key, vendors: ['Skycast'], methods: ['GET'], daily_budget: 1000 }
  await app.call('putPolicy', { body }, caller)
  return { key, revoked }
}

/** Imports a description with warnings, then one that fails. */
async function importBread({ app, caller, account }: Premises) {
  const given = { vendorName: `Baker ${ODD_NAME}`, createVendor: true, isPublic: true, by: account }
  const bytes = new TextEncoder().encode(DESCRIPTION)
  const { importId = 0, apiId } = await app.imports.importDescription({ bytes, ...given })
  const agreements = [
    { agreement_name: ODD_NAME, agreement_link: 'https://loaf.example/terms' },
    { agreement_name: 'MIT', agreement_link: 'https://loaf.example/mit' },
  ]
  await app.call('replaceAgreements', { body: { api_id: apiId, agreements } }, caller)
  const broken = new TextEncoder().encode('{"openapi": "3.0.0",')
  const failed = app.imports.importDescription({ bytes: broken, fileName: ODD_NAME, ...given })
  await failed.then(
    () => Promise.reject(new Error('The broken description was imported')),
    () => undefined,
  )
  return { api: apiId, report: importId }
}
