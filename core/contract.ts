import { agreementOperations } from './agreements/operations.ts'
import { bomOperations } from './boms/operations.ts'
import { catalogueOperations } from './catalogue/operations.ts'
import { discoveryOperations } from './discovery/operations.ts'
import { gatewayOperations } from './gateway/operations.ts'
import { defineOperations } from './http/operation.ts'
import { importOperations } from './imports/operations.ts'
import { rateLimitOperations } from './rate-limits/operations.ts'
import { scanOperations } from './scans/operations.ts'
import { systemOperations } from './system/operations.ts'
import { vulnerabilityOperations } from './vulnerabilities/operations.ts'

export type { CallInput, CallOutput, ForwardedResponse } from './http/call-types.ts'
export type {
  BodyValues,
  ForwardedHeader,
  Operation,
  Operations,
  UploadedFile,
} from './http/operation.ts'

/**
 * The list of all operations. Routes, validation, OpenAPI document, client and command line derive
 * from it.
 */
export const contract = defineOperations({
  ...gatewayOperations,
  ...catalogueOperations,
  ...importOperations,
  ...vulnerabilityOperations,
  ...scanOperations,
  ...rateLimitOperations,
  ...bomOperations,
  ...agreementOperations,
  ...discoveryOperations,
  ...systemOperations,
})

export type Contract = typeof contract
