import * as v from 'valibot'
import { defineOperations, type InputRule } from '../http/operation.ts'
import { integer, oneOf, query, text } from '../http/params.ts'
import { BOM_FORMATS, SPEC_VERSIONS } from './records.ts'
import { networkBomSchema, projectBomSchema } from './wire.ts'

/** In which shape a bill of materials is asked for; goes before the `Accept` header. */
const shapeParams = {
  format: query(oneOf(BOM_FORMATS), "Shape of the document; the specification's when absent."),
  spec_version: query(oneOf(SPEC_VERSIONS), 'Version of CycloneDX; 1.5 when absent.'),
}

const cycloneDx = {
  'application/vnd.cyclonedx+json': v.looseObject({ bomFormat: v.literal('CycloneDX') }),
  'application/vnd.cyclonedx+xml': v.string(),
}

const description =
  'One object for an id, else an array. `format`, or `Accept: application/vnd.cyclonedx+json; version=1.6` and its like, asks for one CycloneDX document that the official schema accepts.'

/** At least one of the parameters must select. */
function selects(names: readonly [string, ...string[]]): InputRule {
  const [name] = names
  return {
    names,
    check: (input) =>
      names.some((each) => input[each] !== undefined && input[each] !== '')
        ? undefined
        : { in: 'query', name, message: `or another of ${names.join(', ')} is required` },
  }
}

export const bomOperations = defineOperations({
  getProjectBom: {
    method: 'GET',
    paths: ['/scanned/sbom'],
    section: '4.16',
    tag: 'boms',
    summary: 'Bill of materials of a scanned project',
    description,
    scope: 'read',
    params: {
      project_id: query(text(100), 'Id of one project.'),
      name: query(text(), 'Name of the project.'),
      vendor: query(text(), 'A vendor whose API the project uses.'),
      version: query(text(100), 'A version of an API that the project uses.'),
      num_projects: query(integer({ min: 1, max: 100, fallback: 5 }), 'Projects at the most.'),
      ...shapeParams,
    },
    rules: [selects(['project_id', 'name', 'vendor', 'version'])],
    output: {
      kind: 'variants',
      mediaTypes: {
        'application/json': v.union([projectBomSchema, v.array(projectBomSchema)]),
        ...cycloneDx,
      },
    },
  },
  getNetworkBom: {
    method: 'GET',
    paths: ['/scanned/gateway_sbom'],
    section: '4.17',
    tag: 'boms',
    summary: 'Bill of materials of network scans',
    description,
    scope: 'read',
    params: {
      repo_id: query(text(100), 'Id of one repository of scans.'),
      project_name: query(text(), 'Name of the project.'),
      network_name: query(text(), 'Name of the network.'),
      num_projects: query(integer({ min: 1, max: 100, fallback: 5 }), 'Projects at the most.'),
      num_instances: query(
        integer({ min: 1, max: 1000, fallback: 10 }),
        'Scans of a project at the most.',
      ),
      ...shapeParams,
    },
    rules: [selects(['repo_id', 'project_name', 'network_name'])],
    output: {
      kind: 'variants',
      mediaTypes: {
        'application/json': v.union([networkBomSchema, v.array(networkBomSchema)]),
        ...cycloneDx,
      },
    },
  },
})
