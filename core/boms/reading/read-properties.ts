import type { FoundPlace } from '../../scans/records.ts'
import { fromUriReference } from '../../shared/clean-text.ts'
import { type BomEndpoint, UNDECIDED } from '../model.ts'
import { toApproval } from './values.ts'

const NAMES = /^api-discovery:endpoint:(approval|url|confidence|package|found_in)$/
const VALUE = /^(\S+) (\S+) (.*)$/s
const PLACE = /^(.*?)(?::(\d+))?(?::(\d+))?$/s

/** Reads the endpoints from our own properties of a CycloneDX service, in order of appearance. */
export function readEndpointProperties(
  properties: readonly { readonly name: string; readonly value: string }[],
): readonly BomEndpoint[] {
  /** By method and reference. */
  const found = new Map<string, ReturnType<typeof toEndpoint>>()
  for (const { name, value } of properties) {
    const what = NAMES.exec(name)?.[1]
    const [, shownMethod = '', url = '', text = ''] = (what && VALUE.exec(value)) || []
    if (url === '') continue
    const method = shownMethod === '-' ? '' : shownMethod
    const key = `${method} ${url}`
    const known = found.get(key) ?? toEndpoint(fromUriReference(url), method)
    found.set(key, known)
    if (what === 'found_in') known.foundIn.push(toPlace(text))
    else if (what === 'approval') found.set(key, { ...known, approval: toApproval(text) })
    else if (what === 'url') found.set(key, { ...known, url: text })
    else if (what === 'package') known.packages.push(text)
    else if (Number.isFinite(Number(text))) found.set(key, { ...known, confidence: Number(text) })
  }
  return [...found.values()]
}

function toEndpoint(
  url: string,
  method: string,
): BomEndpoint & { readonly foundIn: FoundPlace[]; readonly packages: string[] } {
  return {
    url,
    method,
    approval: 'unreviewed' as const,
    reason: '',
    decision: UNDECIDED,
    foundIn: [],
    packages: [],
    confidence: undefined,
  }
}

function toPlace(text: string): FoundPlace {
  const [, file = '', line, column] = PLACE.exec(text) ?? []
  return {
    file,
    line: line === undefined ? undefined : Number(line),
    column: column === undefined ? undefined : Number(column),
  }
}
