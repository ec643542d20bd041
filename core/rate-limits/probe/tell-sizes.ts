import type { Evidence, ProbeRecord, Verdict } from '../records.ts'
import { toPages } from './judge-sizes.ts'
import { tellBytes, tellCount } from './units.ts'

/**
 * Describes the tests with larger bodies and pages: what was tested, the result, and what was not
 * tested.
 */
export function tellSizes(
  evidence: Evidence,
  { payload, page }: Pick<Verdict, 'payload' | 'page'>,
): readonly string[] {
  const bodies = tellPayload(evidence, payload)
  return page.parameter === undefined ? [bodies] : [bodies, tellPage(evidence, page)]
}

function tellPayload({ records }: Evidence, payload: Verdict['payload']): string {
  const { state, largestTaken, smallestRefused } = payload
  const taken = tellBytes(largestTaken ?? 0)
  if (state === 'bounded') {
    const before = largestTaken === undefined ? '' : `; ${taken} was accepted`
    return `A body of ${tellBytes(smallestRefused ?? 0)} was refused${before}.`
  }
  const failed = records.findLast(({ stage, outcome }) => stage === 'payload' && outcome !== 'ok')
  const how = failed && `one of ${tellBytes(failed.size ?? 0)} failed (${tellFailure(failed)})`
  if (state === 'taken') return `Bodies up to ${taken} were accepted; ${how ?? LARGER}.`
  return how
    ? `It is unknown whether larger bodies are accepted: ${how}.`
    : 'Larger bodies were not tested.'
}

const LARGER = 'larger ones were not tested'
const UNCOUNTED = 'its items cannot be counted'

function tellPage(evidence: Evidence, page: Verdict['page']): string {
  const { state, asked = 0, items, usualItems } = page
  const { usual, larger } = toPages(evidence)
  if (state === 'untested' || !usual || !larger) return 'Larger page sizes were not tested.'
  const what = `A page size of ${asked}`
  const came = `returned ${tellCount(items ?? 0, 'item')}, compared with ${usualItems} for the usual size`
  if (state === 'followed') return `${what} was applied: it ${came}; ${LARGER}.`
  if (state === 'bounded') {
    if (larger.outcome === 'rejected') return `${what} was refused (${tellFailure(larger)}).`
    return `${what} was limited: it ${came}.`
  }
  const unknown = 'It is unknown whether the page size is limited'
  if (larger.outcome !== 'ok') return `${unknown}: ${lower(what)} failed (${tellFailure(larger)}).`
  if (items === undefined || usualItems === undefined) {
    const isCounted = usual.items !== undefined && larger.items !== undefined
    const why = isCounted ? 'it contains several lists that may be the page' : UNCOUNTED
    return `${unknown}: ${lower(what)} was served, but ${why}.`
  }
  return `${unknown}: ${lower(what)} ${came}, which may be the whole collection.`
}

function tellFailure({ status }: ProbeRecord): string {
  return status === 0 ? 'no response' : `status ${status}`
}

function lower(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
