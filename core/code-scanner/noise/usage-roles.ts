import { isApiOfFileHost, isDownload, isFileHost, isPackageIndex } from '../model/downloads.ts'
import { type Finding, USAGE_ROLES, type UsageRole } from '../model/finding.ts'
import { findFileRole } from './path-roles.ts'

/** Properties of a usage that its role depends on. */
type RatedUsage = Pick<Finding, 'url' | 'file'> &
  Partial<Pick<Finding, 'method' | 'via' | 'isOwnHost' | 'package' | 'apiId' | 'dependencyRole'>>

/**
 * Returns the role of a usage by its host, its URL, its file and the scope of a library.
 *
 * @example
 * ```ts
 * import { findUsageRole } from 'api-discovery/scans'
 *
 * findUsageRole({ url: 'https://api.acme.io/v1', file: 'Makefile' }) // 'build'
 * ```
 */
export function findUsageRole(usage: RatedUsage): UsageRole {
  const { url, method = 'get', via, file, isOwnHost, package: library, apiId } = usage
  const isPlugin = library?.startsWith('pkg:gradle/')
  const { dependencyRole = isPlugin ? 'build' : 'production' } = usage
  if (isOwnHost) return 'own-host'
  const fileRole = findFileRole(file)
  const role = compareRoles(fileRole, dependencyRole) < 0 ? dependencyRole : fileRole
  // Registries that a manifest names receive what a build publishes.
  if (library !== undefined || apiId !== undefined || via === 'manifest') return role
  if (isApiOfFileHost(url) || !/^(?:get|head)$/.test(method)) return role
  const isImage = IMAGE_SCRIPT.test(file)
  if (role === 'production' && (isImage || SCRIPT.test(file)))
    return isDownload(url) || (isImage && isFileHost(url)) ? 'download' : role
  // Other code may fetch files as data.
  if (role !== 'build' && !GRADLE.test(file)) return role
  return isDownload(url) || isFileHost(url) || isPackageIndex(url) ? 'download' : role
}

/** Scripts, which install the files that they fetch; without an extension by their names. */
const SCRIPT = /\.(?:sh|bash|zsh|ps1|bat)$|(?:^|\/)(?:install|setup|bootstrap)(?:[-_][^./]+)?$/

/** Scripts of images, in containers or beside them. */
const IMAGE_SCRIPT = /^docker\/(?:[\w.-]+\/)*[\w-]+(?:\.(?:sh|bash))?$/i

/** Build files, which also declare libraries of production code. */
const GRADLE = /\.gradle(?:\.kts)?$/

/** Compares roles, most relevant first. */
export function compareRoles(a: UsageRole, b: UsageRole): number {
  return USAGE_ROLES.indexOf(a) - USAGE_ROLES.indexOf(b)
}

/** Returns the most relevant role of usages. */
export function findMainRole(usages: readonly RatedUsage[]): UsageRole {
  return listRoles(usages)[0] ?? 'production'
}

/** Lists the roles of usages, each once, most relevant first. */
export function listRoles(usages: readonly RatedUsage[]): readonly UsageRole[] {
  const roles = new Set(usages.map(findUsageRole))
  return USAGE_ROLES.filter((role) => roles.has(role))
}
