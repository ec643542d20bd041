import { Enums, Models } from '@cyclonedx/cyclonedx-library'
import { cleanLine } from '../../shared/clean-text.ts'
import type { BomPackageVulnerability } from '../collect-bom.ts'
import type { CollectedPackage } from '../collect-packages.ts'
import { NAMESPACE } from './to-service.ts'
import type { AffectedPackage } from './to-vulnerability.ts'

/** Creates the component of a client library. */
export function toPackageComponent({
  url,
  isLowest,
  found,
  count,
}: CollectedPackage): Models.Component {
  const made = new Models.Component(Enums.ComponentType.Library, cleanLine(url.name), {
    bomRef: url.purl,
    version: cleanLine(url.version),
    purl: url.purl,
    ...(url.namespace === '' ? {} : { group: cleanLine(url.namespace) }),
  })
  const add = (name: string, value: string) =>
    made.properties.add(new Models.Property(`${NAMESPACE}${name}`, value))
  if (isLowest) add('lowest_version', 'true')
  if (count > found.length) add('vulnerabilities:known', String(count))
  return made
}

/** Describes how a CVE affects the component of a package. */
export function toAffectedPackage(
  { url }: CollectedPackage,
  { affectedVersions, review }: Pick<BomPackageVulnerability, 'affectedVersions' | 'review'>,
): AffectedPackage {
  const range = toVersRange(url.type, affectedVersions)
  return { ref: url.purl, version: cleanLine(url.version), range, review }
}

/** Longest range that CycloneDX 1.5 accepts. */
const MAX_RANGE = 1024

/**
 * Converts `>=8.0.0,<8.1.1` to `vers:npm/>=8.0.0|<8.1.1`; undefined for a commit, and for a range with
 * exceptions.
 */
function toVersRange(type: string, affectedVersions: string): string | undefined {
  if (affectedVersions === '-') return `vers:${type}/*`
  const bounds = affectedVersions.split(',').map((bound) => BOUND.exec(bound)?.groups)
  const range = `vers:${type}/${bounds.map((found) => `${found?.comparator ?? ''}${encodeURIComponent(found?.version ?? '')}`).join('|')}`
  return bounds.every((found) => found) && range.length <= MAX_RANGE ? range : undefined
}

const BOUND = /^(?<comparator>[<>]=?)?(?<version>[\w.+~-]+)$/
