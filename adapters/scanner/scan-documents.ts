/** Length of the start of a text that is checked for marks. */
const HEAD = 8000

/**
 * Whether a text is the output of a scanner: a report of `scan project` or `scan network`, a review
 * file, a SARIF log or a BOM of any tool. Such a document mentions URLs without calling them.
 */
export function isScanDocument(text: string): boolean {
  const [, first] = /^\ufeff?\s*([<{[])/.exec(text) ?? []
  if (first === undefined) return false
  const head = text.slice(0, HEAD)
  return first === '<' ? XML_BOM.test(head) : JSON_DOCUMENTS.some((mark) => mark.test(head))
}

const XML_BOM = /<(?:\w+:)?bom\b[^>]*\bxmlns(?::\w+)?=["']http:\/\/cyclonedx\.org\/schema\/bom\//

const JSON_DOCUMENTS: readonly RegExp[] = [
  // BOMs, also in the format of the specification.
  /"bomFormat"\s*:\s*"CycloneDX"/,
  /"spdxVersion"\s*:\s*"SPDX-/,
  // SARIF.
  /"\$schema"\s*:\s*"[^"]*\bsarif\b[^"]*"/,
  // Output of `scan project --json`, `--write-baseline` and `scan network --json`.
  /^\s*\{\s*"files"\s*:\s*\d+\s*,\s*"skipped"\s*:\s*\{/,
  /^\s*\{\s*"project_name"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"endpoints"\s*:\s*\[\s*(?:\]|\{\s*"endpoint_url"\s*:)/,
  /^\s*\{\s*"flows"\s*:\s*\[\s*(?:\]\s*,\s*"damaged"|\{[^{}]*"capture_datetime"\s*:)/,
]
