import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import { integer, query, text } from '../http/params.ts'

export const bomOperations = defineOperations({
  getProjectBom: {
    method: 'GET',
    paths: ['/scanned/sbom'],
    section: '4.16',
    tag: 'boms',
    summary: 'Bill of materials of a scanned project',
    scope: 'read',
    params: {
      project_id: query(text(100), 'Id of one project.'),
      name: query(text(), 'Name of the project.'),
      vendor: query(text(), 'A vendor whose API the project uses.'),
      version: query(text(100), 'A version of an API that the project uses.'),
      num_projects: query(integer({ min: 1, max: 100, fallback: 5 }), 'Projects at the most.'),
    },
    output: { kind: 'variants', mediaTypes: { 'application/json': v.unknown() } },
    isPlanned: true,
  },
  getNetworkBom: {
    method: 'GET',
    paths: ['/scanned/gateway_sbom'],
    section: '4.17',
    tag: 'boms',
    summary: 'Bill of materials of network scans',
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
    },
    output: { kind: 'variants', mediaTypes: { 'application/json': v.unknown() } },
    isPlanned: true,
  },
})
