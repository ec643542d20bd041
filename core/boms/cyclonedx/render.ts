import { Spec } from '@cyclonedx/cyclonedx-library'
import { writeDocument } from '../../shared/json-document.ts'
import { runInTimeSlices } from '../../shared/time-slices.ts'
import type { CollectedBom } from '../collect-bom.ts'
import type { SpecVersion } from '../records.ts'
import { toJsonMembers } from './json.ts'
import { toDocument } from './to-document.ts'
import { writeXml } from './write-xml.ts'
import { toXmlRoot } from './xml.ts'

const SPECS = { '1.5': Spec.Spec1dot5, '1.6': Spec.Spec1dot6, '1.7': Spec.Spec1dot7 } as const

/** Renders CycloneDX JSON in chunks, service by service, yielding to the event loop. */
export async function renderJson(
  bom: CollectedBom,
  version: SpecVersion,
): Promise<AsyncIterable<Uint8Array>> {
  return writeDocument(toJsonMembers(await runInTimeSlices(toDocument(bom)), SPECS[version]))
}

/** Renders CycloneDX XML in the same way. */
export async function renderXml(
  bom: CollectedBom,
  version: SpecVersion,
): Promise<AsyncIterable<Uint8Array>> {
  return writeXml(toXmlRoot(await runInTimeSlices(toDocument(bom)), SPECS[version]))
}
