import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import { integer, oneOf, oneRequiredRule, query, text } from '../http/params.ts'
import { BOM_FORMATS, SPEC_VERSIONS } from './records.ts'
import { networkBomSchema, projectBomSchema } from './wire.ts'

/** Parameters for the document format; they override the `Accept` header. */
const shapeParams = {
  format: query(oneOf(BOM_FORMATS), "Document format; the default is the specification's."),
  spec_version: query(oneOf(SPEC_VERSIONS), 'CycloneDX version; the default is 1.5.'),
}

const cycloneDx = {
  'application/vnd.cyclonedx+json': v.looseObject({ bomFormat: v.literal('CycloneDX') }),
  'application/vnd.cyclonedx+xml': v.string(),
}

const description =
  'Returns one object for an ID, else an array. To receive a CycloneDX document that is valid by the official schema, set `format` or a header such as `Accept: application/vnd.cyclonedx+json; version=1.6`.'

export const bomOperations = defineOperations({
  getProjectBom: {
    method: 'GET',
    paths: ['/scanned/sbom'],
    section: '4.16',
    tag: 'boms',
    summary: 'Get the BOM of a scanned project',
    description,
    scope: 'read',
    params: {
      project_id: query(text(100), 'ID of one project.'),
      name: query(text(), 'Name of the project.'),
      vendor: query(text(), 'Vendor of an API that the project uses.'),
      version: query(text(100), 'Version of an API that the project uses.'),
      num_projects: query(
        integer({ min: 1, max: 100, fallback: 5 }),
        'Maximum number of projects.',
      ),
      ...shapeParams,
    },
    rules: [oneRequiredRule('project_id', 'name', 'vendor', 'version')],
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
    summary: 'Get the BOM of network scans',
    description,
    scope: 'read',
    params: {
      repo_id: query(text(100), 'ID of a network repository.'),
      project_name: query(text(), 'Name of the project.'),
      network_name: query(text(), 'Name of the network.'),
      num_projects: query(
        integer({ min: 1, max: 100, fallback: 5 }),
        'Maximum number of projects.',
      ),
      num_instances: query(
        integer({ min: 1, max: 1000, fallback: 10 }),
        'Maximum number of scans per project.',
      ),
      ...shapeParams,
    },
    rules: [oneRequiredRule('repo_id', 'project_name', 'network_name')],
    output: {
      kind: 'variants',
      mediaTypes: {
        'application/json': v.union([networkBomSchema, v.array(networkBomSchema)]),
        ...cycloneDx,
      },
    },
  },
})
