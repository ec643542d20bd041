import type { BomService } from './model.ts'

/** Joins the types and models of AI services, each once and sorted; absent if there are none. */
export function joinAi(
  services: readonly Pick<BomService, 'kinds' | 'models'>[],
): Pick<BomService, 'kinds' | 'models'> {
  const kinds = new Set(services.flatMap((service) => service.kinds ?? []))
  const models = new Set(services.flatMap((service) => service.models ?? []))
  return {
    ...(kinds.size > 0 && { kinds: [...kinds].sort() }),
    ...(models.size > 0 && { models: [...models].sort() }),
  }
}
