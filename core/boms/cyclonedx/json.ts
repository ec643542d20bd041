import { type Models, Serialize } from '@cyclonedx/cyclonedx-library'
import { AnnotatedBom, DetailedService } from './models.ts'

type Options = Serialize.Types.NormalizerOptions
type Service = Serialize.JSON.Types.Normalized.Service
type Bom = Serialize.JSON.Types.Normalized.Bom

/** Makes the library's JSON normalizers, those of services and documents with what it leaves out. */
export class JsonFactory extends Serialize.JSON.Normalize.Factory {
  override makeForBom(): Serialize.JSON.Normalize.BomNormalizer {
    return new JsonBom(this)
  }

  override makeForService(): Serialize.JSON.Normalize.ServiceNormalizer {
    return new JsonService(this)
  }
}

class JsonService extends Serialize.JSON.Normalize.ServiceNormalizer {
  override normalize(data: Models.Service, options: Options): Service {
    const service = super.normalize(data, options)
    if (!(data instanceof DetailedService)) return service
    const { licenses, externalReferences, services, properties, ...first } = service
    return {
      ...first,
      endpoints: data.endpoints.length > 0 ? data.endpoints : undefined,
      authenticated: data.authenticated,
      'x-trust-boundary': data.crossesTrustBoundary,
      data: data.data.length > 0 ? data.data : undefined,
      licenses,
      externalReferences,
      services,
      properties,
      // The library's type does not have what it leaves out.
    } as Service
  }
}

class JsonBom extends Serialize.JSON.Normalize.BomNormalizer {
  override normalize(data: Models.Bom, options: Options): Bom {
    const bom = super.normalize(data, options)
    if (!(data instanceof AnnotatedBom)) return bom
    const { components: _, vulnerabilities, ...first } = bom
    return {
      ...first,
      dependencies: data.dependencies.map(({ ref, dependsOn }) =>
        dependsOn.length > 0 ? { ref, dependsOn } : { ref },
      ),
      compositions: data.compositions.length > 0 ? data.compositions : undefined,
      vulnerabilities,
      annotations:
        data.annotations.length > 0
          ? data.annotations.map(({ ref, subjects, individual, timestamp, text }) => ({
              'bom-ref': ref,
              subjects,
              annotator: { individual: { name: individual } },
              timestamp: timestamp.toISOString(),
              text,
            }))
          : undefined,
    } as Bom
  }
}
