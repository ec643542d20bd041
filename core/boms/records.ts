/** Versions of CycloneDX that we write. */
export const SPEC_VERSIONS = ['1.5', '1.6', '1.7'] as const

export type SpecVersion = (typeof SPEC_VERSIONS)[number]

/** What a bill of materials can be asked as. */
export const BOM_FORMATS = ['specification', 'cyclonedx-json', 'cyclonedx-xml'] as const

export type BomFormat = (typeof BOM_FORMATS)[number]
