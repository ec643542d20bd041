import type { AiServices } from '../../vendors/ai-services.ts'
import type { VendorRow } from '../../vendors/vendors.ts'
import type { NamedModel } from '../model/ai-usage.ts'
import type { FileScan } from '../model/file-scan.ts'
import type { Finding, RawFinding } from '../model/finding.ts'
import type { PackageFinding } from '../model/packages.ts'
import { hasScheme, toText } from '../model/pattern.ts'
import { isTestPath } from '../noise/path-roles.ts'
import { hostOf } from '../noise/url-hosts.ts'
import type { FileJoiner } from './join-files.ts'

/** Replaces the base of a model provider's library by that of another provider. */
export type ReplaceBase = (found: PackageFinding) => PackageFinding

/**
 * Finds the libraries of model providers whose clients all send requests to another provider
 * (`OpenAI(base_url="https://api.groq.com/openai/v1")`): in a file for its imports, in all files for
 * a dependency.
 */
export function findReplacedBases(scans: readonly FileScan[], joiner: FileJoiner): ReplaceBase {
  const byFile = new Map<string, string>()
  for (const scan of scans) {
    for (const { library, ...base } of scan.ai?.bases ?? []) {
      const key = `${scan.path} ${library}`
      if (byFile.has(key) || scan.ai?.defaults.includes(library)) continue
      const candidate = { ...base, method: undefined, via: 'base', confidence: 0.9 } as const
      const read = {
        ...scan,
        candidates: [{ ...candidate, needsCatalogue: false }],
        externalCalls: [],
      }
      const url = joiner
        .candidatesOf(read)
        .map((one) => toText(one.url))
        .find(hasScheme)
      if (url !== undefined && hostOf(url) !== hostOf(library)) byFile.set(key, url)
    }
  }
  const byProject = new Map<string, string | undefined>()
  for (const { path, findings } of byFile.size === 0 ? [] : scans) {
    if (isTestPath(path)) continue
    for (const { import: imported, url } of findings) {
      if (!imported) continue
      const replaced = byFile.get(`${path} ${url}`)
      byProject.set(url, byProject.has(url) ? replaced && byProject.get(url) : replaced)
    }
  }
  return (found) => {
    const isImport = found.import !== undefined
    const isDependency = found.via === 'manifest'
    const url = isImport
      ? byFile.get(`${found.file} ${found.url}`)
      : isDependency
        ? byProject.get(found.url)
        : undefined
    return url === undefined ? found : { ...found, url }
  }
}

/** Finds the providers that the names of models in a file select. */
export function findSelectedProviders(scan: FileScan, services: AiServices): readonly RawFinding[] {
  if (!scan.ai || isTestPath(scan.path)) return []
  const hasLibrary = scan.findings.some(({ import: imported }) => imported)
  return scan.ai.models.flatMap((model): readonly RawFinding[] => {
    const selected = selectProvider(model, services, hasLibrary)
    if (!selected) return []
    const { line, column, router } = model
    return [
      {
        ...{ file: scan.path, line, column, url: selected.row.url, method: undefined },
        ...{ via: 'model', confidence: 0.85, package: router, models: [selected.model] },
      },
    ]
  })
}

interface SelectedProvider {
  readonly row: VendorRow
  readonly model: string
}

function selectProvider(
  { name, router, isLoose }: NamedModel,
  services: AiServices,
  hasLibrary: boolean,
): SelectedProvider | undefined {
  if (router === undefined) return undefined
  const [, provider, rest = ''] = /^([A-Za-z][\w-]*)[:/](.+)$/.exec(name) ?? []
  if (router === GATEWAY) {
    const row = services.findByProvider('vercel_ai_gateway')
    return row && provider !== undefined && !isLoose ? { row, model: name } : undefined
  }
  if (provider !== undefined) {
    const row = router === CLOUD ? undefined : services.findByProvider(provider)
    return row?.kind === 'ai-models' ? { row, model: rest } : undefined
  }
  const row = hasLibrary && router !== CLOUD ? undefined : services.findByModel(name)
  if (!row || (router === CLOUD && row !== services.findByProvider('bedrock'))) return undefined
  return { row, model: name }
}

/** Libraries that select one provider for all models. */
const GATEWAY = 'pkg:npm/ai'
const CLOUD = 'pkg:pypi/boto3'

/**
 * Adds the names of models to the findings of the services that serve them: those of the same file
 * first, and any service only if the file or the project has no other one.
 */
export function addModels(
  found: readonly (readonly Finding[])[],
  given: { readonly scans: readonly FileScan[]; readonly services: AiServices },
): readonly (readonly Finding[])[] {
  const { scans, services } = given
  const models = new Map<Finding, Set<string>>()
  const add = (finding: Finding, name: string) =>
    models.set(finding, (models.get(finding) ?? new Set(finding.models)).add(name))
  const isService = ({ kind, via, file }: Finding) =>
    kind === 'ai-models' && via !== 'model' && !isTestPath(file)
  const all = found.flat().filter(isService)
  for (const finding of all) {
    const name = MODEL_IN_PATH.exec(finding.url)?.[1]
    if (name !== undefined) add(finding, decodePart(name))
  }
  for (const [at, scan] of scans.entries()) {
    if (!scan.ai || isTestPath(scan.path)) continue
    const near = (found[at] ?? []).filter(isService)
    const hasLibrary = scan.findings.some(({ import: imported }) => imported)
    for (const model of scan.ai.models) {
      if (selectProvider(model, services, hasLibrary)) continue
      const fits = ({ host }: Finding) => services.serves(host, model.name)
      const before = near.filter(({ line }) => line <= model.line)
      const finding =
        before.findLast(fits) ??
        near.find(fits) ??
        (model.isLoose ? undefined : all.find(fits)) ??
        findOnly(near) ??
        (model.isLoose ? undefined : findOnly(all))
      if (finding) add(finding, model.name)
    }
  }
  if (models.size === 0) return found
  return found.map((findings) =>
    findings.map((finding) => {
      const names = models.get(finding)
      return names ? { ...finding, models: [...names].sort() } : finding
    }),
  )
}

/** The first finding if all are of one host. */
function findOnly(findings: readonly Finding[]): Finding | undefined {
  const [first] = findings
  return findings.every(({ host }) => host === first?.host) ? first : undefined
}

/** `/models/gemini-2.0-flash:generateContent`, `/deployments/gpt-4o/chat`, `/model/amazon.titan/invoke`. */
const MODEL_IN_PATH =
  /\/(?:models?|deployments|engines)\/((?=[^/?#]*[\d-])[\w.@-]+(?:%3A\d+)?)(?=:[a-z]|[/?#]|$)/i

function decodePart(part: string): string {
  return part.replace(/%3A/i, ':')
}
