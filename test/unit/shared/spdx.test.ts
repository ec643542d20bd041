import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toSpdxId } from '../../../core/shared/spdx.ts'
import { runs } from '../../helpers/runs.ts'

const NAMES: Readonly<Record<string, string>> = {
  MIT: 'MIT',
  'The MIT License (MIT)': 'MIT',
  'Distributed under the MIT license': 'MIT',
  'MIT-0': 'MIT-0',
  'Apache 2.0': 'Apache-2.0',
  'Apache License, Version 2.0': 'Apache-2.0',
  'Apache License 2.0 (Apache-2.0)': 'Apache-2.0',
  apache2: 'Apache-2.0',
  GPLv3: 'GPL-3.0-only',
  'GPL v3+': 'GPL-3.0-or-later',
  'GPL-3.0': 'GPL-3.0-only',
  'GNU General Public License v3.0 or later': 'GPL-3.0-or-later',
  'GNU LGPL v2.1': 'LGPL-2.1-only',
  'GNU AFFERO GENERAL PUBLIC LICENSE, Version 3': 'AGPL-3.0-only',
  '3-Clause BSD License': 'BSD-3-Clause',
  'New BSD License': 'BSD-3-Clause',
  'BSD 2-Clause "Simplified" License': 'BSD-2-Clause',
  'CC BY 4.0': 'CC-BY-4.0',
  'Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International': 'CC-BY-NC-SA-4.0',
  CC0: 'CC0-1.0',
  'Mozilla Public License 2.0': 'MPL-2.0',
  'Eclipse Public License - v 2.0': 'EPL-2.0',
  'European Union Public Licence 1.2': 'EUPL-1.2',
  'Open Government Licence v3.0': 'OGL-UK-3.0',
  'Open Database License': 'ODbL-1.0',
  'Boost Software License 1.0': 'BSL-1.0',
  'Business Source License 1.1': 'BUSL-1.1',
  'Server Side Public License v1': 'SSPL-1.0',
  'The Unlicense': 'Unlicense',
}

/** Names that are ambiguous or do not name a licence. */
const OPEN = [
  '',
  'Apache',
  'BSD',
  'GPL',
  'Creative Commons',
  'Commercial',
  'Proprietary',
  'open-licence',
  'MIT OR Apache-2.0',
  'Apache-2.0 with something',
  'Licence of the Massachusetts Institute',
  'License',
  'constructor',
]

const LINKS: Readonly<Record<string, string>> = {
  'http://www.apache.org/licenses/LICENSE-2.0.html': 'Apache-2.0',
  'https://opensource.org/licenses/MIT': 'MIT',
  'https://opensource.org/license/bsd-3-clause/': 'BSD-3-Clause',
  'https://creativecommons.org/licenses/by/4.0/legalcode': 'CC-BY-4.0',
  'https://creativecommons.org/publicdomain/zero/1.0/': 'CC0-1.0',
  'https://www.gnu.org/licenses/gpl-3.0.en.html': 'GPL-3.0-only',
  'https://www.mozilla.org/en-US/MPL/2.0/': 'MPL-2.0',
  'https://spdx.org/licenses/EUPL-1.2.html': 'EUPL-1.2',
  'https://choosealicense.com/licenses/agpl-3.0/': 'AGPL-3.0-only',
  'https://unlicense.org': 'Unlicense',
  'https://acme.example/LICENSE-2.0': '',
  'https://evil.example/?https://opensource.org/licenses/MIT': '',
}

describe('the SPDX ID of a licence', () => {
  it.each(Object.entries(NAMES))('is found by the name %j: %s', (name, id) => {
    expect(toSpdxId({ name })).toBe(id)
  })

  it.each(OPEN)('is not guessed for %j', (name) => {
    expect(toSpdxId({ name })).toBe('')
  })

  it.each(Object.entries(LINKS))('is found by the link %s: %j', (link, id) => {
    expect(toSpdxId({ name: 'License', link })).toBe(id)
  })

  it('follows the name if name and link differ', () => {
    const link = 'https://opensource.org/licenses/MIT'
    expect(toSpdxId({ name: 'Apache 2.0', link })).toBe('Apache-2.0')
  })

  it.each([
    'MIT OR Apache-2.0',
    'MIT AND GPL-3.0-only',
    '(MIT or a commercial licence)',
    'MIT / Apache-2.0',
    'GPL-2.0-only WITH Classpath-exception-2.0',
  ])('of a combination is not that of its link: %j', (name) => {
    expect(toSpdxId({ name, link: 'https://opensource.org/licenses/MIT' })).toBe('')
  })

  it.each([
    ['Terms and conditions', 'MIT'],
    ['https://opensource.org/licenses/MIT', 'MIT'],
    ['GPL v2 or later', 'GPL-2.0-or-later'],
    ['BSD 3-Clause "New" or "Revised" License', 'BSD-3-Clause'],
    ['MIT, see the licence', 'MIT'],
  ])('of %j, which is not a combination: %s', (name, id) => {
    expect(toSpdxId({ name, link: 'https://opensource.org/licenses/MIT' })).toBe(id)
  })

  it('is idempotent for IDs, and an ID or empty for any text', () => {
    for (const id of new Set(Object.values(NAMES))) expect(toSpdxId({ name: id })).toBe(id)
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .constantFrom('gnu ', 'cc ', 'by ', 'v', '2.0', 'bsd ', '3 clause', 'mit ', 'or later')
        .chain((first) => fc.string({ maxLength: 10 }).map((rest) => first + rest)),
    )
    fc.assert(
      fc.property(text, (name) => {
        const id = toSpdxId({ name })
        expect(id === '' ? '' : toSpdxId({ name: id })).toBe(id)
      }),
      { seed: 7, numRuns: runs(500) },
    )
  })
})
