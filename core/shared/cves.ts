/** Returns the page of a CVE: of NVD, or of the CVE Program for a record that NVD does not have. */
export function toCveUrl({
  id,
  authority = 'nvd',
}: {
  readonly id: string
  readonly authority?: 'nvd' | 'cve' | undefined
}): string {
  const number = encodeURIComponent(id)
  return authority === 'nvd'
    ? `https://nvd.nist.gov/vuln/detail/${number}`
    : `https://www.cve.org/CVERecord?id=${number}`
}

/** Whether a review says that the CVE does not affect the package: it fails no check. */
export function isResolved({
  review,
}: {
  readonly review?: { readonly status: string } | undefined
}): boolean {
  return review?.status === 'not_affected' || review?.status === 'fixed'
}

/** Describes how a CVE of a used package is confirmed. */
export function describePackageMatch(isLowest: boolean): string {
  return isLowest
    ? 'confirmed for the lowest version that the manifest permits'
    : 'confirmed by package and version'
}
