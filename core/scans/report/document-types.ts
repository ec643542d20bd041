import type {
  FoundVia,
  ProjectFindings,
  UsageKind,
  UsageRole,
} from '../../code-scanner/model/finding.ts'
import type { PackageDocument } from './package-document.ts'
import type { ServiceEvidence } from './services.ts'

/** Output of `scan project --json`; unknown members are absent. */
export interface FindingsDocument {
  readonly files: number
  /** Files that were left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** One row for each place in the code. */
  readonly findings: readonly FindingDocument[]
  /** The catalogued APIs among the findings: production code first, then by name. */
  readonly apis: readonly (UsageDocument & {
    readonly api_name: string
    readonly vendor_name: string
    readonly hosts: readonly string[]
  })[]
  /** The hosts of no catalogued API: production code first, then the most frequent. */
  readonly unmatched: readonly (UsageDocument & {
    readonly host: string
    readonly vendor?: string
  })[]
  /** The hosts that several catalogued APIs of one vendor share, in the same order. */
  readonly ambiguous: readonly (UsageDocument & {
    readonly host: string
    readonly vendor?: string
    readonly candidates: readonly string[]
  })[]
  /** The services that the project uses: catalogued APIs, then vendors and domains. */
  readonly services: readonly ServiceDocument[]
  /** Packages with CVEs of their versions; absent if there are none or they were not searched. */
  readonly vulnerable_packages?: readonly PackageDocument[]
  readonly project_name?: string
  /** Wrappers of the project file that the scan cannot follow; absent if there are none. */
  readonly unresolved_wrappers?: ProjectFindings['unresolvedWrappers']
}

/** One service with all its findings. */
export interface ServiceDocument {
  /** Name of the API, else of the vendor, else the domain of the hosts. */
  readonly name: string
  readonly api_name?: string
  readonly vendor_name?: string
  /** APIs of the vendor, one of which it is. */
  readonly candidates?: readonly string[]
  /** Those with the most locations first. */
  readonly hosts: readonly string[]
  /** What its APIs are for (`payments`); absent where unknown. */
  readonly purposes?: readonly string[]
  /** How many; 0 if only `evidence` is known. */
  readonly endpoints: number
  /** Strongest evidence besides endpoints; absent for none. */
  readonly evidence?: ServiceEvidence
  /** How many, without bases that other usages build on. */
  readonly locations: number
  /** How many files. */
  readonly files: number
  /** Highest confidence of the findings. */
  readonly confidence: number
  /** Location to look at first. */
  readonly file: string
  readonly line: number
  /** Package URLs, each once; absent where there is none. */
  readonly packages?: readonly string[]
  /** Types of AI services; absent where there is none. */
  readonly kinds?: readonly UsageKind[]
  /** Names of models, each once; absent where there is none. */
  readonly models?: readonly string[]
  /** Present if the project is itself a client library of the service. */
  readonly own_client?: true
  /** Most relevant role of the usages; absent for production code. */
  readonly role?: UsageRole
  /** Roles of the usages, most relevant first; absent if there is one. */
  readonly roles?: readonly UsageRole[]
}

/** The findings of one API or host, taken together. */
export interface UsageDocument {
  /** How many findings. */
  readonly count: number
  /** How many files. */
  readonly files: number
  /** Package URLs, each once; absent where there is none. */
  readonly packages?: readonly string[]
  /** Types of AI services; absent where there is none. */
  readonly kinds?: readonly UsageKind[]
  /** Names of models, each once; absent where there is none. */
  readonly models?: readonly string[]
  /** Most relevant role of the findings; absent for production code. */
  readonly role?: UsageRole
}

/** One finding as it is printed. */
export interface FindingDocument {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly url: string
  /** `endpointUrl`, where `url` is another. */
  readonly endpoint_url?: string
  /** Absent if the host is unresolved: `url` begins with `{}` then. */
  readonly host?: string
  readonly method?: string
  readonly via: FoundVia
  readonly confidence: number
  readonly endpoint_id?: string
  readonly api_name?: string
  readonly vendor_name?: string
  /** APIs of the vendor, one of which it is. */
  readonly candidates?: readonly string[]
  readonly package?: string
  /** Bases of other environments, which the code may choose instead of `url`. */
  readonly alternatives?: readonly string[]
  /** Type of an AI service. */
  readonly kind?: UsageKind
  /** Names of the models that the code requests of the service. */
  readonly models?: readonly string[]
  /** Absent for production code. */
  readonly role?: UsageRole
}
