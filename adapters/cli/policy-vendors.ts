import { checkVendorNames, type Policy } from '../../core/assessments/index.ts'
import { type Io, toPrintable } from './io.ts'
import type { OpenService } from './service.ts'
import { suggestName } from './suggest-name.ts'

/** Prints the vendors in a policy's lists that are not known: they may be mistyped. */
export async function printUnknownVendors(
  io: Io,
  {
    policy,
    service,
  }: { readonly policy: Policy; readonly service: Pick<OpenService, 'storage'> | undefined },
): Promise<void> {
  if (!policy.vendors) return
  const catalogued = service ? await listCataloguedVendors(service) : []
  const { unknown, known } = checkVendorNames(policy, catalogued)
  if (unknown.length === 0) return
  const names = unknown.map((name) => `"${name}"${suggestName(name, known).replace('\n', ' ')}`)
  io.note(
    toPrintable(
      `Vendors of the policy that are not known here: ${names.join(', ')}. Check their spelling.`,
    ),
  )
}

async function listCataloguedVendors({
  storage,
}: Pick<OpenService, 'storage'>): Promise<readonly string[]> {
  const names: string[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await storage.catalogue.searchVendors({}, { page, size: 100 })
    names.push(...items.map(({ name }) => name))
    if (items.length === 0 || names.length >= total) return names
  }
}
