import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readFeedFile } from '../../../../adapters/feeds/feed-files.ts'
import { toSha256Hex } from '../../../../core/shared/digests.ts'
import { toAffectedProducts } from '../../../../core/vulnerabilities/affected-products.ts'
import { readNvdFeed } from '../../../../core/vulnerabilities/feeds/read-nvd.ts'
import type {
  CveConfiguration,
  CveNode,
  CveRecord,
  VersionRange,
} from '../../../../core/vulnerabilities/records.ts'
import { findSharedData } from '../../../helpers/shared-data.ts'
import { KNOWN_CVES, type KnownCve } from './known-cves.ts'

const data = findSharedData()
const isThere = data !== undefined && existsSync(join(data, 'nvd'))
const records = new Map<string, CveRecord>()

describe.skipIf(!isThere)('Thirty real records', () => {
  beforeAll(async () => {
    for (const file of new Set(KNOWN_CVES.map((known) => known.file))) {
      for await (const event of readNvdFeed(readFeedFile(join(data ?? '', 'nvd', file)))) {
        for (const record of event.records) records.set(`${file} ${record.id}`, record)
      }
    }
  }, 300_000)

  it('are all present', () => {
    expect(KNOWN_CVES.length).toBe(30)
  })

  it.each(KNOWN_CVES)('are read as expected: $id', async (known) => {
    const record = records.get(`${known.file} ${known.id}`)
    expect(record && (await toFacts(record, known.file))).toEqual(known)
  })
})

async function toFacts(record: CveRecord, file: string): Promise<KnownCve> {
  const kindOf = (part: { readonly isPrimary: boolean }) =>
    part.isPrimary ? 'primary' : 'secondary'
  const tags = record.references.flatMap((reference) => reference.tags)
  return {
    file,
    id: record.id,
    source: record.source,
    status: record.status,
    isRejected: record.isRejected,
    published: new Date(record.publishedAt).toISOString(),
    modified: new Date(record.modifiedAt).toISOString(),
    descriptions: await Promise.all(
      record.descriptions.map(
        async ({ language, text }) => `${language} ${await toSha256Hex(text)}`,
      ),
    ),
    metrics: record.metrics.map((metric) =>
      [
        metric.version,
        kindOf(metric),
        metric.score.toFixed(1),
        metric.severity,
        metric.vector,
      ].join(' '),
    ),
    weaknesses: record.weaknesses.map((weakness) => `${weakness.id} ${kindOf(weakness)}`),
    configurations: record.configurations.map(toShape),
    matches: record.configurations.flatMap(({ nodes }) => nodes).reduce(addMatches, 0),
    products: toAffectedProducts(record.configurations).map(
      ({ vendor, product, versions }) =>
        `${vendor} ${product}: ${versions.map(writeVersion).join(' ')}`,
    ),
    references: record.references.length,
    referenceTags: [...new Set(tags)]
      .sort()
      .map((tag) => `${tags.filter((other) => other === tag).length} ${tag}`),
    tags: record.tags,
    exploited: record.exploited && `${record.exploited.addedOn} due ${record.exploited.dueOn}`,
  }
}

function toShape({ operator, nodes }: CveConfiguration): string {
  return `${operator}(${nodes.map(toNodeShape).join(',')})`
}

function toNodeShape({ operator, children }: CveNode): string {
  return children.length === 0 ? operator : `${operator}(${children.map(toNodeShape).join(',')})`
}

function addMatches(count: number, node: CveNode): number {
  return node.children.reduce(addMatches, count + node.matches.length)
}

function writeVersion(version: string | VersionRange): string {
  if (typeof version === 'string') return version.replace('\t', ':')
  const { from, to } = version
  const bounds = [
    from && `${from.isIncluded ? '>=' : '>'}${from.version}`,
    to && `${to.isIncluded ? '<=' : '<'}${to.version}`,
  ]
  return bounds.filter((bound) => bound !== undefined).join(',')
}
