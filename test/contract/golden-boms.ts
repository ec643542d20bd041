import type { GoldenCase } from './golden-cases.ts'
import { PROJECT_ID } from './valid-requests.ts'

const project = '/api/scanned/sbom'
const network = '/api/scanned/gateway_sbom'

const projects = (
  [
    ['one object by id', `?project_id=${PROJECT_ID}`],
    ['an array by name', '?name=storefront'],
    ['an array by vendor', '?vendor=Ledgerly&num_projects=1'],
    ['nothing of an unknown name', '?name=nobody'],
    ['an unknown id', '?project_id=prj_nobody'],
    ['no parameter that selects', '?num_projects=3'],
    ['no parameter with a value', '?project_id=&name=&vendor=&version='],
    ['an unknown format', `?project_id=${PROJECT_ID}&format=spdx&spec_version=1.4`],
    ['nothing as one document', '?name=nobody&format=cyclonedx-json'],
  ] as const
).map(
  ([name, query]): GoldenCase => ({
    operation: 'getProjectBom',
    name,
    target: `${project}${query}`,
  }),
)

const accepts = (
  [
    ['the shape in any case when everything is accepted', 'text/html, */*;q=0.1'],
    ['a media type that there is not', 'text/html, application/vnd.cyclonedx+json; version=1.4'],
    ['only what is not wanted', 'application/json;q=0'],
  ] as const
).map(
  ([name, accept]): GoldenCase => ({
    operation: 'getProjectBom',
    name,
    target: `${project}?project_id=${PROJECT_ID}`,
    headers: { accept },
  }),
)

const networks = (
  [
    ['an array by network and project', '?network_name=office&project_name=Storefront'],
    ['nothing of an unknown network', '?network_name=nobody'],
    ['one object by id', '?repo_id=rep_cd08f45b409a7e0cc0ae25'],
    ['an unknown id', '?repo_id=nobody'],
    ['no parameter that selects', '?num_instances=3'],
    ['too many', '?network_name=office&num_projects=101&num_instances=1001'],
  ] as const
).map(
  ([name, query]): GoldenCase => ({
    operation: 'getNetworkBom',
    name,
    target: `${network}${query}`,
  }),
)

/** BOMs in the specification's format (Specification 4.16, 4.17), and rejected requests. */
export const bomCases: readonly GoldenCase[] = [...projects, ...accepts, ...networks]
