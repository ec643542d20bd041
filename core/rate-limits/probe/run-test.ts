import type { Clock } from '../../ports.ts'
import type {
  DeclaredLimits,
  Evidence,
  PageParameter,
  Probe,
  ProbeAnswer,
  ProbeRecord,
  TestBudget,
} from '../records.ts'
import type { Timers } from './timers.ts'

/** What a run is made with. */
export interface RunTestRequest {
  readonly budget: TestBudget
  readonly declared: DeclaredLimits
  /** Which stages the endpoint allows. */
  readonly takes: {
    /** A body can be made larger. */
    readonly payload: boolean
    readonly page: PageParameter | undefined
  }
  readonly timers: Timers
  /** For the instants that headers name. */
  readonly clock: Clock
  /** Sends one request; resolves when its answer is there, or none will come. Never rejects. */
  readonly send: (probe: Probe, signal: AbortSignal) => Promise<ProbeAnswer>
  /** Asked before each request: whether it may be sent, else why the run ends. */
  readonly take: () => Promise<true | Evidence['stop']>
  /** Is told of each request once it is over, so that a later attempt knows of it. */
  readonly onRecord?: ((record: ProbeRecord) => void) | undefined
  /** What former attempts of the run saw; it goes on with what is left. */
  readonly former?: Pick<Evidence, 'records' | 'attempts' | 'sent'> | undefined
  readonly signal: AbortSignal
}
