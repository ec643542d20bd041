import { join } from 'node:path'
import {
  type ApiDiscovery,
  type CveRecord,
  EXAMPLE_SOURCE,
  readEpss,
  readKev,
  readNvdFeed,
  ServiceError,
  type Vulnerabilities,
} from '../../core/index.ts'
import { readFeedFile } from '../feeds/files.ts'
import { findPackageRoot } from './package-root.ts'

/** Names the examples in the list of sources. */
const SOURCE = 'examples'

/**
 * Loads the examples into a vulnerability database that nothing else was loaded into, nor began to
 * be: the number of records, 0 where they are there already or not wanted.
 */
export async function seedVulnerabilities({
  vulnerabilities,
}: Pick<ApiDiscovery, 'vulnerabilities'>): Promise<number> {
  const { exploited, scored, sources } = await vulnerabilities.status()
  // Scores are loaded last.
  if (exploited > 0 && scored > 0) return 0
  if (sources.some(({ name }) => name !== SOURCE)) return 0
  return loadExampleVulnerabilities(vulnerabilities).catch((error: unknown) => {
    // Somebody loads the real records this moment.
    if (error instanceof ServiceError && error.code === 'conflict') return 0
    throw error
  })
}

/** Loads the example records of the package into the vulnerability database: their number. */
export async function loadExampleVulnerabilities(
  vulnerabilities: Pick<Vulnerabilities, 'loadRecords' | 'loadKnownExploited' | 'loadEpss'>,
): Promise<number> {
  const options = { source: SOURCE }
  const { total } = await vulnerabilities.loadRecords(readRecords(), options)
  const { entries } = await readKev(read('known-exploited-examples.json'))
  await vulnerabilities.loadKnownExploited(entries, options)
  await vulnerabilities.loadEpss(readScores(), options)
  return total
}

async function* readRecords() {
  for (const name of ['nvdcve-1.1-examples.json', 'nvdcve-2.0-examples.json']) {
    for await (const { records } of readNvdFeed(read(name)))
      yield { records: records.map(toExample) }
  }
}

/**
 * Marks a record as an example, since its texts are not NVD's; its scores are. A real record of the
 * same CVE replaces it: NVD modified every record after its publication.
 */
function toExample(record: CveRecord): CveRecord {
  return { ...record, source: EXAMPLE_SOURCE, modifiedAt: record.publishedAt }
}

async function* readScores() {
  for await (const { scores } of readEpss(read('epss-examples.csv'))) yield scores
}

function read(name: string): AsyncIterable<Uint8Array> {
  return readFeedFile(join(findPackageRoot(), 'fixtures', 'seed', 'vulnerabilities', name))
}
