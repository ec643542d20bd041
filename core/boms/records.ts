/** CycloneDX versions that can be written. */
export const SPEC_VERSIONS = ['1.5', '1.6', '1.7'] as const

export type SpecVersion = (typeof SPEC_VERSIONS)[number]

/** Document formats of BOMs. */
export const BOM_FORMATS = ['specification', 'cyclonedx-json', 'cyclonedx-xml'] as const

export type BomFormat = (typeof BOM_FORMATS)[number]
