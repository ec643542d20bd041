import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import { isInComment } from '../model/comments.ts'
import type { SourceFile } from '../model/finding.ts'
import type { Language } from '../model/language.ts'
import type { PackageFinding } from '../model/packages.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { createPlaceFinder } from '../model/places.ts'
import type { TextReader } from '../model/text-reader.ts'
import { isTestPath } from '../noise/path-roles.ts'
import { domainOf, hostOf } from '../noise/url-hosts.ts'
import { findCredentialVendor, isVendorName } from './credential-names.ts'
import { isConfigPath } from './reader.ts'

/**
 * Finds the vendors for whose credentials a project has settings: in environments, in sections of
 * configuration, in secrets of builds, and where code reads its environment.
 */
export const credentialReader: TextReader = {
  fits: (path) => isConfigPath(path) || CODE.test(path),
  read(file) {
    const { path, text } = file
    if (isTestPath(path) || text.length > MAX_LENGTH) return []
    const placeOf = createPlaceFinder(text)
    const usages = new Map<string, PackageFinding>()
    const settings = CODE.test(path) ? listRead(file) : listConfigured(file)
    for (const { url, index } of settings.toSorted((a, b) => a.index - b.index)) {
      if (usages.has(url)) continue
      usages.set(url, {
        ...{ file: path, ...placeOf(index), url, method: undefined },
        ...{ via: 'config', confidence: 0.6, package: undefined, isDefault: true },
      })
    }
    return [...usages.values()]
  },
}

/** Removes the settings of code for vendors whose libraries it imports; commands import none. */
export function removeImported(
  { family }: Pick<Language, 'family'>,
  scanned: Readonly<Record<'findings' | 'imported', readonly PackageFinding[]>>,
): readonly PackageFinding[] {
  const { findings, imported } = scanned
  if (family === 'shell') return findings
  const toDomain = ({ url }: PackageFinding) => domainOf(hostOf(url) ?? url)
  const toVendor = ({ url }: PackageFinding) => KNOWN_VENDORS.findByHost(hostOf(url) ?? '')?.name
  const domains = new Set(imported.map(toDomain))
  const vendors = new Set(imported.map(toVendor))
  return findings.filter((found) => {
    const isGeneral = GENERAL.has(found.url) && vendors.has(toVendor(found))
    return found.via !== 'config' || !(isGeneral || domains.has(toDomain(found)))
  })
}

/** Bases that mean any service of their vendor. */
const GENERAL = new Set(['https://{}.amazonaws.com', 'https://{}.googleapis.com'])

/** Removes the settings of services whose actions or images the same file runs. */
export function removeSettings(findings: readonly PackageFinding[]): readonly PackageFinding[] {
  const run = new Set(findings.flatMap(({ via, url }) => (via === 'manifest' ? url : [])))
  return findings.filter(({ via, url }) => via !== 'config' || !run.has(url))
}

const MAX_LENGTH = 500_000

const CODE =
  matchPaths(`*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte,astro,coffee,py,rb,php,go,java,kt}
  *.{scala,groovy,gradle,kts,cs,fs,vb,rs,ex,exs,swift,dart,erl,clj}`)

/** Files of services that build the project. */
const BUILD = matchPaths(`.{github,forgejo,gitea,circleci,gitlab}/**.{yml,yaml} .gitlab-ci.yml
  {action,.travis,bitbucket-pipelines}.{yml,yaml}`)

/** A setting for a credential of the vendor with this base. */
interface Credential {
  readonly url: string
  readonly index: number
}

/** Lists the credentials that code reads from its environment. */
function listRead(file: SourceFile): readonly Credential[] {
  const { text } = file
  return READ.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ 0: whole, 1: name = '', index }) => {
      const url = findCredentialVendor(name)
      const at = index + whole.length - name.length
      const before = text.slice(Math.max(0, at - 60), at)
      const isCheck =
        CHECK.test(before) && !OF_FIELD.test(text.slice(index + whole.length, at + 250))
      const isFlag = FLAG.test(before) || COMPARED.test(text.slice(at + name.length, at + 120))
      const isRead = url !== undefined && BEFORE.test(before) && !isCheck && !isFlag
      return isRead && !isInComment(file, at) ? [{ url, index: at }] : []
    }),
  )
}

