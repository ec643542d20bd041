import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import { readAssignments } from '../formats/assignments.ts'
import { readDockerfile } from '../formats/dockerfile.ts'
import { type Entry, type EntryReader, unquote } from '../formats/entries.ts'
import { readJson } from '../formats/json.ts'
import { readTerraform } from '../formats/terraform.ts'
import { readXml } from '../formats/xml.ts'
import { readYaml } from '../formats/yaml.ts'
import { isDownload } from '../model/downloads.ts'
import type { RawFinding } from '../model/finding.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { createPlaceFinder } from '../model/places.ts'
import { toSettingKey } from '../model/setting-keys.ts'
import type { TextReader } from '../model/text-reader.ts'
import {
  isHostName,
  isNoiseHost,
  isNoiseUrl,
  isOtherProtocolHost,
  looksLikeApi,
} from '../noise/noise.ts'
import { hostOf, startsWithHost } from '../noise/url-hosts.ts'
import { findFetched } from './fetched-files.ts'
import { isOfOtherProtocol, judgeKeys } from './roles.ts'

/** Finds the addresses in configuration: YAML, JSON, TOML, INI, properties, `.env`, XML, Terraform. */
export const configReader: TextReader = {
  fits: isConfigPath,
  read({ path, text }) {
    const read = findReader(path)
    if (!read || !isConfiguration(text)) return []
    const placeOf = createPlaceFinder(text)
    const found = read(text)
      .map(toAssignment)
      .flatMap((entry) =>
        addressesOf(entry).map(({ url, index, confidence, dependencyRole }): RawFinding => {
          const place = placeOf(index)
          return {
            file: path,
            ...place,
            url,
            method: undefined,
            via: 'config',
            confidence,
            package: undefined,
            ...(dependencyRole && { dependencyRole }),
          }
        }),
      )
    // Long lists of addresses are data.
    return found.length > MAX_ADDRESSES ? [] : found
  },
  names({ path, text }) {
    const isEnvironment = ENVIRONMENT.test(path)
    const isApplication = APPLICATION.test(path)
    const isData = !isApplication && path.endsWith('.json') && text.length < MAX_DATA_LENGTH
    const read = isEnvironment || isApplication || isData ? findReader(path) : undefined
    if (!read || !isConfiguration(text)) return {}
    const named: Record<string, string> = {}
    for (const entry of read(text)) {
      const { keys } = entry
      const { value } = toValue(entry)
      const key = keys.at(-1) ?? ''
      if (!URL_START.test(value) && !(isHostName(key) && startsWithHost(value))) continue
      if (isEnvironment) named[key] = value
      // Code imports the file as a module. The first item of a list stands for all.
      else if (isData) named[`default.${keys.join('.')}`] ??= value
      else if (!isNoiseHost(value)) {
        // A class of options names the last section.
        for (const parts of [keys, keys.slice(-2)]) named[toSettingKey(parts)] = value
      }
    }
    return named
  },
}

/** Whether a file contains configuration, by its path. */
export function isConfigPath(path: string): boolean {
  return findReader(path) !== undefined && !NOT_CONFIG.some((one) => one.test(path))
}

const ENVIRONMENT = matchPaths(
  '.env{,.*} *.env{,.example,.sample,.dist,.template,.tpl,.j2} .envrc .flaskenv env.{sample,example}',
)

/** Settings of Spring, Quarkus and .NET. */
const APPLICATION = matchPaths(
  '{application,bootstrap}{,-*}.{yml,yaml} *.properties {appsettings,local.settings}{,.*}.json',
)

/** Maximum length of configuration, and of data whose addresses code may import. */
const MAX_LENGTH = 500_000
const MAX_DATA_LENGTH = 100_000

/** Most addresses of a file that is configuration. */
const MAX_ADDRESSES = 60

const READERS: readonly (readonly [fits: RegExp, read: EntryReader])[] = [
  [ENVIRONMENT, readAssignments],
  [
    matchPaths('*.{yml,yaml}{,.enc}{,.example,.sample,.dist,.template,.tmpl,.tpl,.j2,.erb}'),
    readYaml,
  ],
  [matchPaths('*.{json,jsonc,json5}{,.example,.sample,.dist}'), readJson],
  [
    matchPaths(
      '*.{toml,ini,cfg,conf,properties,config.example} *.conf.{template,tpl,j2,erb} Caddyfile',
    ),
    readAssignments,
  ],
  [matchPaths('*.{tf,tfvars,hcl,tofu}{,.example,.sample,.dist}'), readTerraform],
  [matchPaths('{Docker,Container}file{,.*} *.{Docker,Container}file{,.*}'), readDockerfile],
  [
    matchPaths(`*{config,settings,context,application,properties,strings,beans}*.xml *.{config,plist}
      res/values/*.xml`),
    readXml,
  ],
]

