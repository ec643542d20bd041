import type { Approval } from '../../scans/records.ts'
import type { StatementEvidence } from '../records.ts'
import type { Assessment } from '../service.ts'
import type { PolicyWordKind } from './words.ts'

/** What must not be, and what is let pass for a time. Read with `parsePolicy`. */
export interface Policy {
  /** What fails, what the lists below forbid included. */
  readonly deny: readonly PolicyWord[]
  /** What is reported and does not fail. */
  readonly warn: readonly PolicyWord[]
  /** By name, case and spacing folded. */
  readonly vendors: PolicyList | undefined
  /** SPDX ids; names of those that have none. */
  readonly licences: PolicyList | undefined
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries: PolicyList | undefined
  readonly exceptions: readonly PolicyException[]
}

/** A word of a policy, taken apart. */
export interface PolicyWord {
  /** As it stands in the policy: `cve>=7`. */
  readonly text: string
  readonly kind: PolicyWordKind
  /** The score of `cve>=N`, the days of `stale>N`; undefined of others. */
  readonly number: number | undefined
  /** The category of `bad:…`, the rule of `statement:…`; undefined of others. */
  readonly name: string | undefined
}

/** What alone is allowed, and what is not. */
export interface PolicyList {
  /** Undefined: anything that is not denied. */
  readonly allow: readonly string[] | undefined
  readonly deny: readonly string[]
}

/** What is let pass until a day; one of `api`, `vendor` and `host` says where. */
export interface PolicyException {
  /** Id, name or `vendor/name` of an API. */
  readonly api?: string | undefined
  readonly vendor?: string | undefined
  readonly host?: string | undefined
  /** Words as they stand in the policy. */
  readonly allow: readonly string[]
  /** `YYYY-MM-DD`: the last day, in UTC. */
  readonly until: string
  readonly reason: string
}

/** What is judged: an API alone, or everything that a project uses. */
export interface PolicySubject {
  readonly apis: readonly JudgedApi[]
  /** Hosts that no catalogued API has, or several of one vendor. */
  readonly hosts: readonly JudgedHost[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** An API with what is known of it, and how a project uses it. */
export interface JudgedApi extends Assessment {
  /** Empty where no project is judged. */
  readonly uses: readonly JudgedUse[]
}

/** A host that names no single catalogued API. */
export interface JudgedHost {
  readonly host: string
  /** Catalogued APIs of the vendor that share the host; absent where no catalogued API has it. */
  readonly candidates?: readonly string[] | undefined
  /** Undefined where it is not known. */
  readonly vendorName: string | undefined
  readonly uses: readonly JudgedUse[]
}

/** One endpoint with one method, wherever a project uses it. */
export interface JudgedUse {
  readonly url: string
  /** Lower case; undefined or empty when unknown. */
  readonly method: string | undefined
  readonly host: string
  /** The URLs as the code has them. */
  readonly written: readonly string[]
  readonly approval: Approval
  /** Of the decision, or empty. */
  readonly reason: string
  readonly places: readonly PolicyPlace[]
}

/** Where in a project's code. */
export interface PolicyPlace {
  /** Path below the project's folder, with `/`. */
  readonly file: string
  /** From 1. */
  readonly line?: number | undefined
  /** From 1. */
  readonly column?: number | undefined
}

/** How grave a violation is: `excepted` is let pass by an exception that has not expired. */
export type PolicySeverity = 'fail' | 'warn' | 'excepted'

/** One thing that a policy denies or warns of, and that is. */
export interface PolicyViolation {
  /** As it stands in the policy. */
  readonly word: string
  readonly severity: PolicySeverity
  /** Undefined of a host that no catalogued API has. */
  readonly api:
    | {
        readonly id: number
        readonly encryptedId: string
        readonly name: string
        /** Empty when unknown. */
        readonly version: string
      }
    | undefined
  /** Name, or empty when unknown. */
  readonly vendor: string
  /** Of a use, or of what no catalogued API has; undefined of an API as a whole. */
  readonly host: string | undefined
  /** `GET https://api.example.com/v1`: the use that it is about; undefined where it is about all. */
  readonly use: string | undefined
  /** What is wrong: one sentence without a full stop. */
  readonly statement: string
  /** Empty where places alone prove it. */
  readonly evidence: readonly StatementEvidence[]
  /** Where the project uses it; empty where no project is judged. */
  readonly places: readonly PolicyPlace[]
  /** What lets it pass. */
  readonly exception: PolicyException | undefined
}

/** What a policy says of a subject. */
export interface PolicyVerdict {
  /** Failures, then warnings, then what is excepted; in each as the subject has them. */
  readonly violations: readonly PolicyViolation[]
  /** Exceptions that have expired, or let nothing pass. */
  readonly idle: readonly IdleException[]
}

/** An exception that does nothing, and why. */
export interface IdleException {
  readonly exception: PolicyException
  readonly why: 'expired' | 'unused'
}
