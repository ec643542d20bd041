import { foldName } from '../shared/text.ts'

/**
 * Spells a reporter's name as CPE names are spelled: `Log4j  Core` is `log4j_core`. Returns `-` for a
 * placeholder, such as `n/a`.
 */
export function toCpeName(name: string): string {
  const text = name
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toLowerCase()
  return isUnknownText(text) ? '-' : text.replaceAll(' ', '_')
}

/** True for a placeholder of a name or version: `n/a`, `Unspecified`, an empty text. */
export function isUnknownText(text: string): boolean {
  return UNKNOWN.has(text.trim().toLowerCase())
}

/**
 * Converts a vendor to letters and digits in lower case, without a legal form at its end, so that
 * equal keys mean one vendor: `Acme Data, Inc.`, `acme_data` and `acme-data` are `acmedata`.
 */
export function toVendorKey(vendor: string): string {
  const known = KEYS.get(vendor) ?? computeVendorKey(vendor)
  if (KEYS.size >= MAX_KEYS) KEYS.clear()
  KEYS.set(vendor, known)
  return known
}

const MAX_KEYS = 10_000
const KEYS = new Map<string, string>()

function computeVendorKey(vendor: string): string {
  // `Co.Ltd` is two words, `s.r.l.` one.
  const plain = foldName(vendor)
    .replace(/\.(?=\p{L}{2})/gu, ' ')
    .replaceAll('.', '')
  const words = plain.match(WORD) ?? []
  let end = words.length
  while (end > 1 && LEGAL_FORMS.has(words[end - 1] ?? '')) end -= 1
  // A name of punctuation only.
  return words.slice(0, end).join('') || vendor.toLowerCase()
}

const UNKNOWN = new Set(['', '-', '*', 'n/a', 'none', 'not specified', 'unknown', 'unspecified'])
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Without dots: `s.r.l.` is `srl`. */
const LEGAL_FORMS = new Set(
  (
    'ab ag as asa bv co company corp corporation eirl gmbh inc incorporated kg kgaa kk limited llc ' +
    'llp ltd ltda mbh nv oy oyj plc pte pty pvt sa sarl sas se spa sro srl'
  ).split(' '),
)