/** Manifests, lock files, translations, snapshots, recorded answers, descriptions of documentation. */
const NOT_CONFIG: readonly RegExp[] = [
  matchPaths(`{package,package-lock,composer,bower,tsconfig*,jsconfig,lerna,nx,turbo,biome}.{json,jsonc}
    {renovate,.renovaterc}{,.json,.json5}
    {components,manifest,angular,project,.eslintrc,.prettierrc,.babelrc,codemeta,vcpkg,deno}.{json,jsonc}
    {import_map,importmap,contributors,all-contributorsrc,.all-contributorsrc}.{json,jsonc}
    {pyproject,Cargo,Pipfile,rust-toolchain,netlify.lock}.toml {setup,tox,mypy,pytest}.{cfg,ini}
    {mkdocs,.pre-commit-config,dependabot,pnpm-workspace,pubspec,FUNDING,CITATION}.{yml,yaml}
    {.readthedocs,_config,codecov,environment}.{yml,yaml} .npmrc .editorconfig .pypirc nuget.config
    {locale,locales,i18n,lang,langs,translations,messages,l10n}/** res/values-*/** {__snapshots__,snapshots}/**
    {cassettes,vcr_cassettes,__fixtures__,testdata,recordings}/**
    {test,tests,__tests__,spec,specs,fixtures,mocks,__mocks__}/**.{json,xml}
    {ISSUE_TEMPLATE,schema,schemas,openapi,swagger,postman,doc,docs}/**`),
  /[.-](?:lock|schema|postman_(?:collection|environment)|openapi|swagger|har|tsbuildinfo|ipynb|min)\.?(?:json|ya?ml)?$/i,
]

function findReader(path: string): EntryReader | undefined {
  return READERS.find(([fits]) => fits.test(path))?.[1]
}

