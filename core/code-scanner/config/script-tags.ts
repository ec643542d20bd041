import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import { isInComment } from '../model/comments.ts'
import { matchPaths, PAGE_PATHS } from '../model/path-patterns.ts'
import { createPlaceFinder } from '../model/places.ts'
import type { TextReader } from '../model/text-reader.ts'
import { looksLikeApi } from '../noise/noise.ts'
import { findFileRole } from '../noise/path-roles.ts'
import { hostOf } from '../noise/url-hosts.ts'

/** Finds scripts that load a vendor's client of its API, and frames of an API. */
export const scriptTagReader: TextReader = {
  // Pages of tests are often recordings of other sites.
  fits: (path) => (MARKUP.test(path) && findFileRole(path) !== 'test') || CODE.test(path),
  read(file, { findDependency }) {
    const { path, text } = file
    const isMarkup = MARKUP.test(path)
    if (!isMarkup && !text.includes('.src') && !text.includes('Script')) return []
    const placeOf = createPlaceFinder(text)
    const scripts = isMarkup
      ? [SCRIPT_TAG, INDENTED_TAG, SCRIPT_HELPER, SCRIPT_LOADER]
      : [SCRIPT_LOADER]
    const matches = scripts.flatMap((pattern) => [...text.matchAll(pattern)])
    return matches.flatMap((match) => {
      if (isInComment(file, match.index + 1)) return []
      const written = match[1] ?? match[2] ?? ''
      const source = fillVariables(written, text)
      const [, onCdn] = NPM_CDN.exec(source) ?? []
      const library = onCdn && findDependency?.(`pkg:npm/${onCdn}`)
      const isFrame = match[0].startsWith('<iframe')
      const isKnown = isVendorScript(source) && (!isFrame || ACCOUNT.test(source))
      if (!library && !isKnown && !(isFrame && looksLikeApi(source))) return []
      const place = placeOf(match.index + match[0].lastIndexOf(written))
      const whole = source.replace(/^\/\//, 'https://').replace(/\{+$/, '{}')
      const url = library ? library.url : whole
      const found = library ? library.package : undefined
      return [
        {
          file: path,
          ...place,
          url,
          method: undefined,
          via: 'import' as const,
          confidence: 0.8,
          package: found,
        },
      ]
    })
  },
}

const MARKUP = matchPaths(`${PAGE_PATHS} *.{jsx,tsx,pug,jade,haml,slim}`)

const CODE = matchPaths('*.{js,mjs,cjs,ts,mts,cts}')

const SCRIPT_TAG =
  /<(?:[Ss]cript|iframe)\s(?:[^<>]{0,500}?\s)?src\s*=\s*\{?["'`]((?:https?:)?\/\/[^\s"'`<>]+)/g

/** Tags of templates without angle brackets: Pug `script(src='…')`, Haml `%script{src: '…'}`, Slim. */
const INDENTED_TAG =
  /^[ \t]*%?script[ ({](?:[^\n]{0,500}?[ ,:({])??src['"]?\s*(?:=>?|:)\s*["'`]((?:https?:)?\/\/[^\s"'`]+)/gm

/** `javascript_include_tag "…"` of Rails, `"…" | script_tag` of Liquid. */
const SCRIPT_HELPER =
  /javascript_include_tag[\s(]+["'](https?:\/\/[^\s"']+)|["'](https?:\/\/[^\s"']+)["']\s*\|\s*script_tag/g

/** Functions and assignments that add a script to a page or a worker. */
const SCRIPT_LOADER = new RegExp(
  String.raw`\b(?:getScript|importScripts|(?:load|use|inject|append|add)(?:External)?Script)` +
    String.raw`\(\s*["'\x60](https?:\/\/[^\s"'\x60]+)` +
    String.raw`|(?:(?:[Ss]cript\w*|js|tag)\.src\s*=\s*["'\x60](?=https?:)` +
    String.raw`|\.src\s*=\s*["'\x60](?=https?:[^\s"'\x60]*[./]js(?=[?\x23"'\x60])))([^\s"'\x60]+)`,
  'g',
)

/** The account of a vendor's customer, in the query of a frame. */
const ACCOUNT = /[?&](?:id|key|api_?key|token|client_?id|app_?id|account)=/i

/** Replaces `${c}` in a host by the text that a script binds to the name: `c="google"`. */
function fillVariables(source: string, text: string): string {
  return source.replaceAll(/\$\{(\w{1,40})\}/g, (whole, name: string) => {
    const [, value] = new RegExp(`\\b${name}\\s*=\\s*["']([\\w.-]+)["']`).exec(text) ?? []
    return value ?? whole
  })
}

/** Hosts with the files of packages of npm: `cdn.jsdelivr.net/npm/algoliasearch@4/…`. */
const NPM_CDN =
  /^(?:https?:)?\/\/(?:cdn\.jsdelivr\.net\/npm|unpkg\.com|esm\.sh)\/((?:@[\w.-]+\/)?[\w.-]+)/

function isVendorScript(source: string): boolean {
  const host = hostOf(source) ?? ''
  return KNOWN_VENDORS.findByHost(host) !== undefined && !FILE_HOSTS.test(source)
}

/** Hosts of vendors with files of others, or with libraries that call nothing. */
const FILE_HOSTS = new RegExp(
  [
    'ajax\\.googleapis|fonts\\.|cdnjs\\.|ajax\\.aspnetcdn|ajax\\.microsoft|kit\\.|use\\.',
    'www\\.gstatic\\.com/(?!firebasejs|recaptcha|cast)|storage\\.googleapis|s3[.-]|[^/]*\\.s3[.-]',
    '(?:raw|gist)\\.|[^/]*(?:githubusercontent|github|gitlab|blob\\.core\\.windows)\\.|cdn\\.rawgit',
    'cdn\\.shopify|cdn\\.contentful|images?\\.|assets\\.ctfassets|res\\.cloudinary',
  ]
    .map((hosts) => `^(?:https?:)?//(?:${hosts})`)
    .join('|'),
  'i',
)
