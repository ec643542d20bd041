import { hasScheme, hasSlots, startsOpen, startsWithReference, toText } from '../model/pattern.ts'
import type { Call, Place } from '../model/program.ts'
import { startsWithHost } from '../noise/url-hosts.ts'
import { isWritten } from '../resolve/expressions.ts'
import type { ReadCall } from '../resolve/read-calls.ts'

/** Selects the reading that knows most of the URL. */
export function findBest(reads: readonly ReadCall[]): ReadCall | undefined {
  // A call that has a URL of its own goes before one that only has a base.
  const known = reads
    .flatMap((read) => (read.url === undefined ? [] : { read, url: read.url }))
    .sort((one, other) => Number(!one.read.urlValue) - Number(!other.read.urlValue))
  const whole = known.filter(({ url }) => hasScheme(url))
  const best =
    whole.find(({ read }) => read.urlValue && read.method !== undefined) ??
    whole[0] ??
    known.find(({ read, url }) => read.isSure && startsWithHost(toText(url))) ??
    known.find(({ url }) => startsWithReference(url)) ??
    known.find(({ url }) => startsOpen(url)) ??
    // A subclass may define the base.
    known.find(({ url }) => hasSlots(url))
  return best?.read
}

/** The place of the URL, or of the call if the URL is only a name or begins on another line. */
export function findPlace(call: Call, { rule: { url }, urlValue }: ReadCall): Place {
  if (!urlValue || urlValue.kind === 'unknown') return call.place
  if (url.isReceiver && call.receiver?.kind !== 'name' && isWritten(urlValue)) return urlValue.place
  if (urlValue.place.line < call.place.line) return call.place
  if (urlValue.kind === 'name' && urlValue.place.line !== call.place.line) return call.place
  return isWritten(urlValue) || urlValue.kind === 'name' ? urlValue.place : call.place
}
