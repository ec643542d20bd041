import { Models } from '@cyclonedx/cyclonedx-library'

/** What a service's data is and where it goes (CycloneDX `services[].data[]`). */
export interface DataFlow {
  /** Relative to the service: inbound is what it is sent. */
  readonly flow: 'inbound' | 'outbound' | 'bi-directional' | 'unknown'
  readonly classification: string
  readonly name: string
}

/** A note of a person on services (CycloneDX `annotations[]`). */
export interface Annotation {
  readonly ref: string
  readonly subjects: readonly string[]
  /** Name of who says it. */
  readonly individual: string
  readonly timestamp: Date
  readonly text: string
}

/** How complete a part of the document is (CycloneDX `compositions[]`). */
export interface Composition {
  readonly aggregate: 'incomplete'
  readonly dependencies: readonly string[]
}

/** The library's service with what it leaves out of CycloneDX's. */
export class DetailedService extends Models.Service {
  endpoints: readonly string[] = []
  authenticated: boolean | undefined
  crossesTrustBoundary: boolean | undefined
  data: readonly DataFlow[] = []
}

/** What uses what (CycloneDX `dependencies[]`). */
export interface Dependency {
  readonly ref: string
  readonly dependsOn: readonly string[]
}

/**
 * The library's document with what it leaves out of CycloneDX's. Long lists are made item by item
 * when they are written, so that they are never all there.
 */
export class AnnotatedBom extends Models.Bom {
  compositions: readonly Composition[] = []
  dependencies: readonly Dependency[] = []
  later: LaterLists = {}
}

/** Lists that can be read once; undefined for an empty one. */
export interface LaterLists {
  readonly services?: AsyncIterable<DetailedService> | undefined
  readonly vulnerabilities?: AsyncIterable<Models.Vulnerability.Vulnerability> | undefined
  readonly annotations?: AsyncIterable<Annotation> | undefined
}
