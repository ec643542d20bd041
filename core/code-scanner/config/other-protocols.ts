import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import type { RawFinding } from '../model/finding.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { createPlaceFinder } from '../model/places.ts'
import type { TextReader } from '../model/text-reader.ts'
import { isTestPath } from '../noise/path-roles.ts'
import { hostOf } from '../noise/url-hosts.ts'
import { isConfigPath } from './reader.ts'

/**
 * Finds the hosts of vendors that a project reaches by other protocols than HTTP: of mail and of
 * hosted databases, as values, as defaults and in connection strings.
 */
export const otherProtocolReader: TextReader = {
  fits: (path) => CODE.test(path) || SHELL.test(path) || isConfigPath(path),
  read({ path, text }) {
    if (isTestPath(path) || text.length > MAX_LENGTH) return []
    const placeOf = createPlaceFinder(text)
    const patterns = CODE.test(path) ? [QUOTED, DATABASE] : [QUOTED, ASSIGNED, DATABASE]
    const found = patterns
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .flatMap(({ 0: whole, 1: written = '', index: start }) => {
        const index = start + whole.lastIndexOf(written)
        const url = written.replaceAll(TEMPLATE, '{}')
        const isVendor = KNOWN_VENDORS.findByHost(hostOf(url) ?? '') !== undefined
        const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
        return !isVendor || NO_VALUE.test(line) ? [] : [{ url, index }]
      })
      .toSorted((a, b) => a.index - b.index)
    // Long lists of hosts are data.
    if (found.length > MAX_HOSTS) return []
    return found.map(
      ({ url, index }): RawFinding => ({
        ...{ file: path, ...placeOf(index), url, method: undefined },
        ...{ via: 'config', confidence: 0.6, package: undefined },
      }),
    )
  },
}

const MAX_LENGTH = 500_000

/** Most hosts of a file that are configuration. */
const MAX_HOSTS = 6

const CODE = matchPaths(`*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,coffee,py,rb,php,go,java,kt,scala,groovy}
  *.{cs,fs,vb,rs,ex,exs,swift,dart,erl,clj}`)

/** Scripts of shells, also those without an extension. */
const SHELL = /\.(?:ba|z)?sh$|\.ps1$|(?:^|\/)(?:bin|scripts?)\/[^/.]+$/

/** An unknown label of a host: `${REGION}`, `#{region}`, `{{ region }}`, `<cluster>`. */
const TEMPLATE = /[$#]?\{{1,2}[^{}\n]{1,40}\}{1,2}|<[\w-]{1,40}>/g

/** A host of mail such as `email-smtp.${REGION}.acme.com:587`. */
const MAIL_HOST = String.raw`((?:[\w-]+\.)?(?:[a-z]+-)?smtp(?:-[a-z]+)?\.(?:[\w-]+\.|[$#]?\{[^\s"']{1,40}\}\.){1,4}[a-z]{2,}(?::\d+)?)`

/** In quotes, or in a URL of mail with the name of a user. */
const QUOTED = new RegExp(
  String.raw`(?:["'\x60]|\bsmtps?:\/\/(?:[^\s"'@/]{1,200}@)?)${MAIL_HOST}(?=["'\x60/?])`,
  'g',
)

/** After a sign, perhaps as the default of a variable: `HOST=x`, `${HOST:-x}`. */
const ASSIGNED = new RegExp(String.raw`(?:=|:-?)[ \t]*${MAIL_HOST}(?=[\s"'},;]|$)`, 'g')

/** A connection string of a hosted database, with the credentials before the host. */
const DATABASE =
  /\bmongodb(?:\+srv)?:\/\/(?:[^\s"'`@/]{0,200}@)?((?:[\w-]+\.|[$#]?\{[^\s"'@]{1,40}\}\.|<[\w-]+>\.){1,4}mongodb\.net)/g

/** The start of a line that is a comment, or a text for people before the host. */
const NO_VALUE =
  /^\s*(?:#|\/\/|\/?\*|;|--|<!--)|(?:placeholder|example|hint|help|label|description|title)\w*["']?\s*(?:=>|[=:(])\s*["'`]$/i
