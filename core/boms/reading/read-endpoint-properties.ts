import type { CodeLocation } from '../../scans/records.ts'
import { fromUriReference } from '../../shared/clean-text.ts'
import { type BomEndpoint, NO_DECISION } from '../model.ts'
import { parseApproval } from './values.ts'

const PROPERTY_NAME =
  /^api-discovery:endpoint:(approval|url|confidence|package|lowest_package|found_in)$/
const PROPERTY_VALUE = /^(\S+) (\S+) (.*)$/s
const LOCATION = /^(.*?)(?::(\d+))?(?::(\d+))?$/s

/** Reads the endpoints from our own properties of a CycloneDX service, in order of appearance. */
export function readEndpointProperties(
  properties: readonly { readonly name: string; readonly value: string }[],
): readonly BomEndpoint[] {
  /** By method and reference. */
  const found = new Map<string, ReturnType<typeof createEndpointBuilder>>()
  for (const { name, value } of properties) {
    const what = PROPERTY_NAME.exec(name)?.[1]
    const [, shownMethod = '', url = '', text = ''] = (what && PROPERTY_VALUE.exec(value)) || []
    if (url === '') continue
    const method = shownMethod === '-' ? '' : shownMethod
    const key = `${method} ${url}`
    const known = found.get(key) ?? createEndpointBuilder(fromUriReference(url), method)
    found.set(key, known)
    if (what === 'found_in') known.foundIn.push(parseLocation(text))
    else if (what === 'approval') found.set(key, { ...known, approval: parseApproval(text) })
    else if (what === 'url') found.set(key, { ...known, url: text })
    else if (what === 'package') known.packages.push(text)
    else if (what === 'lowest_package')
      found.set(key, { ...known, lowestPackages: [...(known.lowestPackages ?? []), text] })
    else if (Number.isFinite(Number(text))) found.set(key, { ...known, confidence: Number(text) })
  }
  return [...found.values()]
}

function createEndpointBuilder(
  url: string,
  method: string,
): BomEndpoint & { readonly foundIn: CodeLocation[]; readonly packages: string[] } {
  return {
    url,
    method,
    approval: 'unreviewed' as const,
    reason: '',
    decision: NO_DECISION,
    foundIn: [],
    packages: [],
    confidence: undefined,
  }
}

function parseLocation(text: string): CodeLocation {
  const [, file = '', line, column] = LOCATION.exec(text) ?? []
  return {
    file,
    line: line === undefined ? undefined : Number(line),
    column: column === undefined ? undefined : Number(column),
  }
}
