export type { BomShape } from './bom-shapes.ts'
export { type BomSources, buildNetworkBom, buildProjectBom } from './build-bom.ts'
export { type BomUsage, buildFindingsBom } from './build-findings-bom.ts'
export type {
  BomVulnerability,
  CollectedBom,
  CollectedService,
  FindPackageVulnerabilities,
  FindVulnerabilities,
} from './collect-bom.ts'
export { type BomDifference, compareBoms, mergeBoms, type ServiceChange } from './combine.ts'
export { type BomValidation, explainBom } from './explaining/explain-bom.ts'
export type { Explanation } from './explaining/explanations.ts'
export type * from './model.ts'
export { type ReadBoms, type ReadShape, readBom } from './reading/read-bom.ts'
export {
  BOM_FORMATS,
  type BomFormat,
  SPEC_VERSIONS,
  type SpecVersion,
} from './records.ts'
export { type RenderOptions, renderBom, renderBoms } from './render-bom.ts'
export type { Boms, WrittenBom } from './service.ts'
