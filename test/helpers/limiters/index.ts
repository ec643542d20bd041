import { concurrencyModel, leakyBucketModel, tokenBucketModel } from './bucket-models.ts'
import type { LimiterModel } from './limiter.ts'
import { fastModel, flakyModel, otherPathModel, slowModel } from './open-models.ts'
import {
  fixedWindowModel,
  perKeyModel,
  quotaTextModel,
  silentDropModel,
  slidingWindowModel,
  slowDownModel,
  unavailableModel,
} from './window-models.ts'

/** Ten targets with a limit, and four without one. */
export const LIMITER_MODELS: Readonly<Record<string, LimiterModel>> = {
  'fixed window': fixedWindowModel,
  'sliding window': slidingWindowModel,
  'token bucket': tokenBucketModel,
  'leaky bucket': leakyBucketModel,
  'concurrency limit': concurrencyModel,
  '200 with a quota text': quotaTextModel,
  '503': unavailableModel,
  'silent drop': silentDropModel,
  'slow-down': slowDownModel,
  'per key': perKeyModel,
  'none, fast': fastModel,
  'none, slow': slowModel,
  'none, flaky': flakyModel,
  'none, behind 429 on another path': otherPathModel,
}
