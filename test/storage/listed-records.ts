import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createVulnerabilities } from '../../core/vulnerabilities/service.ts'

/**
 * Lists the records that a search finds in a database, including rejected ones: ID, status and
 * description, sorted. Throws if the search counts another number.
 */
export async function listRecords(file: string): Promise<readonly string[]> {
  const storage = await openSqlite({ file })
  try {
    const store = storage.vulnerabilities
    const vulnerabilities = createVulnerabilities({ store, clock: Date.now })
    const { count, hits } = await vulnerabilities.search({ term: 'cve', includesRejected: true })
    const records: string[] = []
    for await (const batch of hits) {
      for (const { line } of batch) {
        // Our own JSON.
        const { cve_id: id } = JSON.parse(line) as { cve_id: string }
        const { record } = (await vulnerabilities.findRecord(id)) ?? {}
        records.push(`${id} ${record?.status} ${record?.descriptions[0]?.text}`)
      }
    }
    if (records.length !== count) throw new Error(`${count} counted, ${records.length} listed`)
    return records.sort()
  } finally {
    await storage.close()
  }
}
