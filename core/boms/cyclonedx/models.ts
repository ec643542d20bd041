import { Models } from '@cyclonedx/cyclonedx-library'

/** Type and direction of a service's data (CycloneDX `services[].data[]`). */
export interface DataFlow {
  /** Relative to the service: inbound data is sent to it. */
  readonly flow: 'inbound' | 'outbound' | 'bi-directional' | 'unknown'
  readonly classification: string
  readonly name: string
}

/** A reviewer's note on services (CycloneDX `annotations[]`). */
export interface Annotation {
  readonly ref: string
  readonly subjects: readonly string[]
  /** Name of the author. */
  readonly individual: string
  readonly timestamp: Date
  readonly text: string
}

/** Completeness of a part of the document (CycloneDX `compositions[]`). */
export interface Composition {
  readonly aggregate: 'incomplete'
  readonly dependencies: readonly string[]
}

/** The library's service with CycloneDX members that it lacks. */
export class DetailedService extends Models.Service {
  endpoints: readonly string[] = []
  authenticated: boolean | undefined
  crossesTrustBoundary: boolean | undefined
  data: readonly DataFlow[] = []
}

/** Dependencies of a component or service (CycloneDX `dependencies[]`). */
export interface Dependency {
  readonly ref: string
  readonly dependsOn: readonly string[]
}

/**
 * The library's document with CycloneDX members that it lacks. Items of long lists are created one
 * by one while being written, so a list is never in memory as a whole.
 */
export class AnnotatedBom extends Models.Bom {
  compositions: readonly Composition[] = []
  dependencies: readonly Dependency[] = []
  lazyLists: LazyLists = {}
}

/** Lists that can be iterated once; undefined if empty. */
export interface LazyLists {
  readonly services?: AsyncIterable<DetailedService> | undefined
  readonly vulnerabilities?: AsyncIterable<Models.Vulnerability.Vulnerability> | undefined
  readonly annotations?: AsyncIterable<Annotation> | undefined
}
