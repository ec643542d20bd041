import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import { form, formBody, integer, query, required, text } from '../http/params.ts'

/** Which projects are meant, in the operations on project scans. */
const projectParams = {
  project_id: query(text(100), 'Id of one project.'),
  name: query(text(), 'Name of the project.'),
  vendor: query(text(), 'A vendor whose API the project uses.'),
  version: query(text(100), 'A version of an API that the project uses.'),
  num_projects: query(integer({ min: 1, max: 100, fallback: 5 }), 'Projects at the most.'),
}

export const scanOperations = defineOperations({
  listNetworkScans: {
    method: 'GET',
    paths: ['/networks/user_scans/'],
    section: '4.11',
    tag: 'scans',
    summary: 'List the details of network scans',
    scope: 'read',
    output: { kind: 'rows', at: 'scan_details', row: v.looseObject({}) },
    isPlanned: true,
  },
  getNetworkScanMappings: {
    method: 'GET',
    alsoPost: true,
    paths: ['/networks/user_scan_mappings/'],
    section: '4.12',
    tag: 'scans',
    summary: 'Show what a network scan captured, matched to the catalogue',
    scope: 'read',
    params: { instance_id: required(form(text(100), 'Id of the scan.')) },
    body: formBody,
    output: { kind: 'json', schema: v.looseObject({}) },
    isPlanned: true,
  },
  listScannedProjects: {
    method: 'GET',
    paths: ['/scanned/projects'],
    section: '4.15',
    tag: 'scans',
    summary: 'List scanned projects and the API usage found in them',
    scope: 'read',
    params: projectParams,
    output: { kind: 'json', schema: v.unknown() },
    isPlanned: true,
  },
})
