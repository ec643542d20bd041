import type {
  Approval,
  CodeLocation,
  Decision,
  ReviewStatus,
  ScanApproval,
  ScanStatus,
} from '../scans/records.ts'

/** A BOM of a project, or of a repository of network scans, independent of the document format. */
export interface Bom {
  readonly subject: BomSubject
  /** One for a project; one per instance for a network, newest first. */
  readonly scans: readonly BomScan[]
}

/** The project or network that the BOM describes. */
export interface BomSubject {
  readonly kind: 'project' | 'network'
  /** Opaque ID of the project or repository; empty if it is not stored. */
  readonly id: string
  readonly projectName: string
  /** Empty for a project. */
  readonly networkName: string
  /** Milliseconds since the epoch; undefined if missing in a parsed document. */
  readonly createdAt: number | undefined
}

/** One scan of the subject. */
export interface BomScan {
  /** Milliseconds since the epoch; undefined if missing in a parsed document. */
  readonly analyzedAt: number | undefined
  /** Undefined for a project. */
  readonly instance: BomInstance | undefined
  /** Can be iterated once. A very large service may be split into several with the same `ref`. */
  readonly services: AsyncIterable<readonly BomService[]>
}

/** The instance on which traffic was captured (Specification 2.10). */
export interface BomInstance {
  readonly id: string
  readonly nicIp: string
  readonly nicName: string
  readonly macAddress: string
  readonly organization: string
  /** Milliseconds since the epoch; undefined if missing in a parsed document. */
  readonly startedAt: number | undefined
  /** Undefined while the scan is running. */
  readonly endedAt: number | undefined
  readonly status: ScanStatus
  readonly reviewStatus: ReviewStatus
  readonly isApproved: ScanApproval
  readonly decision: Decision
}

/** A used API, or a host that belongs to no catalogued API. */
export interface BomService {
  /** Identifies the service in the document, equal in every scan: `api:<id>`, `host:<name>`. */
  readonly ref: string
  /** Name of the API or the host. */
  readonly name: string
  readonly isMatched: boolean
  /** The vendor if known, else the registrable domain of the host. */
  readonly provider: { readonly name: string; readonly urls: readonly string[] }
  /** Registrable domain of the base URL, or empty. */
  readonly group: string
  /** Empty if unknown, like the description. */
  readonly version: string
  readonly description: string
  readonly isAuthenticated: boolean | undefined
  readonly references: readonly BomReference[]
  /** Licences, and other agreements that bind the caller; see `isLicense`. */
  readonly licenses: readonly { readonly name: string; readonly url: string }[]
  /** Types of AI service (`ai-models`, `mcp-server`), sorted; absent for other services. */
  readonly kinds?: readonly string[]
  /** Names of the models that the project requests of the service, sorted; absent for none. */
  readonly models?: readonly string[]
  /** One for each URL and method. */
  readonly endpoints: readonly BomEndpoint[]
  /** Only for networks. */
  readonly captures: readonly BomCapture[]
}

export interface BomReference {
  readonly type: 'url' | 'license' | 'documentation'
  readonly url: string
}

/** An endpoint found in code or traffic. */
export interface BomEndpoint {
  readonly url: string
  /** Lower case, or empty. */
  readonly method: string
  readonly approval: Approval
  readonly reason: string
  readonly decision: Decision
  readonly foundIn: readonly CodeLocation[]
  /** Distinct package URLs of the vendor's libraries. */
  readonly packages: readonly string[]
  /** Those with the lowest version that a manifest permits; absent for none. */
  readonly lowestPackages?: readonly string[] | undefined
  /** 0 to 1; undefined if unknown. */
  readonly confidence: number | undefined
}

/** A captured connection (Specification 2.10 `capturedIPs`). */
export interface BomCapture {
  readonly ip: string
  readonly port: number | undefined
  readonly direction: 'Outgoing' | 'Incoming'
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** No review decision. */
export const NO_DECISION: Decision = { by: '', at: undefined }
