/**
 * Finds the SPDX ID of a licence by its name, else by its link. Returns an empty text for an
 * unknown licence. For an unknown combination (`MIT AND GPL-3.0-only`) the link is ignored: it
 * names only one licence. `GPLv3` alone means exactly that version, as in SPDX: `GPL-3.0-only`.
 *
 * @example
 * ```ts
 * import { toSpdxId } from 'api-discovery/storage'
 *
 * toSpdxId({ name: 'Apache License, Version 2.0' }) // 'Apache-2.0'
 * ```
 */
export function toSpdxId({ name, link = '' }: License): string {
  return findByName(name) || (isCombination(name) ? '' : findByLink(link))
}

interface License {
  readonly name: string
  readonly link?: string
}

/** Returns whether a name combines a known licence with other text. */
function isCombination(name: string): boolean {
  if (name.length > MAX_LENGTH) return false
  const known = name.split(SEPARATORS).filter((part) => findByName(part) !== '').length
  return known > 1 || (known === 1 && OPERATORS.test(name))
}

const OPERATORS = /\s(?:and|or|with)\s/i
const SEPARATORS = /\s(?:and|or|with)\s|[/,;|&]/i

/** Licences found in descriptions of APIs, their servers and their data. */
const IDS = `0BSD AFL-3.0 AGPL-1.0-only AGPL-1.0-or-later AGPL-3.0-only AGPL-3.0-or-later
Apache-1.0 Apache-1.1 Apache-2.0 APSL-2.0 Artistic-1.0 Artistic-2.0 BlueOak-1.0.0 BSD-1-Clause
BSD-2-Clause BSD-2-Clause-Patent BSD-3-Clause BSD-3-Clause-Clear BSD-4-Clause BSL-1.0 BUSL-1.1
CC-BY-1.0 CC-BY-2.0 CC-BY-2.5 CC-BY-3.0 CC-BY-4.0 CC-BY-NC-1.0 CC-BY-NC-2.0 CC-BY-NC-2.5
CC-BY-NC-3.0 CC-BY-NC-4.0 CC-BY-NC-ND-2.0 CC-BY-NC-ND-2.5 CC-BY-NC-ND-3.0 CC-BY-NC-ND-4.0
CC-BY-NC-SA-1.0 CC-BY-NC-SA-2.0 CC-BY-NC-SA-2.5 CC-BY-NC-SA-3.0 CC-BY-NC-SA-4.0 CC-BY-ND-1.0
CC-BY-ND-2.0 CC-BY-ND-2.5 CC-BY-ND-3.0 CC-BY-ND-4.0 CC-BY-SA-1.0 CC-BY-SA-2.0 CC-BY-SA-2.5
CC-BY-SA-3.0 CC-BY-SA-4.0 CC0-1.0 CDDL-1.0 CDDL-1.1 CDLA-Permissive-1.0 CDLA-Permissive-2.0
CDLA-Sharing-1.0 CPAL-1.0 CPL-1.0 ECL-2.0 Elastic-2.0 EPL-1.0 EPL-2.0 EUPL-1.0 EUPL-1.1 EUPL-1.2
GFDL-1.3-only GFDL-1.3-or-later GPL-1.0-only GPL-1.0-or-later GPL-2.0-only GPL-2.0-or-later
GPL-3.0-only GPL-3.0-or-later HPND ISC LGPL-2.0-only LGPL-2.0-or-later LGPL-2.1-only
LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later LPPL-1.3c MIT MIT-0 MPL-1.0 MPL-1.1 MPL-2.0
MS-PL MS-RL MulanPSL-2.0 NCSA NPOSL-3.0 ODbL-1.0 ODC-By-1.0 OFL-1.1 OGL-Canada-2.0 OGL-UK-1.0
OGL-UK-2.0 OGL-UK-3.0 OSL-3.0 PDDL-1.0 PolyForm-Noncommercial-1.0.0 PostgreSQL PSF-2.0 Python-2.0
QPL-1.0 SSPL-1.0 Unicode-3.0 Unlicense UPL-1.0 Vim W3C WTFPL X11 Zlib ZPL-2.1`

/** Phrases and the words of an ID that they replace, longest first. */
const PHRASES: readonly (readonly [phrase: RegExp, word: string])[] = [
  [/\baffero (?:general public|gpl)\b/g, 'agpl'],
  [/\b(?:lesser|library) (?:general public|gpl)\b/g, 'lgpl'],
  [/\bgeneral public\b/g, 'gpl'],
  [/\bfree documentation\b/g, 'gfdl'],
  [/\bmozilla public\b/g, 'mpl'],
  [/\beclipse public\b/g, 'epl'],
  [/\beuropean union public\b/g, 'eupl'],
  [/\bserver side public\b/g, 'sspl'],
  [/\bopen (?:data commons open )?database\b/g, 'odbl'],
  [/\bopen data commons attribution\b/g, 'odc by'],
  [/\bpublic domain dedication and\b/g, 'pddl'],
  [/\bopen government\b/g, 'ogl uk'],
  [/\bbusiness source\b/g, 'busl'],
  [/\bboost\b/g, 'bsl'],
  [/\bcreative commons zero\b/g, 'cc 0'],
  [/\b(?:creative commons|cc)\b/g, 'cc'],
  [/\battribution\b/g, 'by'],
  [/\bnon ?commercial\b/g, 'nc'],
  [/\bshare ?alike\b/g, 'sa'],
  [/\bno ?deriv(?:ative)?s?(?: works)?\b/g, 'nd'],
  [/\b(?:new|modified|revised) bsd\b/g, 'bsd 3 clause'],
  [/\b(?:simplified|freebsd) bsd\b/g, 'bsd 2 clause'],
  [/\bbsd ([1-4])$/g, 'bsd $1 clause'],
  [/\b([1-4]) clause bsd\b/g, 'bsd $1 clause'],
  [/\b(?:and later|or newer|or any later|or later)\b/g, 'or later'],
]