/** Not so: descriptions of APIs, collections of requests, recorded traffic, JSON schemas. */
function isConfiguration(text: string): boolean {
  if (
    text.length > MAX_LENGTH ||
    !(text.includes('://') || /host|domain|endpoint|server|externalName|datadoghq/i.test(text))
  ) {
    return false
  }
  const head = text.slice(0, 4000)
  return !(
    /^[ \t]*(?:\{[ \t]*)?["']?(?:openapi|swagger|asyncapi)["']?[ \t]*:[ \t]*["']?\d/m.test(head) ||
    /"_postman_id"|schema\.getpostman\.com|"_type"\s*:\s*"export"|"log"\s*:\s*\{\s*"version"/.test(
      head,
    ) ||
    /"\$schema"\s*:\s*"[^"]*json-schema\.org/.test(head) ||
    /"@context"\s*:/.test(head)
  )
}

/** Reads an assignment in a line of its own: `- API_URL=https://…`, `api.url: https://…`. */
function toAssignment(entry: Entry): Entry {
  const [, start = '', key, text = ''] = (entry.isLine && ASSIGNMENT.exec(entry.value)) || []
  if (key === undefined) return entry
  const value = unquote({ text: text.replace(/["']$/, ''), index: entry.index + start.length })
  return { keys: [...entry.keys, key], ...value }
}

const ASSIGNMENT = /^((?:-\s+)?(?:export\s+)?([A-Za-z_][\w.-]*)(?:\s*=\s*|:\s+))(\S.*)$/s

/** A region of Datadog, as its agents and libraries are configured: `DD_SITE=datadoghq.eu`. */
const DATADOG_SITE = /^(?:[a-z]+\d\.)?(?:datadoghq\.(?:com|eu)|ddog-gov\.com)$/

/** Hosts of services that send mail. */
const MAIL_HOST = /^(?:[\w-]+-)?smtp[\w-]*\./

const API_HOST = /^api[.-]/

const URL_START = /^(?:https?|wss?):\/\//i

interface Address {
  readonly url: string
  readonly index: number
  readonly confidence: number
  readonly dependencyRole?: RawFinding['dependencyRole']
}

function addressesOf(entry: Entry): readonly Address[] {
  const { value, index, isConnection } = toValue(entry)
  const fetched = findFetched({ ...entry, value, index })
  if (fetched.length > 0) {
    return fetched.map(({ url, index: at }) => {
      return { url: fillVariables(url), index: at, confidence: 0.8, dependencyRole: 'download' }
    })
  }
  const role = judgeKeys(entry.keys)
  if (role === 'other') {
    return DATADOG_SITE.test(value) ? [{ url: value, index, confidence: 0.8 }] : []
  }
  if (value.length > MAX_VALUE) return []
  const name = entry.keys.at(-1) ?? ''
  if (!URL_START.test(value)) {
    const isHost =
      /^[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d+)?(?:\/\S*)?$/i.test(value) && startsWithHost(value)
    if (!isHost || isNoiseHost(value) || isFileName(value)) return []
    const host = hostOf(value) ?? ''
    const isVendor = KNOWN_VENDORS.findByHost(host) !== undefined
    if (isVendor && MAIL_HOST.test(host)) return [{ url: value, index, confidence: 0.6 }]
    const isNamed = isHostName(name) || /endpoint|api|url|base|^externalName$/i.test(name)
    if (!isNamed && !(isVendor && API_HOST.test(host))) return []
    // A domain alone may be any, the own one too.
    const isApi =
      role === 'own' || /domain/i.test(name)
        ? looksLikeApi(value) || isVendor
        : !isOfOtherProtocol(entry.keys) && !isOtherProtocolHost(value)
    return isNoiseUrl(value) || !isApi ? [] : [{ url: value, index, confidence: 0.6 }]
  }
  if (!isListOfUrls(value)) return []
  const parts = /(?:https?|wss?):\/\/[^\s"'`,;|<>\\)]+/gi
  return [...value.matchAll(parts)].flatMap((match): readonly Address[] => {
    const url = fillVariables(match[0])
    const isKnown = isConnection || looksLikeApi(url) || isApiHost(url)
    if (isNoiseHost(url) || (isNoiseUrl(url) && !(isKnown && role === 'address'))) return []
    if ((role === 'unknown' && !isKnown) || isDownload(url)) return []
    if (role === 'own' && !isKnown && !KNOWN_VENDORS.findByHost(hostOf(url) ?? '')) return []
    const confidence = role === 'address' ? (isKnown ? 0.8 : 0.7) : 0.5
    return [{ url, index: index + match.index, confidence }]
  })
}

function fillVariables(text: string): string {
  return text.replaceAll(
    /\$?\{\{?[^{}]*\}\}?|%(?:\d\$)?(?:[sd]|f(?![\da-fA-F]))|%\w+%|\$\w+/g,
    '{}',
  )
}

/** Whether a known vendor's API is at exactly the host of a URL. */
function isApiHost(url: string): boolean {
  const host = hostOf(url) ?? ''
  return !host.startsWith('www.') && KNOWN_VENDORS.findByHost(host)?.by === 'host'
}

/** Longest value that is an address, or some. */
const MAX_VALUE = 4000

/** Whether all words of a text that begins with a URL are URLs, whatever marks are between them. */
function isListOfUrls(value: string): boolean {
  const words = value.trim().split(/\s+/)
  return words.slice(1).every((word) => /^[,;|]*(?:(?:https?|wss?):\/\/|$)/i.test(word))
}

/**
 * The value, or the default of the variable that it is (`${NAME:-https://…}`, `${NAME:https://…}`), or
 * the address in a connection string (`Key=…;Endpoint=https://…`).
 */
function toValue(entry: Entry): {
  readonly value: string
  readonly index: number
  readonly isConnection?: true
} {
  const { index } = entry
  const text = entry.value.replaceAll('\\/', '/')
  const [connection, start = '', scheme = ''] = CONNECTION.exec(text) ?? []
  if (connection) {
    const rest = connection.slice(start.length + scheme.length)
    const value = (scheme === 'sb' ? 'https' : scheme) + rest
    return { value, index: index + start.length, isConnection: true }
  }
  // An expression of Google Workflows: `${"https://…/v1/" + id}`.
  const [, open = '', address] = /^(\$?\$\{\s*")(https?:\/\/[^"\s]+)"\s*[+}]/.exec(text) ?? []
  if (address) return { value: `${address}{}`, index: index + open.length }
  // Blanks in templates separate nothing.
  const value = text.replaceAll(/\{\{(?:[^{}\n]|\{\{[^{}\n]*\}\})*\}\}/g, '{}')
  const given =
    /^\$\{(?:\{?\s*[\w.]+|(?:env|opt|param):[\w.-]+)\s*(?::-?|\|\|?|-|,)\s*['"]?(?=\w+:\/\/)/.exec(
      text,
    )
  if (!given) return { value, index }
  const rest = text.slice(given[0].length)
  return { value: rest.replace(/['"]?\s{0,9}\}\}?/, ''), index: index + given[0].length }
}

const CONNECTION = /^((?:[^;\s]*;\s?){0,20}?\w*Endpoint=)(https?|sb):\/\/[^;\s]+/i

function isFileName(value: string): boolean {
  return /\.(?:js|ts|py|rb|go|rs|sh|md|json|ya?ml|txt|html?|css|png|jpe?g|svg|zip|so|in|me|pl|app)$/i.test(
    value,
  )
}
