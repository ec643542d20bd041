import type { Evidence, ProbeRecord, Verdict } from '../records.ts'
import { toPages } from './judge-sizes.ts'
import { tellBytes, tellCount } from './units.ts'

/** Tells of the larger bodies and pages: what was tried, what came of it, and what was not tried. */
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
    const before = largestTaken === undefined ? '' : `, ${taken} taken`
    return `A body of ${tellBytes(smallestRefused ?? 0)} was refused${before}.`
  }
  const failed = records.findLast(({ stage, outcome }) => stage === 'payload' && outcome !== 'ok')
  const how = failed && `one of ${tellBytes(failed.size ?? 0)} failed (${tellFailure(failed)})`
  if (state === 'taken') return `Bodies up to ${taken} were taken; ${how ?? LARGER}.`
  return how
    ? `Whether larger bodies are taken was not seen: ${how}.`
    : 'Larger bodies were not tested.'
}

const LARGER = 'larger ones were not tried'
const UNCOUNTED = 'its items cannot be counted'

function tellPage(evidence: Evidence, page: Verdict['page']): string {
  const { state, asked = 0, items, usualItems } = page
  const { usual, larger } = toPages(evidence)
  if (state === 'untested' || !usual || !larger) return 'Larger pages were not tested.'
  const what = `A page of ${asked}`
  const came = `brought ${tellCount(items ?? 0, 'item')}, ${usualItems} before`
  if (state === 'followed') return `${what} was followed: it ${came}; ${LARGER}.`
  if (state === 'bounded') {
    if (larger.outcome === 'rejected') return `${what} was refused (${tellFailure(larger)}).`
    return `${what} was not followed: it ${came}.`
  }
  const unknown = 'Whether larger pages know a bound was not seen'
  if (larger.outcome !== 'ok') return `${unknown}: ${lower(what)} failed (${tellFailure(larger)}).`
  if (items === undefined || usualItems === undefined) {
    const isCounted = usual.items !== undefined && larger.items !== undefined
    const why = isCounted ? 'which of its lists is the page cannot be told' : UNCOUNTED
    return `${unknown}: ${lower(what)} was answered, but ${why}.`
  }
  return `${unknown}: ${lower(what)} ${came}, which may be all there are.`
}

function tellFailure({ status }: ProbeRecord): string {
  return status === 0 ? 'without an answer' : `status ${status}`
}

function lower(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