const FILLERS =
  /\b(?:the|an?|gnu|licen[cs]ed?|released|available|distributed|under|terms|of|version|ver|software|international|unported|universal|generic|public domain dedication|only)\b/g

const BY_WORDS: ReadonlyMap<string, string> = new Map([
  ...IDS.split(/\s+/).map((id) => [toLicenseWords(id), id] as const),
  ...Object.entries({
    'mit x11': 'MIT',
    'bsd 2 clause simplified': 'BSD-2-Clause',
    'bsd 3 clause new': 'BSD-3-Clause',
    'bsd 3 clause revised': 'BSD-3-Clause',
    'bsd 3 clause new or revised': 'BSD-3-Clause',
    expat: 'MIT',
    'cc 0': 'CC0-1.0',
    odbl: 'ODbL-1.0',
    'bsl 1.1': 'BUSL-1.1',
    'asl 2': 'Apache-2.0',
    'apl 2': 'Apache-2.0',
    'ogl 3': 'OGL-UK-3.0',
  }),
])

const LINKS: readonly RegExp[] = [
  /^spdx\.org\/licenses\/([\w.+-]+?)(?:\.html|\.json|\.txt)?$/,
  /^(?:opensource|choosealicense)\.(?:org|com)\/licenses?\/([\w.-]+?)(?:\.html|\.php)?$/,
  /^apache\.org\/licenses\/(?:license)(-[\w.]+?)(?:\.html|\.txt)?$/,
  /^creativecommons\.org\/licenses\/([a-z-]+\/\d\.\d)(?:\/.*)?$/,
  /^creativecommons\.org\/publicdomain\/(zero\/1\.0)(?:\/.*)?$/,
  /^gnu\.org\/licenses\/(?:old-licenses\/)?([a-z]+-\d\.\d)(?:\.[\w.-]+)?$/,
  /^mozilla\.org\/(?:[a-z-]+\/)?(mpl\/\d\.\d)$/,
  /^(unlicense)\.org$/,
  /^nationalarchives\.gov\.uk\/doc\/(open-government-licence\/version\/\d)$/,
  /^opendatacommons\.org\/licenses\/(odbl|pddl)(?:\/.*)?$/,
]

const LINK_WORDS: Readonly<Record<string, string>> = { pddl: 'pddl 1', 'zero 1': 'cc 0 1' }

function findByName(name: string): string {
  if (name.length > MAX_LENGTH) return ''
  return findIdByWords(toLicenseWords(name))
}

function findByLink(link: string): string {
  if (link.length > MAX_LENGTH) return ''
  const place = link
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
  const at = LINKS.findIndex((pattern) => pattern.test(place))
  const found = at < 0 ? undefined : LINKS[at]?.exec(place)?.[1]
  if (found === undefined) return ''
  if (place.startsWith('apache.org')) return findIdByWords(toLicenseWords(`apache${found}`))
  if (place.startsWith('creativecommons.org/licenses'))
    return findIdByWords(toLicenseWords(`cc-${found}`))
  const words = toLicenseWords(found)
  return findIdByWords(LINK_WORDS[words] ?? words)
}

function findIdByWords(words: string): string {
  return BY_WORDS.get(words) ?? ''
}

/** Normalises a name or ID to the words that both spellings share. */
function toLicenseWords(text: string): string {
  let words = text
    .toLowerCase()
    .replace(/\+/g, ' or later ')
    .replace(/v(?=\.? ?\d)/g, ' ')
    .replace(/([a-z])(?=\d)/g, '$1 ')
    .replace(/(\d)(?=[a-z])/g, '$1 ')
    .replace(/[^a-z0-9.]+/g, ' ')
    .replace(/(^| )\.+|\.+(?= |$)/g, '$1')
    .replace(/(\d)(?:\.0)+(?= |$)/g, '$1')
  for (const [phrase, word] of PHRASES) words = words.replace(phrase, word)
  words = words.replace(FILLERS, ' ').replace(/\s+/g, ' ').trim()
  // `The MIT License (MIT)` and `Apache License 2.0 (Apache-2.0)` repeat the name.
  return words.replace(/^(.+) \1$/, '$1')
}

/** Longer names and links are prose. */
const MAX_LENGTH = 200
