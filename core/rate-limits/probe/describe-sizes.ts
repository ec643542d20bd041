import type { Evidence, ProbeRecord, Verdict } from '../records.ts'
import { findPages } from './judge-sizes.ts'
import { formatBytes, formatCount } from './units.ts'

/**
 * Describes the tests with larger bodies and pages: what was tested, the result, and what was not
 * tested.
 */
export function describeSizes(
  evidence: Evidence,
  { payload, page }: Pick<Verdict, 'payload' | 'page'>,
): readonly string[] {
  const bodies = describePayload(evidence, payload)
  return page.parameter === undefined ? [bodies] : [bodies, describePage(evidence, page)]
}

function describePayload({ records }: Evidence, payload: Verdict['payload']): string {
  const { state, largestTaken, smallestRefused } = payload
  const taken = formatBytes(largestTaken ?? 0)
  if (state === 'bounded') {
    const before = largestTaken === undefined ? '' : `; ${taken} was accepted`
    return `A body of ${formatBytes(smallestRefused ?? 0)} was rejected${before}.`
  }
  const failed = records.findLast(({ stage, outcome }) => stage === 'payload' && outcome !== 'ok')
  const how =
    failed && `one of ${formatBytes(failed.size ?? 0)} failed (${describeProbeFailure(failed)})`
  if (state === 'taken') return `Bodies up to ${taken} were accepted; ${how ?? LARGER}.`
  return how
    ? `It is unknown whether larger bodies are accepted: ${how}.`
    : 'Larger bodies were not tested.'
}

const LARGER = 'larger ones were not tested'
const UNCOUNTED = 'its items cannot be counted'

function describePage(evidence: Evidence, page: Verdict['page']): string {
  const { state, asked = 0, items, usualItems } = page
  const { usual, larger } = findPages(evidence)
  if (state === 'untested' || !usual || !larger) return 'Larger page sizes were not tested.'
  const what = `A page size of ${asked}`
  const came = `returned ${formatCount(items ?? 0, 'item')}, compared with ${usualItems} for the usual size`
  if (state === 'followed') return `${what} was applied: it ${came}; ${LARGER}.`
  if (state === 'bounded') {
    if (larger.outcome === 'rejected')
      return `${what} was rejected (${describeProbeFailure(larger)}).`
    return `${what} was limited: it ${came}.`
  }
  const unknown = 'It is unknown whether the page size is limited'
  if (larger.outcome !== 'ok')
    return `${unknown}: ${toLowerFirst(what)} failed (${describeProbeFailure(larger)}).`
  if (items === undefined || usualItems === undefined) {
    const isCounted = usual.items !== undefined && larger.items !== undefined
    const why = isCounted ? 'it contains several lists that may be the page' : UNCOUNTED
    return `${unknown}: ${toLowerFirst(what)} was served, but ${why}.`
  }
  return `${unknown}: ${toLowerFirst(what)} ${came}, which may be the whole collection.`
}

function describeProbeFailure({ status }: ProbeRecord): string {
  return status === 0 ? 'no response' : `status ${status}`
}

function toLowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
