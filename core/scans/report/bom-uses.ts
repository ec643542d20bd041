import * as v from 'valibot'
import { hostOf } from '../../code-scanner/noise/url-hosts.ts'
import { toEndpointUrl } from '../../matching/endpoint-url.ts'
import { fromUriReference } from '../../shared/clean-text.ts'
import { APPROVALS, type Approval } from '../records.ts'
import type { StoredUsage } from './stored-uses.ts'

const serviceSchema = v.object({
  name: v.fallback(v.string(), ''),
  provider: v.fallback(v.object({ name: v.fallback(v.string(), '') }), { name: '' }),
  endpoints: v.fallback(v.array(v.string()), []),
  properties: v.fallback(
    v.array(v.object({ name: v.fallback(v.string(), ''), value: v.fallback(v.string(), '') })),
    [],
  ),
})

/**
 * Reads the uses of the services of a bill of materials: of CycloneDX JSON with the methods that our
 * properties tell, of the specification's shape without methods.
 */
export function readBomUses(bom: {
  readonly services: readonly unknown[]
}): readonly StoredUsage[] {
  return bom.services.flatMap((each) => {
    const { success, output } = v.safeParse(serviceSchema, each)
    if (!success) return []
    const { name, provider, endpoints, properties } = output
    const told = readProperties(properties)
    return endpoints.flatMap((written): readonly StoredUsage[] => {
      const url = toEndpointUrl(fromUriReference(written))
      const host = hostOf(url) ?? ''
      const isMatched = name !== host
      const base = {
        url,
        host,
        apiName: isMatched ? name : undefined,
        vendorName: isMatched ? provider.name : undefined,
        reason: '',
      }
      const ofUrl = told.get(written) ?? new Map<string | undefined, Told>()
      if (ofUrl.size === 0) {
        return [{ ...base, method: undefined, approval: undefined, files: undefined }]
      }
      return [...ofUrl].map(([method, { approval, files }]) => ({
        ...base,
        method,
        approval,
        files: [...files],
      }))
    })
  })
}

/** What properties tell of a URL with a method. */
interface Told {
  approval: Approval | undefined
  readonly files: Set<string>
}

type ByMethod = Map<string | undefined, Told>

/** By URL as it is written, then by method. */
function readProperties(
  properties: readonly { readonly name: string; readonly value: string }[],
): ReadonlyMap<string, ByMethod> {
  const told = new Map<string, ByMethod>()
  const find = (url: string, method: string | undefined): Told => {
    const ofUrl: ByMethod = told.get(url) ?? new Map()
    told.set(url, ofUrl)
    const known = ofUrl.get(method) ?? { approval: undefined, files: new Set<string>() }
    ofUrl.set(method, known)
    return known
  }
  for (const { name, value } of properties) {
    const simple = /^(\S+) (approval status|found in file)$/.exec(name)
    const strict = /^api-discovery:endpoint:(approval|found_in)$/.exec(name)
    if (simple?.[1] !== undefined) {
      const use = find(simple[1], undefined)
      if (simple[2] === 'found in file') use.files.add(value)
      else use.approval = toApproval(value)
    } else if (strict) {
      const [, method = '', url = '', rest = ''] = /^(\S+) (\S+) (.*)$/s.exec(value) ?? []
      if (url === '') continue
      const use = find(url, method === '-' ? '' : method.toLowerCase())
      if (strict[1] === 'approval') use.approval = toApproval(rest)
      else use.files.add(rest.replace(/(?::\d+){1,2}$/, ''))
    }
  }
  return told
}

function toApproval(text: string): Approval | undefined {
  return APPROVALS.find((approval) => approval === text)
}
