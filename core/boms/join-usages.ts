import type { Approval, CodeLocation, ScannedEndpoint } from '../scans/records.ts'
import type { SteppedWork } from '../shared/time-slices.ts'
import type { BomEndpoint } from './model.ts'

/** A usage of an endpoint: a row of a scan. */
type EndpointUsage = Pick<
  ScannedEndpoint,
  | 'url'
  | 'method'
  | 'approval'
  | 'reason'
  | 'decision'
  | 'foundIn'
  | 'packages'
  | 'lowestPackages'
  | 'confidence'
> & { readonly alternatives?: readonly string[] | undefined }

/** Yields each usage, and a copy for each alternative environment that the code may select. */
function* expandEnvironments(uses: readonly EndpointUsage[]): Iterable<EndpointUsage> {
  for (const use of uses) {
    yield use
    for (const url of use.alternatives ?? []) yield { ...use, url }
  }
}

/** An endpoint to which usages are still added. */
interface EndpointBuilder
  extends Omit<BomEndpoint, 'packages' | 'lowestPackages' | 'confidence'>,
    Pick<EndpointUsage, 'confidence'> {
  readonly foundIn: CodeLocation[]
  readonly packages: Set<string>
  readonly lowestPackages: Set<string>
}

function createBuilder(use: EndpointUsage): EndpointBuilder {
  return { ...use, foundIn: [], packages: new Set(), lowestPackages: new Set() }
}

/** Approvals in descending strictness: the strictest of an endpoint's usages wins. */
const APPROVALS_BY_STRICTNESS: readonly Approval[] = ['no', 'unreviewed', 'yes']

/**
 * Joins the usages of each URL and method, in order of first usage. Runs in time slices, as one
 * service may have all usages of a scan.
 */
export function* joinUsages(uses: readonly EndpointUsage[]): SteppedWork<readonly BomEndpoint[]> {
  const found = new Map<string, EndpointBuilder>()
  const places = new Set<string>()
  for (const use of expandEnvironments(uses)) {
    const key = `${use.method} ${use.url}`
    const known = found.get(key)
    const endpoint = known ? joinEndpoint(known, use) : createBuilder(use)
    found.set(key, endpoint)
    for (const place of use.foundIn) {
      const name = `${key}\n${place.file}\n${place.line ?? ''}\n${place.column ?? ''}`
      if (places.has(name)) continue
      places.add(name)
      endpoint.foundIn.push(place)
    }
    for (const library of use.packages) endpoint.packages.add(library)
    for (const library of use.lowestPackages ?? []) endpoint.lowestPackages.add(library)
    yield
  }
  return [...found.values()].map(
    ({ url, method, approval, reason, decision, foundIn, confidence, ...builder }) => ({
      url,
      method,
      approval,
      reason,
      decision,
      foundIn,
      packages: [...builder.packages],
      ...(builder.lowestPackages.size > 0 && { lowestPackages: [...builder.lowestPackages] }),
      confidence,
    }),
  )
}

/** Returns the strictest approval of a URL's endpoints, for all methods. */
export function findStrictestApproval(
  endpoints: readonly Pick<BomEndpoint, 'approval'>[],
): Approval {
  return (
    APPROVALS_BY_STRICTNESS.find((value) => endpoints.some(({ approval }) => approval === value)) ??
    'yes'
  )
}

function joinEndpoint(known: EndpointBuilder, use: EndpointUsage): EndpointBuilder {
  const isStricter =
    APPROVALS_BY_STRICTNESS.indexOf(use.approval) < APPROVALS_BY_STRICTNESS.indexOf(known.approval)
  const { approval, reason, decision } = isStricter ? use : known
  const confidence = Math.max(known.confidence ?? -1, use.confidence ?? -1)
  return {
    ...known,
    approval,
    reason,
    decision,
    confidence: confidence < 0 ? undefined : confidence,
  }
}
