import type {
  Approval,
  Decision,
  FoundPlace,
  ReviewStatus,
  ScanApproval,
  ScanStatus,
} from '../scans/records.ts'

/** A bill of materials of a project or of a repository of network scans, before it has a shape. */
export interface Bom {
  readonly subject: BomSubject
  /** One of a project; of a network one for each instance, the newest first. */
  readonly scans: readonly BomScan[]
}

/** What the bill is of. */
export interface BomSubject {
  readonly kind: 'project' | 'network'
  /** Opaque id of the project or repository; empty where it is not stored. */
  readonly id: string
  readonly projectName: string
  /** Empty for a project. */
  readonly networkName: string
  /** Milliseconds since the epoch; undefined where a document that was read does not tell it. */
  readonly createdAt: number | undefined
}

/** One scan of the subject. */
export interface BomScan {
  /** Milliseconds since the epoch; undefined where a document that was read does not tell it. */
  readonly analyzedAt: number | undefined
  /** Undefined for a project. */
  readonly instance: BomInstance | undefined
  /** Can be read once. A very large service may come in parts of the same `ref`. */
  readonly services: AsyncIterable<readonly BomService[]>
}

/** Where and when traffic was captured (Specification 2.10). */
export interface BomInstance {
  readonly id: string
  readonly nicIp: string
  readonly nicName: string
  readonly macAddress: string
  readonly organization: string
  /** Milliseconds since the epoch; undefined where a document that was read does not tell it. */
  readonly startedAt: number | undefined
  /** Undefined while it runs. */
  readonly endedAt: number | undefined
  readonly status: ScanStatus
  readonly reviewStatus: ReviewStatus
  readonly isApproved: ScanApproval
  readonly decision: Decision
}

/** An API that is used, or a host of which the catalogue knows no API. */
export interface BomService {
  /** Names it within the document, the same in every scan: `api:<id>`, `host:<name>`. */
  readonly ref: string
  /** Of the API, else the host. */
  readonly name: string
  readonly isMatched: boolean
  /** The vendor, where it is known, else the registrable domain of the host. */
  readonly provider: { readonly name: string; readonly urls: readonly string[] }
  /** Registrable domain of where it is reached, or empty. */
  readonly group: string
  /** Empty when unknown, like the description. */
  readonly version: string
  readonly description: string
  readonly isAuthenticated: boolean | undefined
  readonly references: readonly BomReference[]
  /** Licences, and the other agreements that bind who calls; see `isLicense`. */
  readonly licenses: readonly { readonly name: string; readonly url: string }[]
  /** One for each URL and method. */
  readonly endpoints: readonly BomEndpoint[]
  /** Only of networks. */
  readonly captures: readonly BomCapture[]
}

export interface BomReference {
  readonly type: 'url' | 'license' | 'documentation'
  readonly url: string
}

/** An endpoint as the code or the traffic has it. */
export interface BomEndpoint {
  readonly url: string
  /** Lower case, or empty. */
  readonly method: string
  readonly approval: Approval
  readonly reason: string
  readonly decision: Decision
  readonly foundIn: readonly FoundPlace[]
  /** Package URLs of the vendor's libraries, each once. */
  readonly packages: readonly string[]
  /** 0 to 1; undefined when nothing is known of it. */
  readonly confidence: number | undefined
}

/** A captured conversation (Specification 2.10 `capturedIPs`). */
export interface BomCapture {
  readonly ip: string
  readonly port: number | undefined
  readonly direction: 'Outgoing' | 'Incoming'
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Nobody has decided. */
export const UNDECIDED: Decision = { by: '', at: undefined }
