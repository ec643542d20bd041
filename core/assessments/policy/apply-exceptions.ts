import { parseDay } from '../../shared/dates.ts'
import { parsePackageUrl } from '../../shared/package-urls.ts'
import { foldName } from '../../shared/text.ts'
import { foldVendorName, listVendorNames } from '../../vendors/known-vendors.ts'
import type { IneffectiveException, PolicyException, PolicyViolation } from './policy.ts'

const DAY_MS = 86_400_000

/** Marks violations with a valid exception as excepted, and reports exceptions without effect. */
export function applyExceptions(
  violations: readonly PolicyViolation[],
  { exceptions, now }: { readonly exceptions: readonly PolicyException[]; readonly now: number },
): {
  readonly violations: readonly PolicyViolation[]
  readonly idle: readonly IneffectiveException[]
} {
  const valid = exceptions.filter((exception) => !isExpired(exception, now))
  const used = new Set<PolicyException>()
  const judged = violations.map((violation): PolicyViolation => {
    const found = valid.filter((exception) => matchesException(violation, exception))
    for (const exception of found) used.add(exception)
    const [first] = found
    return first ? { ...violation, severity: 'excepted', exception: first } : violation
  })
  const idle = exceptions.flatMap((exception): readonly IneffectiveException[] => {
    if (isExpired(exception, now)) return [{ exception, why: 'expired' }]
    return used.has(exception) ? [] : [{ exception, why: 'unused' }]
  })
  return { violations: judged, idle }
}

/** An exception is valid until the end of its last day (UTC). */
function isExpired({ until }: PolicyException, now: number): boolean {
  return now >= (parseDay(until) ?? 0) + DAY_MS
}

function matchesException(
  { condition, api, vendor, host, package: purl }: PolicyViolation,
  exception: PolicyException,
): boolean {
  if (!exception.allow.includes(condition)) return false
  if (exception.package !== undefined) return matchesPackage(purl, exception.package)
  if (exception.host !== undefined) return exception.host.toLowerCase() === host
  if (exception.vendor !== undefined) {
    return foldVendorName(exception.vendor) === foldVendorName(vendor)
  }
  if (exception.api === undefined || !api) return false
  const vendors = listVendorNames(vendor)
  const names = [api.name, ...vendors.map((name) => `${name}/${api.name}`)].map(foldName)
  const ids = [String(api.id), api.encryptedId]
  return ids.includes(exception.api) || names.includes(foldName(exception.api))
}

function matchesPackage(purl: string | undefined, wanted: string): boolean {
  const { found } = parsePackageUrl(purl ?? '')
  const { found: excepted } = parsePackageUrl(wanted)
  if (!found || found.key !== excepted?.key) return false
  return excepted.version === undefined || excepted.version === found.version
}
