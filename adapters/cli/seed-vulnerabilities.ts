import { join } from 'node:path'
import { readEpss, readKev, readNvdFeed, type Vulnerabilities } from '../../core/index.ts'
import { readFeedFile } from '../feeds/files.ts'
import { findPackageRoot } from './package-root.ts'

/** What the examples are called among the sources, so that nobody takes them for the real data. */
const SOURCE = 'examples'

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
    yield* readNvdFeed(read(name))
  }
}

async function* readScores() {
  for await (const { scores } of readEpss(read('epss-examples.csv'))) yield scores
}

function read(name: string): AsyncIterable<Uint8Array> {
  return readFeedFile(join(findPackageRoot(), 'fixtures', 'seed', 'vulnerabilities', name))
}
