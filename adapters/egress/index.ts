export type { Egress, EgressAnswer, EgressLimits, EgressRequest } from '../../core/egress/egress.ts'
export { EgressError } from '../../core/egress/egress.ts'
export { createHttpGet, type HttpGet, type HttpGetOptions, toAllowed } from './http-get.ts'
export {
  type Connect,
  type ConnectOptions,
  createPinnedEgress,
  type OwnAddress,
  type PinnedEgress,
  type PinnedEgressOptions,
  type Resolve,
} from './pinned.ts'