/** Names in capital letters: `getenv("ACME_API_KEY")`, `process.env.ACME_API_KEY`. */
const READ = [
  /[([,]\s{0,9}["']([A-Z][A-Z\d]{0,30}(?:_[A-Z\d]{1,30}){1,8})(?=["'])/g,
  /\benv\.([A-Z][A-Z\d]{0,30}(?:_[A-Z\d]{1,30}){1,8})\b/g,
]

/** The end of a text before the name of a setting. */
const BEFORE =
  /(?:buildConfigField\W{1,3}String\W{1,3},|(?:env|var|secret|setting|config)\w{0,20}[?!]?(?:\.\w{1,20}!?)?[([])\s*["']$|env\.$/i

/** A check for a setting, which other code reads: `@require_setting(`, `has_env(`. */
const CHECK =
  /@(?:\w{1,20}\.)?\w{0,20}(?:[Rr]equire|[Nn]eed|[Ss]kip|[Cc]heck)(?:[sd]|if)?(?![a-z])\w{0,20}\(\s*["']$|\b[Hh]as(?=[A-Z_?(])\w{0,20}\??\(\s*["']$/

/** A conversion to a boolean: `!!process.env.A`, `Boolean(env.A && env.B)`. */
const FLAG = /(?:!!|\bBoolean)\(?\s*(?:[\w.]{1,60}\s*&&\s*)?(?:\w{1,20}\.){0,3}env\.$/

const COMPARED = /^["'\])]{0,3}\s*(?:[!=]==?\s*(?:undefined|null|nil|""|'')|is\s+(?:not\s+)?None\b)/

/** The text after the name in a decorator of a field, whose value it is. */
const OF_FIELD =
  /^["'][^()\n]{0,60}\)\s+(?!(?:export\s|abstract\s)*class\b)[^(){}@\n]{1,80}(?:[;=:]|$)/m

/** Lists the credentials that a configuration has settings for, or refers to. */
function listConfigured(file: SourceFile): readonly Credential[] {
  const { path, text } = file
  const isBuild = BUILD.test(path)
  const keys = SETTINGS.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ 0: whole, 1: name = '', index }) => {
      if (isBuild && BUILD_TOKEN.test(name)) return []
      const url = findCredentialVendor(name)
      const at = index + whole.lastIndexOf(name)
      return url === undefined || isInComment(file, at, 'data') ? [] : [{ url, index: at }]
    }),
  )
  return [...keys, ...listSections(text)]
}

/** Names in capital letters anywhere, such as `${{ secrets.ACME_API_KEY }}`, and other keys. */
const SETTINGS = [
  /\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)(?![\w.])/g,
  /^[ \t]*(?:-[ \t]+)?["']?([a-z][\w.-]{3,60})["']?[ \t]*[:=]/gim,
]

/** The token of the service that builds the project. */
const BUILD_TOKEN = /^(?:github|gh|gitlab)[-_]token$/i

/** Lists sections with credentials that are named after a vendor: `[hcaptcha]`, `"Twilio": {`. */
function listSections(text: string): readonly Credential[] {
  return [...text.matchAll(SECTION)].flatMap(({ 0: head, 1: indent = '', 2: name = '', index }) => {
    if (!isVendorName(name)) return []
    const rest = text.slice(index + head.length, index + MAX_SECTION)
    for (const line of rest.split('\n', MAX_KEYS).slice(1)) {
      if (/^\s*(?:#.*)?$/.test(line)) continue
      const [, space = '', key = ''] = SECTION_KEY.exec(line) ?? []
      if (key === '' || (space.length <= indent.length && !head.includes('['))) break
      const url = findCredentialVendor(`${name}_${key}`)
      if (url !== undefined) return [{ url, index: index + indent.length }]
    }
    return []
  })
}

const SECTION =
  /^([ \t]*)(?:\[["']?|["']?)([A-Za-z][\w.-]{2,40})["']?(?:\]|[ \t]*[:=][ \t]*\{?)[ \t]*$/gm

const SECTION_KEY = /^([ \t]*)["']?([A-Za-z][\w.-]{0,40})["']?[ \t]*[:=]/

/** Limits of the part of a section that is read. */
const MAX_SECTION = 600
const MAX_KEYS = 9
