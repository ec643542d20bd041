import type { Generated } from 'kysely'

/** The tables of jobs, see `core/jobs/store.ts`, and of rate-limit tests beside them. */
export interface JobTables {
  readonly job: JobTable
  readonly job_number: JobNumberTable
  readonly probe_token: ProbeTokenTable
  readonly probe_day: ProbeDayTable
  readonly probe_run: ProbeRunTable
}

export interface JobTable {
  /** The job's id; given by the database. */
  position: Generated<number>
  kind: string
  account_id: string
  /** Of the account and the kind. */
  number: number
  subject: string
  /** Empty for none; no two open jobs have the same. */
  lock_name: string
  /** What a worker must have; empty for nothing. */
  needs: string
  /** One of `JOB_STATES`. */
  state: string
  /** When it may be claimed: when it is due, or its lease runs out. Null once it has ended. */
  claim_at: number | null
  /** Of the newest claim; 0 before the first. */
  fence: number
  attempts: number
  max_attempts: number
  is_cancelled: number
  created_at: number
  due_at: number
  started_at: number | null
  ended_at: number | null
  failure: string
  /** JSON for lists, or empty. */
  summary: string
  /** JSON, like the next two, or empty; last, as these may be large. */
  input: string
  checkpoint: string
  result: string
}

/** The newest number of an account's jobs of a kind. */
export interface JobNumberTable {
  account_id: string
  kind: string
  newest: number
}

/** By which hosts show that an account may test them. */
export interface ProbeTokenTable {
  account_id: string
  token: string
  created_at: number
}

/** Requests of rate-limit tests on a day, of an account and to a host. */
export interface ProbeDayTable {
  /** `account` or `host`. */
  scope: string
  /** The account's id, or the host's name and port. */
  name: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  taken: number
}

/** Requests of one rate-limit test, in all its attempts. */
export interface ProbeRunTable {
  job_id: number
  /** What it may take; as long as its job is open, the rest is reserved of its account's day. */
  budget: number
  taken: number
}
