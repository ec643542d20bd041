export type * from './records.ts'
export { DEFAULT_BUDGET, MAX_BUDGET } from './records.ts'
export type { ListedRun, TestRun } from './runs.ts'
export type {
  HostConsent,
  LeftToday,
  RateLimitTests,
  StartedTest,
  TestRequest,
  TestTarget,
} from './service.ts'
