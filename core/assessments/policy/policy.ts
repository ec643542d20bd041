import type { Approval, ReviewedPackage } from '../../scans/records.ts'
import type { StatementEvidence } from '../records.ts'
import type { Assessment } from '../service.ts'
import type { PolicyConditionKind } from './policy-conditions.ts'

/** Denied and reported conditions, with temporary exceptions. Parse it with `parsePolicy`. */
export interface Policy {
  /** Conditions that fail, including those implied by the lists below. */
  readonly deny: readonly PolicyCondition[]
  /** Conditions that are reported without failing. */
  readonly warn: readonly PolicyCondition[]
  /** By name, ignoring case and spacing. */
  readonly vendors: PolicyList | undefined
  /** SPDX IDs, or names of licences without one. */
  readonly licences: PolicyList | undefined
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries: PolicyList | undefined
  readonly exceptions: readonly PolicyException[]
}

/** A parsed condition of a policy. */
export interface PolicyCondition {
  /** As written in the policy: `cve>=7`. */
  readonly text: string
  readonly kind: PolicyConditionKind
  /** The score of `cve>=N`, the days of `stale>N`; undefined otherwise. */
  readonly number: number | undefined
  /** The category of `bad:…`, the rule of `statement:…`; undefined otherwise. */
  readonly name: string | undefined
}

/** An allow list and a deny list. */
export interface PolicyList {
  /** Undefined: everything that is not denied is allowed. */
  readonly allow: readonly string[] | undefined
  readonly deny: readonly string[]
}

/** A temporary exception for exactly one of `api`, `vendor`, `host` and `package`. */
export interface PolicyException {
  /** ID, name or `vendor/name` of an API. */
  readonly api?: string | undefined
  readonly vendor?: string | undefined
  readonly host?: string | undefined
  /** Package URL; one without a version stands for all versions. */
  readonly package?: string | undefined
  /** Conditions as written in the policy. */
  readonly allow: readonly string[]
  /** `YYYY-MM-DD`: the last day, in UTC. */
  readonly until: string
  readonly reason: string
}

/** The subject of an evaluation: a single API, or everything that a project uses. */
export interface PolicySubject {
  readonly apis: readonly EvaluatedApi[]
  /** Hosts that match no catalogued API, or several of one vendor. */
  readonly hosts: readonly EvaluatedHost[]
  /** Packages of the project whose versions have CVEs (default: none). */
  readonly packages?: readonly EvaluatedPackage[] | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** An assessed API with its usages in a project. */
export interface EvaluatedApi extends Assessment {
  /** Empty without a project. */
  readonly uses: readonly EvaluatedUsage[]
}

/** A host that doesn't identify a single catalogued API. */
export interface EvaluatedHost {
  readonly host: string
  /** Catalogued APIs of the vendor that share the host; absent if no catalogued API has it. */
  readonly candidates?: readonly string[] | undefined
  /** Undefined if unknown. */
  readonly vendorName: string | undefined
  readonly uses: readonly EvaluatedUsage[]
}

/** A package whose version has CVEs, with its locations in a project. */
export interface EvaluatedPackage extends ReviewedPackage {
  readonly places: readonly PolicyLocation[]
}

/** One endpoint and method, with all its locations in a project. */
export interface EvaluatedUsage {
  readonly url: string
  /** Lower case; undefined or empty if unknown. */
  readonly method: string | undefined
  readonly host: string
  /** The URLs as written in the code. */
  readonly written: readonly string[]
  readonly approval: Approval
  /** Reason of the review decision, or empty. */
  readonly reason: string
  readonly places: readonly PolicyLocation[]
}

/** A location in a project's code. */
export interface PolicyLocation {
  /** Path relative to the project folder, with `/`. */
  readonly file: string
  /** Starts at 1. */
  readonly line?: number | undefined
  /** Starts at 1. */
  readonly column?: number | undefined
}

/** Severity of a violation: `excepted` means that a valid exception applies. */
export type PolicySeverity = 'fail' | 'warn' | 'excepted'

/** A violation of one policy condition. */
export interface PolicyViolation {
  /** As written in the policy. */
  readonly condition: string
  readonly severity: PolicySeverity
  /** Undefined for a package, and for a host without a catalogued API. */
  readonly api:
    | {
        readonly id: number
        readonly encryptedId: string
        readonly name: string
        /** Empty if unknown. */
        readonly version: string
      }
    | undefined
  /** Name, or empty if unknown. */
  readonly vendor: string
  /** Host of a usage, or without a catalogued API; undefined for an API as a whole. */
  readonly host: string | undefined
  /** Package URL of a vulnerable package; absent for others. */
  readonly package?: string | undefined
  /**
   * The affected usage, such as `GET https://api.example.com/v1`; undefined if all are affected.
   */
  readonly use: string | undefined
  /** Description of the problem: one sentence without a full stop. */
  readonly statement: string
  /** Empty if the locations are sufficient evidence. */
  readonly evidence: readonly StatementEvidence[]
  /** Locations in the project; empty without a project. */
  readonly places: readonly PolicyLocation[]
  /** The exception that applies. */
  readonly exception: PolicyException | undefined
}

/** The result of an evaluation. */
export interface PolicyEvaluation {
  /** Failures, then warnings, then excepted violations; each in the order of the subject. */
  readonly violations: readonly PolicyViolation[]
  /** Exceptions that have expired or match nothing. */
  readonly idle: readonly IneffectiveException[]
}

/** An exception without effect, with the reason. */
export interface IneffectiveException {
  readonly exception: PolicyException
  readonly why: 'expired' | 'unused'
}
