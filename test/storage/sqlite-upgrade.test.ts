import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { backupSqlite, checkSqlite, openSqlite } from '../../adapters/storage/sqlite.ts'
import {
  EMPTY_GATEWAY,
  fillGateway,
  sampleCall,
  takeGatewaySnapshot,
} from '../conformance/storage/gateway-samples.ts'
import { sampleJob, toQueued } from '../conformance/storage/job-samples.ts'
import {
  identityOf,
  importSampleApi,
  NO_CHANGE,
  sampleApiRow,
  sampleChange,
  saveSampleVendor,
  takeSnapshot,
} from '../conformance/storage/samples.ts'
import {
  ADA,
  listIds,
  sampleRows,
  sampleScan,
  submitSample,
} from '../conformance/storage/scan-samples.ts'
import { publishSample, sampleBytes } from '../conformance/storage/vulnerability-samples.ts'
import { makeFolder } from '../helpers/folder.ts'

describe('an SQLite file without vulnerabilities and with smaller pages', () => {
  it('is migrated, keeps its content, and stores vulnerabilities', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    execute(file, 'pragma page_size = 4096; pragma journal_mode = wal; create table first (id)')
    const former = await openSqlite({ file })
    const vendor = await saveSampleVendor(former, 1)
    await importSampleApi(former, { vendor, api: 1, endpoints: 20 })
    const { added } = sampleChange({ api: 2, endpoints: 3 })
    await former.imports.replaceApi(identityOf({ vendor, name: 'Old' }), () => ({
      ...NO_CHANGE,
      api: { ...sampleApiRow(2), name: 'Old' },
      added: added.map((row, index) => ({
        ...row,
        description: { ...row.description, isDeprecated: index === 1 },
      })),
    }))
    const content = await takeSnapshot(former)
    const facts = await former.catalogue.listFacts()
    expect(facts.map(({ deprecated }) => deprecated)).toEqual([0, 1])
    await former.close()
    execute(file, 'delete from schema_version where version > 1')
    forgetFacets(file)
    forgetAgreements(file)
    forgetUses(file)
    dropTables(file, [...VULNERABILITY_TABLES, ...GATEWAY_TABLES, ...SCAN_TABLES, ...LATER_TABLES])
    const storage = await openSqlite({ file })
    expect(await takeSnapshot(storage)).toEqual(content)
    expect(await storage.catalogue.listFacts()).toEqual(facts)
    const { set } = await publishSample(storage, { count: 3 })
    expect(await storage.vulnerabilities.readParts(set, [0])).toEqual([sampleBytes(set.id)])
    await storage.close()
    expect(await checkSqlite(file)).toEqual([])
    await folder.remove()
  })
})

describe('an SQLite file with vulnerabilities', () => {
  it('changes their revision after a restore and another load', async () => {
    const folder = await makeFolder()
    const [file, copy] = [folder.pathOf('used.db'), folder.pathOf('copy.db')]
    const used = await openSqlite({ file, clock: () => 1_000 })
    await publishSample(used, { count: 1 })
    await backupSqlite({ source: file, target: copy })
    await publishSample(used, { count: 1 })
    const restored = await openSqlite({ file: copy, clock: () => 2_000 })
    await publishSample(restored, { count: 1 })
    const [one, other] = [used.vulnerabilities, restored.vulnerabilities]
    expect(await other.generation()).toBe(await one.generation())
    expect(await other.revision()).not.toBe(await one.revision())
    await used.close()
    await restored.close()
    await folder.remove()
  })
})

describe('an SQLite file without a gateway', () => {
  it('is migrated, keeps its content, and stores gateway data', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    const former = await openSqlite({ file })
    const vendor = await saveSampleVendor(former, 1)
    await importSampleApi(former, { vendor, api: 1, endpoints: 20 })
    const { set } = await publishSample(former, { count: 3 })
    const content = await takeSnapshot(former)
    await former.close()
    execute(file, 'delete from schema_version where version > 2')
    forgetFacets(file)
    forgetAgreements(file)
    forgetUses(file)
    dropTables(file, [...GATEWAY_TABLES, ...SCAN_TABLES, ...LATER_TABLES])
    const storage = await openSqlite({ file })
    expect(await takeSnapshot(storage)).toEqual(content)
    expect(await storage.vulnerabilities.readParts(set, [0])).toEqual([sampleBytes(set.id)])
    expect(await takeGatewaySnapshot(storage)).toEqual(EMPTY_GATEWAY)
    await fillGateway(storage)
    const filled = await takeGatewaySnapshot(storage)
    expect(filled).not.toEqual(EMPTY_GATEWAY)
    await storage.close()
    const again = await openSqlite({ file })
    expect(await takeGatewaySnapshot(again)).toEqual(filled)
    await again.close()
    expect(await checkSqlite(file)).toEqual([])
    await folder.remove()
  })
})

