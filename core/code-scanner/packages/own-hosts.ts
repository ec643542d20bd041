import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import type { RawFinding, SourceFile } from '../model/finding.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { looksLikeApi } from '../noise/noise.ts'
import { hostOf } from '../noise/url-hosts.ts'

/**
 * Finds the hosts at which a project itself is: its homepage in manifests, its domain in `CNAME`, in
 * the settings of Rails and Laravel, and hosts that its cluster serves.
 */
export function findOwnHosts({ path, text }: SourceFile): readonly string[] {
  const pattern = PATTERNS.find(([paths]) => paths.test(path))?.[1]
  if (!pattern || (pattern === SERVED && !SERVES.test(text))) return []
  const hosts = [...text.matchAll(pattern)].flatMap((match) => hostOf(match[1] ?? '') ?? [])
  return [...new Set(hosts)].filter((host) => !KNOWN_VENDORS.findByHost(host))
}

/** Whether a finding only names a page of the project itself. */
export function isOwnSite({ via, url }: RawFinding, hosts: ReadonlySet<string>): boolean {
  if (via !== 'config' && via !== 'literal' && via !== 'base') return false
  return hosts.has(hostOf(url) ?? '') && !looksLikeApi(url)
}

/** Hosts of rules for requests from outside: `host: app.acme.io`, ``Host(`app.acme.io`)``. */
const SERVED = /(?:^[ \t]*(?:-[ \t]+)?host(?:name)?:[ \t]*["']?|\bHost\(`)([\w-]+(?:\.[\w-]+)+)/gm

const SERVES = /^[ \t]*kind:[ \t]*(?:Ingress|HTTPRoute)|^[ \t]*(?:ingress|route):|\bHost\(`/m

const PATTERNS: readonly (readonly [paths: RegExp, hosts: RegExp])[] = [
  [/(?:^|\/)CNAME$/, /^([\w-]+(?:\.[\w-]+)+)\s*$/g],
  [
    matchPaths('{package,composer}.json {pyproject,Cargo}.toml *.gemspec setup.{py,cfg}'),
    /\bhomepage(?:_url|_uri)?["']?\s*[:=]\s*["'](https?:\/\/[^"'\s]+)/gi,
  ],
  [matchPaths('*.{yml,yaml}'), SERVED],
  // The base of links in mails and site maps.
  [
    matchPaths('config/**.rb'),
    /\bdefault_(?:url_options\W+\{[^}#]{0,80}?|(?:host|url_options)\b[^#\n]{0,40}?)["'](?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+)/g,
  ],
  [matchPaths('.env{,.*}'), /^(?:APP|SITE)_(?:URL|HOST|DOMAIN)=["']?(\S+?)["']?\s*$/gm],
]
