import { KNOWN_VENDORS } from './known-vendors.ts'
import type { ServiceKind } from './package-rows.ts'
import { replaceUnknownLabels } from './shared-hosts.ts'
import { VENDORS, type VendorRow } from './vendors.ts'

/** Knowledge of AI services: which hosts are theirs, and which models they serve. */
export interface AiServices {
  /** Type of the service at a host in lower case; undefined if it is not about AI. */
  findKind(host: string): ServiceKind | undefined
  /** True if the service at a host is known to serve a model of this name. */
  serves(host: string, model: string): boolean
  /** The first vendor that serves a model of this name. */
  findByModel(model: string): VendorRow | undefined
  /** By the name of the vendor in libraries that support many. */
  findByProvider(provider: string): VendorRow | undefined
}

/**
 * Creates the index of AI services. A row describes its own hosts. If all rows of a vendor have the
 * same type, all hosts of the vendor have it.
 */
export function createAiServices(rows: readonly VendorRow[]): AiServices {
  const exact = new Map<string, VendorRow>()
  const open: (readonly [fits: RegExp, row: VendorRow])[] = []
  const whole = new Map<string, VendorRow | undefined>()
  const providers = new Map<string, VendorRow>()
  const served: (readonly [fits: RegExp, row: VendorRow])[] = []
  for (const row of rows) {
    const { vendor, kind, url, hosts = [] } = row
    const isWhole = kind && (!whole.has(vendor) || whole.get(vendor)?.kind === kind)
    whole.set(vendor, isWhole ? (whole.get(vendor) ?? row) : undefined)
    if (!kind) continue
    for (const host of [/^\w+:\/\/([^/?#:]+)/.exec(url)?.[1] ?? '', ...hosts]) {
      if (host.includes('{')) open.push([compile(host.replaceAll('{}', '*'), '[^.]+'), row])
      else if (!exact.has(host)) exact.set(host, row)
    }
    for (const name of row.providers ?? []) {
      if (!providers.has(name)) providers.set(name, row)
    }
    for (const name of row.models ?? []) served.push([compile(name, '.*'), row])
  }

  // One test for the many names that are none of models.
  const anyModel = new RegExp(served.map(([fits]) => fits.source).join('|') || '(?!)')

  function findRow(host: string): VendorRow | undefined {
    const name = replaceUnknownLabels(host)
    const row = exact.get(name) ?? open.find(([fits]) => fits.test(name))?.[1]
    return row ?? whole.get(KNOWN_VENDORS.findByHost(host)?.name ?? '')
  }

  return {
    findKind: (host) => findRow(host)?.kind,
    serves(host, model) {
      const row = findRow(host)
      return row !== undefined && served.some(([fits, each]) => each === row && fits.test(model))
    },
    findByModel: (model) =>
      anyModel.test(model) ? served.find(([fits]) => fits.test(model))?.[1] : undefined,
    findByProvider: (provider) => providers.get(provider),
  }
}

function compile(name: string, any: string): RegExp {
  const parts = name.split('*').map((part) => part.replaceAll(/[\\^$+?.()|[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join(any)}$`)
}

export const AI_SERVICES: AiServices = createAiServices(VENDORS)
