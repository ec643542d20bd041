export { EGRESS_LIMITS } from '../../core/egress/limits.ts'
export { createDecoder } from './decoder.ts'
export { createFetchEgress, type FetchEgressOptions } from './fetch-egress.ts'
export {
  createHttpGet,
  type HttpGet,
  type HttpGetOptions,
  toAllowEntries,
} from './http-get.ts'
export {
  type Connect,
  type Connecting,
  type ConnectOptions,
  createPinnedEgress,
  type OwnAddress,
  type PinnedEgress,
  type PinnedEgressOptions,
  type Resolve,
} from './pinned-egress.ts'
