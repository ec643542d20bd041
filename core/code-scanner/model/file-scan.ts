import type { AiUsage } from './ai-usage.ts'
import type { FoundVia, RawFinding } from './finding.ts'
import type { EnvironmentChoice, OwnName, PackageFinding } from './packages.ts'
import type { Pattern } from './pattern.ts'
import type { Place } from './program.ts'

/** A name that another file, or another place of the project, may explain. */
export interface UnresolvedReference {
  /** As imported; empty for a name that the file does not bind. */
  readonly module: string
  /** Name there, with dots: `BASE_URL`, `default.api.url`; `getUrl()` for what a function gives. */
  readonly name: string
  /** What that function is called with. */
  readonly args?: readonly ArgumentValue[]
  /** Classes that the class around extends: the name may be a member of one of them. */
  readonly baseClasses?: readonly UnresolvedReference[]
  /** Class around: where the name says nothing, those that extend the class may have it. */
  readonly enclosingClass?: string
  /** Which of the arguments that are `given` under the name. */
  readonly parameter?: GivenSlot
}

/** A parameter of what is constructed or set elsewhere. */
export interface GivenSlot {
  readonly at: number
  readonly name: string
  /** Member of the parameter's value, or empty. */
  readonly key: string
}

/** A use that is complete but for its references and the catalogue. */
export interface Candidate {
  readonly url: Pattern
  /** Lower case; undefined when unknown; a pattern where a caller of a wrapper says it. */
  readonly method: Pattern | undefined
  readonly via: FoundVia
  readonly line: number
  readonly column: number
  /** 0 to 1, before the catalogue is asked. */
  readonly confidence: number
  /** Whether it is reported only where the catalogue knows the host. */
  readonly needsCatalogue: boolean
  /** Whether it is reported only where calls of the project build on it. */
  readonly needsCall?: true
  /** Whether the name of its base, or of what asks, says so much that it counts without a host. */
  readonly hasApiName?: true
  /** Whether only the name of what is called says so: what another file says of it goes before. */
  readonly isGuess?: true
  /** Path of the file that says it, where that is another one. */
  readonly file?: string
  /** Class of the file that inherits what makes the call: members are its own. */
  readonly callerClass?: string
  /** Base of the vendor that the caller is named after; for a host that stays unknown. */
  readonly vendorBase?: string
  readonly dependencyRole?: RawFinding['dependencyRole']
  /** Whether it is the call of a wrapper; the request in the wrapper is another candidate. */
  readonly isWrapped?: true
  /** Row of the project file that names the function that is called. */
  readonly wrapper?: string
}

/** A call of something that another file defines: a client, a wrapper, a class. */
export interface ExternalCall {
  /** What is called: the client that a method is called on, or the function itself. */
  readonly target: UnresolvedReference
  /** Name of the method that is called on the target; empty where the target itself is called. */
  readonly member: string
  /** What paths are below that an inherited method asks for: the base of the class that calls it. */
  readonly base?: Pattern
  /** Class of the file around the call, where it calls a method of its own: members are its own. */
  readonly callerClass?: string
  /** Whether the target is a class that describes requests; the argument is a path below its host. */
  readonly describesRequest?: true
  /** Rules of the language's clients that hold if the target was made by their receivers. */
  readonly rules: readonly ReceiverRule[]
  readonly args: readonly ArgumentValue[]
  readonly line: number
  readonly column: number
}

/** A client rule whose arguments were read already. */
export interface ReceiverRule {
  readonly receivers: readonly string[]
  readonly url: Pattern
  readonly method: Pattern | undefined
}

/** An argument of a pending call that says something. */
export interface ArgumentValue {
  /** Position from 0, or -1 for a keyword argument. */
  readonly at: number
  /** Keyword, or empty. */
  readonly name: string
  /** Member of a record argument, or empty. */
  readonly key: string
  readonly value: Pattern
}

/** What other files may use of a name. */
export interface Exported {
  /** The value as text. */
  readonly value?: Pattern
  /** Where a class says the value of a member that the classes above it ask for. */
  readonly place?: Pick<Place, 'line' | 'column'>
  /** Callee by which a client was made, with what its URLs are below. */
  readonly client?: { readonly callee: string; readonly base: Pattern }
  /** Calls that the function makes, or gives the URL of, with slots for its parameters. */
  readonly calls?: readonly WrappedCall[]
  /** Calls of other files' functions that it hands its parameters on to. */
  readonly forwards?: readonly ForwardedCall[]
  /** The value that the function gives back, with slots for its parameters. */
  readonly returns?: Pattern
  /** The classes that a class (`Name^`) extends, or the class of a construction. */
  readonly baseClasses?: readonly UnresolvedReference[]
  /**
   * What the file gives, by call: to constructions of a class (`@new Client`), from a class to the
   * constructor above it (`Client.@super`), to a setter of its own (`Client.@setBase`).
   */
  readonly argumentLists?: readonly (readonly ArgumentValue[])[]
}

/** A call in a function of what another file defines, with slots for the function's parameters. */
export type ForwardedCall = Pick<ExternalCall, 'target' | 'member' | 'args'>

/** A call in a function whose URL the function's callers say. */
export interface WrappedCall {
  readonly url: Pattern
  readonly method: Pattern | undefined
}

/** What a file says, small, and such that it can be sent between workers. */
export interface FileScan {
  readonly path: string
  /** Empty for what is no program. */
  readonly language: string
  /** Whether the program imports a library for tests or mocks, whatever its path. */
  readonly isTest?: true
  readonly candidates: readonly Candidate[]
  readonly externalCalls: readonly ExternalCall[]
  /** By number, as patterns name them. */
  readonly references: readonly UnresolvedReference[]
  /** By name, with dots for members. */
  readonly exports: Readonly<Record<string, Exported>>
  /** Modules all of whose names the file exports as its own. */
  readonly reexports: readonly string[]
  /** Complete findings: configuration, manifests, vendors' libraries. */
  readonly findings: readonly PackageFinding[]
  /** Packages of the project that have a vendor's name; absent or empty where there is none. */
  readonly own?: readonly OwnName[]
  /** Hosts of the project's own site; absent or empty where there is none. */
  readonly ownHosts?: readonly string[]
  /** Names of the project that its domain may have; absent or empty where there is none. */
  readonly ownLabels?: readonly string[]
  /** Files and folders of programs that only developers run; absent or empty where there is none. */
  readonly generators?: readonly string[]
  /** Scope of a package if its manifest has the site of that owner. */
  readonly ownScope?: string
  /** Name of an application if the file is its manifest, at the root. */
  readonly ownProduct?: string
  /** Absent if it names no models and gives no base to a client of them. */
  readonly ai?: AiUsage
  /** What it says about vendors' environments; absent where it says nothing. */
  readonly environments?: readonly EnvironmentChoice[]
  /** Calls of wrappers that the project file names; absent if there are none. */
  readonly wrapperCalls?: ReadonlyMap<string, number>
}
