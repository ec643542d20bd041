import type { BadInputCase } from './bad-input-case.ts'

const LONG = 'x'.repeat(2_000)

function toBadGet(target: string, errors: readonly string[]): BadInputCase {
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
    toBadGet(project, ['project_id']),
    toBadGet(`${project}?project_id=&name=`, ['project_id']),
    toBadGet(`${project}?num_projects=5`, ['project_id']),
    toBadGet(`${project}?name=${LONG}`, ['name']),
    toBadGet(`${project}?name=a&name=b`, ['name']),
    toBadGet(`${project}?name=a&num_projects=0`, ['num_projects']),
    toBadGet(`${project}?name=a&num_projects=101&format=pdf&spec_version=2`, [
      'num_projects',
      'format',
      'spec_version',
    ]),
  ],
  getNetworkBom: [
    toBadGet(network, ['repo_id']),
    toBadGet(`${network}?repo_id=&network_name=`, ['repo_id']),
    toBadGet(`${network}?network_name=${LONG}`, ['network_name']),
    toBadGet(`${network}?network_name=a&num_instances=1001`, ['num_instances']),
    toBadGet(`${network}?network_name=a&format=CYCLONEDX-JSON`, ['format']),
  ],
} as const satisfies Readonly<Record<string, readonly BadInputCase[]>>