describe('an SQLite file without call sources', () => {
  it('is migrated: the source is the key, if any, else unknown', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    const former = await openSqlite({ file })
    await former.gateway.saveCalls([
      { account: ADA, ...sampleCall(1) },
      { account: ADA, ...sampleCall(2, { keyId: '' }) },
    ])
    await former.close()
    execute(file, 'delete from schema_version where version > 13')
    forgetGroups(file)
    forgetSources(file)
    const storage = await openSqlite({ file })
    const { items } = await storage.gateway.listCalls(ADA, { size: 9, page: 1 })
    expect(items.map(({ keyId, source }) => [keyId, source])).toEqual([
      ['', 'unknown'],
      ['key1', 'key'],
    ])
    await storage.close()
    expect(await checkSqlite(file)).toEqual([])
    await folder.remove()
  })
})

describe('an SQLite file without scans', () => {
  it('is migrated, keeps its content, and stores scans', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    const former = await openSqlite({ file })
    await fillGateway(former)
    const content = await takeGatewaySnapshot(former)
    await former.close()
    execute(file, 'delete from schema_version where version > 3')
    forgetFacets(file)
    forgetAgreements(file)
    forgetUses(file)
    execute(file, 'drop index gateway_call_answers')
    forgetSources(file)
    dropTables(file, [...SCAN_TABLES, ...LATER_TABLES])
    const storage = await openSqlite({ file })
    expect(await takeGatewaySnapshot(storage)).toEqual(content)
    expect(await listIds(storage, ADA)).toEqual([])
    await submitSample(storage.scans, { account: ADA, scan: sampleScan(1), rows: sampleRows(3) })
    await storage.close()
    const again = await openSqlite({ file })
    expect(await again.scans.find(ADA, sampleScan(1))).toMatchObject({ rows: 3, matched: 2 })
    await again.close()
    expect(await checkSqlite(file)).toEqual([])
    await folder.remove()
  })
})

describe('an SQLite file without jobs', () => {
  it('is migrated, keeps its content, and stores jobs', async () => {
    const folder = await makeFolder()
    const file = folder.pathOf('catalogue.db')
    const former = await openSqlite({ file })
    await submitSample(former.scans, { account: ADA, scan: sampleScan(1), rows: sampleRows(3) })
    await former.close()
    execute(file, 'delete from schema_version where version > 4')
    forgetFacets(file)
    forgetAgreements(file)
    forgetUses(file)
    execute(file, 'drop index gateway_call_answers')
    forgetSources(file)
    dropTables(file, LATER_TABLES)
    const storage = await openSqlite({ file })
    expect(await storage.scans.find(ADA, sampleScan(1))).toMatchObject({ rows: 3, matched: 2 })
    const added = await storage.jobs.addJob(sampleJob())
    await storage.close()
    const again = await openSqlite({ file })
    expect(await again.jobs.findJob(ADA, added.id)).toEqual(toQueued(added, sampleJob()))
    await again.close()
    expect(await checkSqlite(file)).toEqual([])
    await folder.remove()
  })
})

/** Tables for jobs, users and import results. */
const LATER_TABLES = [
  'probe_token',
  'probe_day',
  'probe_run',
  'job',
  'job_number',
  'user_session',
  'user_invitation',
  'console_user',
  'import_report',
  'key_refusal',
  'api_import',
]

const SCAN_TABLES = [
  'scan',
  'scan_upload',
  'scan_part',
  'scan_key',
  'scan_row',
  'scan_api',
  'scan_decision',
]

const VULNERABILITY_TABLES = [
  'cve_state',
  'cve_generation',
  'cve_dropped',
  'cve_set',
  'cve_part',
  'cve_record',
  'cve_detail',
  'cve_source',
]

const GATEWAY_TABLES = [
  'gateway_credential',
  'gateway_policy',
  'gateway_budget',
  'gateway_call',
  'gateway_call_day',
  'gateway_recording',
  'published_answer',
]

/** Restores the schema without the column for deprecated endpoints. */
function forgetFacets(file: string): void {
  execute(file, 'drop index endpoint_counted')
  execute(file, 'alter table endpoint drop column is_deprecated')
}

/** Restores the schema in which agreements were links without source, dates and history. */
function forgetAgreements(file: string): void {
  execute(
    file,
    `create table api_agreement (api_id, position, name, link, kind);
     insert into api_agreement select api_id, position, name, link, kind from agreement;
     drop table agreement; drop table agreement_text; drop table agreement_change`,
  )
}

/** Restores the schema without owners and groups of usages and index versions. */
function forgetGroups(file: string): void {
  dropTables(file, ['search_version'])
  execute(file, 'drop index scan_use_group')
  execute(file, 'alter table scan_use drop column owner')
  execute(file, 'alter table scan_row drop column owner')
  dropTables(file, ['scan_group'])
}

/** Restores the schema before grouped usages. */
function forgetUses(file: string): void {
  forgetGroups(file)
  dropTables(file, ['scan_use', 'scan_figure'])
  execute(file, 'alter table scan drop column former')
}

/** Restores the schema before call sources. */
function forgetSources(file: string): void {
  execute(file, 'alter table gateway_call drop column source')
}

function dropTables(file: string, tables: readonly string[]): void {
  for (const table of tables) execute(file, `drop table ${table}`)
}

function execute(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}
