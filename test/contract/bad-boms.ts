import type { BadInputCase } from './bad-input-case.ts'

const LONG = 'x'.repeat(2_000)

function get(target: string, errors: readonly string[]): BadInputCase {
  return {
    name: target.slice(0, 80),
    request: { target },
    status: 400,
    code: 'invalid_input',
    errors,
  }
}

const project = '/api/scanned/sbom'
const network = '/api/scanned/gateway_sbom'

/** Requests that the BOM operations reject. */
export const BAD_BOMS = {
  getProjectBom: [
    get(project, ['project_id']),
    get(`${project}?project_id=&name=`, ['project_id']),
    get(`${project}?num_projects=5`, ['project_id']),
    get(`${project}?name=${LONG}`, ['name']),
    get(`${project}?name=a&name=b`, ['name']),
    get(`${project}?name=a&num_projects=0`, ['num_projects']),
    get(`${project}?name=a&num_projects=101&format=pdf&spec_version=2`, [
      'num_projects',
      'format',
      'spec_version',
    ]),
  ],
  getNetworkBom: [
    get(network, ['repo_id']),
    get(`${network}?repo_id=&network_name=`, ['repo_id']),
    get(`${network}?network_name=${LONG}`, ['network_name']),
    get(`${network}?network_name=a&num_instances=1001`, ['num_instances']),
    get(`${network}?network_name=a&format=CYCLONEDX-JSON`, ['format']),
  ],
} as const satisfies Readonly<Record<string, readonly BadInputCase[]>>
