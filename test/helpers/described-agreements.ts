type Json = Readonly<Record<string, unknown>>

/**
 * Reads the agreements of a real description without the code under test: kind, name, link and SPDX
 * ID of each.
 */
export function readDescribedAgreements(document: Json): readonly string[] {
  return [...new Set(extract(document))]
}

function extract(document: Json): readonly string[] {
  const info = (document.info ?? {}) as Json
  const license = (info.license ?? {}) as Json
  const docs = (document.externalDocs ?? {}) as Json
  const found = [
    ...toLicense(license),
    ...toLink('TermsOfService', 'Terms of service', info.termsOfService),
    ...toLink('Documentation', 'Documentation', docs.url),
  ]
  const text = typeof info.description === 'string' ? info.description : ''
  // Found by reading all 180: two texts link to their terms with unambiguous words.
  for (const link of ['https://autodealerdata.com/tos', 'https://chompthis.com/api/terms.php']) {
    if (text.includes(link)) found.push(...toLink('TermsOfService', 'Terms of service', link))
  }
  return found
}

function toLink(kind: string, name: string, value: unknown): readonly string[] {
  const isLink = typeof value === 'string' && /^https?:\/\/[^/]/i.test(value.trim())
  return isLink ? [`${kind}|${name}|${value.trim()}|`] : []
}

function toLicense(license: Json): readonly string[] {
  const [name, url, id] = [license.name, license.url, license.identifier ?? license['x-spdx']].map(
    (value) => (typeof value === 'string' ? value : ''),
  )
  const spdx = id || SPDX.find(([words]) => words.test(`${name} ${url}`))?.[1] || ''
  const link = /^https?:/.test(url ?? '') ? url : spdx && `https://spdx.org/licenses/${spdx}.html`
  return link ? [`InterfaceLicense|${name}|${link}|${spdx}`] : []
}

/** The licences of the 180 descriptions. */
const SPDX: readonly (readonly [RegExp, string])[] = [
  [/^Apache 2\.0/, 'Apache-2.0'],
  [/\bMIT\b/, 'MIT'],
  [/creativecommons\.org\/licenses\/by\/4\.0/, 'CC-BY-4.0'],
]
