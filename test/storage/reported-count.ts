// biome-ignore lint/suspicious/noExplicitAny: the raw files are read as they come
type Raw = any

const UNKNOWN = ['n/a', 'unspecified', 'unknown', 'none', 'not specified', '-', '*', '']

/**
 * Reads `<vendor>\t<product>\t<version>` of each affected version that reporters state, by the rules
 * of the contract ("Affected products after NIST"), independently of the loader.
 */
export function readReported(cve: Raw): readonly (readonly [string, string, string])[] {
  const found: [string, string, string][] = []
  for (const { affectedData = [] } of cve.affected ?? []) {
    for (const data of affectedData) {
      const vendor = spell(data.vendor)
      const product = spell(data.product) === '-' ? spell(data.packageName) : spell(data.product)
      if (vendor === '-' && product === '-') continue
      for (const version of readVersions(data)) found.push([vendor, product, version])
    }
  }
  return found
}

/** Two vendors are the same if these texts are equal. */
export function toComparedVendor(vendor: string): string {
  const bare = vendor
    .toLowerCase()
    .replaceAll('.', '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
  const forms =
    'inc|incorporated|ltd|limited|llc|gmbh|corp|corporation|co|company|ag|sa|bv|plc|srl|sas'
  return bare.replace(new RegExp(`( (${forms}))+$`), '').replaceAll(' ', '') || vendor
}

function spell(name: unknown): string {
  const text = String(name ?? '')
    .normalize('NFC')
    .trim()
    .toLowerCase()
  return UNKNOWN.includes(text) ? '-' : text.replace(/\s+/g, '_')
}

function readVersions({ versions = [], defaultStatus }: Raw): readonly string[] {
  if (versions.length === 0) return defaultStatus === 'unaffected' ? [] : ['-']
  const affected = versions.filter(({ status }: Raw) => status === 'affected')
  if (affected.length === 0) return defaultStatus === 'affected' ? ['-'] : []
  return affected.map((each: Raw) => readVersion(each, defaultStatus === 'affected'))
}

function readVersion(given: Raw, isDefault: boolean): string {
  const version: string = given.version.trim().replace(/\s+/g, ' ')
  if (/^[<>=]/.test(version) && !/[^<>=,\s] +[^<>=,\s]/.test(version)) {
    return version.replace(/\s/g, '').replace(/^=/, '')
  }
  const isUnknown = (text: string) => UNKNOWN.includes(text.toLowerCase())
  const fixed = given.changes?.find(({ status }: Raw) => status === 'unaffected')?.at
  const isBounded = (fixed ?? given.lessThan ?? given.lessThanOrEqual) !== undefined
  if (!isBounded && isUnknown(version)) return '-'
  const isOrdered = given.versionType !== 'git' && /^\S*\d\S*$/.test(version)
  if (!isBounded && !(isDefault && isOrdered)) return version
  const [end, last] = [fixed ?? given.lessThan, given.lessThanOrEqual].map((text) =>
    text
      ?.trim()
      .replace(/\s+/g, ' ')
      .replace(/^<=? ?/, ''),
  )
  return (
    [
      version === '0' || isUnknown(version) ? '' : `>=${version}`,
      end !== undefined && !isUnknown(end) ? `<${end}` : '',
      end === undefined && last !== undefined && !isUnknown(last) ? `<=${last}` : '',
    ]
      .filter((bound) => bound !== '')
      .join(',') || '-'
  )
}
