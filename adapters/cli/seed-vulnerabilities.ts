import { join } from 'node:path'
import { type ApiDiscovery, ServiceError } from '../../core/index.ts'
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
import { findPackageRoot } from './package-root.ts'

/**
 * Loads the examples into a vulnerability database without any other source. Resolves with the
 * number of loaded records: 0 if the examples are loaded already, or any other source was or is
 * being loaded.
 */
export async function seedVulnerabilities({
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
