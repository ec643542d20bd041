/** Characters at the head of a text in which it shows what it is. */
const HEAD = 8000

/**
 * Whether a text is what scanners write of a project or network: a report of `scan project` or
 * `scan network`, a review file, a SARIF log or a bill of materials, whoever made them. The URLs in
 * it are told, not used.
 */
export function isScanDocument(text: string): boolean {
  const [, first] = /^\ufeff?\s*([<{[])/.exec(text) ?? []
  if (first === undefined) return false
  const head = text.slice(0, HEAD)
  return first === '<' ? XML_BOM.test(head) : JSON_DOCUMENTS.some((mark) => mark.test(head))
}

const XML_BOM = /<(?:\w+:)?bom\b[^>]*\bxmlns(?::\w+)?=["']http:\/\/cyclonedx\.org\/schema\/bom\//

const JSON_DOCUMENTS: readonly RegExp[] = [
  // Bills of materials, also in the specification's shape.
  /"bomFormat"\s*:\s*"CycloneDX"/,
  /"spdxVersion"\s*:\s*"SPDX-/,
  // SARIF.
  /"\$schema"\s*:\s*"[^"]*\bsarif\b[^"]*"/,
  // What `scan project --json`, `--write-baseline` and `scan network --json` write.
  /^\s*\{\s*"files"\s*:\s*\d+\s*,\s*"skipped"\s*:\s*\{/,
  /^\s*\{\s*"project_name"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"endpoints"\s*:\s*\[\s*(?:\]|\{\s*"endpoint_url"\s*:)/,
  /^\s*\{\s*"flows"\s*:\s*\[\s*(?:\]\s*,\s*"damaged"|\{[^{}]*"capture_datetime"\s*:)/,
]
