import type { DeclaredLimits, Evidence, Probe, ProbeAnswer, TestBudget } from '../records.ts'
import type { Timers } from './timers.ts'

/** What a run is made with. */
export interface RunTestRequest {
  readonly budget: TestBudget
  readonly declared: DeclaredLimits
  /** Which stages the endpoint allows. */
  readonly takes: {
    /** A body can be made larger. */
    readonly payload: boolean
    /** The parameter that asks for a page size, and what it is asked for usually. */
    readonly page: { readonly parameter: string; readonly size: number } | undefined
  }
  readonly timers: Timers
  /** Sends one request; resolves when its answer is there, or none will come. Never rejects. */
  readonly send: (probe: Probe, signal: AbortSignal) => Promise<ProbeAnswer>
  /** Asked before each request: whether it may be sent, else why the run ends. */
  readonly take: () => Promise<true | Evidence['stop']>
  /** What former attempts of the run saw; it goes on with what is left. */
  readonly former?: Pick<Evidence, 'records' | 'attempts' | 'sent'> | undefined
  readonly signal: AbortSignal
}
