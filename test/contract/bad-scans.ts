import type { BadInputCase } from './bad-input-case.ts'
import { type Built, INSTANCE_ID, PROJECT_ID, VALID_REQUESTS } from './valid-requests.ts'

const LONG = 'x'.repeat(5_000)

function sent(
  name: 'submitProjectScan' | 'submitNetworkScan' | 'reviewProjectScan' | 'reviewNetworkScan',
  body: string,
  expected: Partial<BadInputCase>,
): BadInputCase {
  return {
    name: `${name} ${body.slice(0, 60)}`,
    request: { ...VALID_REQUESTS[name], body },
    status: 400,
    ...(expected.errors ? { code: 'invalid_input' as const } : {}),
    ...expected,
  }
}

function project(row: unknown, errors: readonly string[]): BadInputCase {
  const body = JSON.stringify({ project_name: 'Shop', scan_details: [row] })
  return sent('submitProjectScan', body, { errors: errors.map((name) => `scan_details.0${name}`) })
}

const FLOW = {
  captured_ip: '192.0.2.1',
  direction: 'Outgoing',
  capture_datetime: '2026-03-14T07:00:01Z',
}
const HEAD = {
  network_name: 'Lab',
  project_name: 'Shop',
  start_time: '2026-03-14T07:00:00Z',
  scan_status: 'running',
}

function flow(changes: object, errors: readonly string[]): BadInputCase {
  const body = JSON.stringify({ ...HEAD, flows: [{ ...FLOW, ...changes }] })
  return sent('submitNetworkScan', body, { errors: errors.map((name) => `flows.0.${name}`) })
}

function network(changes: object, errors: readonly string[]): BadInputCase {
  return sent('submitNetworkScan', JSON.stringify({ ...HEAD, ...changes }), { errors })
}

function lines(first: unknown, second: string, expected: Partial<BadInputCase>): BadInputCase {
  const body = `${JSON.stringify(first)}\n${second}\n`
  const request = {
    ...VALID_REQUESTS.submitProjectScan,
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  }
  return { name: `NDJSON ${second.slice(0, 60)}`, request, status: 400, ...expected }
}

function review(name: 'reviewProjectScan' | 'reviewNetworkScan'): readonly BadInputCase[] {
  const id =
    name === 'reviewProjectScan' ? { project_id: PROJECT_ID } : { instance_id: INSTANCE_ID }
  const [key = ''] = Object.keys(id)
  const make = (changes: object, expected: Partial<BadInputCase>) =>
    sent(name, JSON.stringify({ ...id, ...changes }), expected)
  const endpoint = { endpoint_url: 'https://nowhere.example', approval: 'yes' }
  return [
    sent(name, '{}', { errors: [key] }),
    sent(name, '[]', { code: 'invalid_body' }),
    make({}, { errors: ['review_status'] }),
    make({ review_status: 'done', by: 'me' }, { errors: ['review_status', 'by'] }),
    make({ is_approved: 'maybe' }, { errors: ['is_approved'] }),
    make({ endpoints: {} }, { errors: ['endpoints'] }),
    make(
      { endpoints: [{ endpoint_url: '' }] },
      {
        errors: ['endpoints.0.endpoint_url', 'endpoints.0.approval'],
      },
    ),
    make({ endpoints: Array.from({ length: 1001 }, () => endpoint) }, { errors: ['endpoints'] }),
    make({ endpoints: [endpoint] }, { errors: ['endpoints.0.endpoint_url'] }),
    make({ [key]: 'nobody', is_approved: 'no' }, { status: 404, code: 'not_found' }),
  ]
}

function byId(
  method: string,
  path: string,
  id: 'project_id' | 'instance_id' | 'api_id',
): readonly BadInputCase[] {
  const ask = (query: string, expected: Partial<BadInputCase>): BadInputCase => ({
    name: `${method} ${path}${query.slice(0, 60)}`,
    request: { method, target: `${path}${query}` },
    status: 400,
    ...(expected.errors ? { code: 'invalid_input' as const } : {}),
    ...expected,
  })
  return [
    ask('', { errors: [id] }),
    ask(`?${id}=`, { errors: [id] }),
    ask(`?${id}=1&${id}=2`, { errors: [id] }),
    ask(`?${id}=${LONG}`, { errors: [id] }),
    ask(`?${id}=%00`, { status: 404, code: 'not_found' }),
    ask(`?${id}=1%27%20OR%20%271%27=%271`, { status: 404, code: 'not_found' }),
  ]
}

const projects = '/api/scanned/projects'

/** Invalid, unusual and malicious scans. */
export const BAD_SCANS = {
  submitProjectScan: [
    sent('submitProjectScan', '', { errors: ['project_name'] }),
    sent('submitProjectScan', '{"project_name":', { code: 'invalid_body' }),
    sent('submitProjectScan', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, {
      code: 'invalid_body',
    }),
    sent('submitProjectScan', '{"project_name":" ","x":1,"scan_details":{}}', {
      errors: ['project_name', 'x', 'scan_details'],
    }),
    sent('submitProjectScan', '{"project_name":"a","scan_details":[null,{}]}', {
      errors: ['scan_details.0', 'scan_details.1.endpoint_url'],
    }),
    sent('submitProjectScan', '{"project_name":"a\\u0000","datetime_created":"yesterday"}', {
      errors: ['project_name', 'datetime_created'],
    }),
    sent('submitProjectScan', `{"project_name":"${'\uFDFA'.repeat(150)}"}`, {
      errors: ['project_name'],
    }),
    sent('submitProjectScan', '{"project_name":"Empty"}', { status: 200 }),
    sent('submitProjectScan', '{"project_name":"a","datetime_created":"2099-01-01T00:00:00Z"}', {
      errors: ['datetime_created'],
    }),
    project({ endpoint_url: LONG }, ['.endpoint_url']),
    ...['not a url', 'javascript:alert(1)', 'https://a.example:99999/', '/v1/users'].map((url) =>
      project({ endpoint_url: url }, ['.endpoint_url']),
    ),
    project({ endpoint_url: 1, endpoint_method: 'GET /', a: 1 }, [
      '.endpoint_url',
      '.endpoint_method',
      '.a',
    ]),
    project({ endpoint_url: 'a.example', found_in: [{ file: 'a', line: 0, column: 1.5, x: 1 }] }, [
      '.found_in.0.line',
      '.found_in.0.column',
      '.found_in.0.x',
    ]),
    project({ endpoint_url: 'a.example', confidence: 1.1, package: 1 }, [
      '.package',
      '.confidence',
    ]),
    project({ endpoint_url: 'a.example', api_name: 'mine' }, ['.api_name']),
    lines({ project_name: 'a' }, '{"endpoint_url":', { code: 'invalid_body' }),
    lines({ project_name: 'a' }, '[]', {
      code: 'invalid_input',
      errors: ['line 2: endpoint_url'],
    }),
    lines({ project_name: 'a' }, '\n{"endpoint_url":"a.example"}\nnull', {
      code: 'invalid_input',
      errors: ['line 4'],
    }),
    lines({ project_name: 'a' }, `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, {
      code: 'invalid_body',
    }),
    lines({ project_name: 1 }, '{}', { code: 'invalid_input', errors: ['project_name'] }),
    lines({ project_name: 'a' }, `{"endpoint_url":"${'x'.repeat(1_100_000)}"}`, {
      status: 413,
      code: 'too_large',
    }),
  ],
  submitNetworkScan: [
    sent('submitNetworkScan', '{}', {
      errors: ['network_name', 'project_name', 'start_time', 'scan_status'],
    }),
    network({ scan_status: 'done', nic_ip: 7 }, ['nic_ip', 'scan_status']),
    network({ start_time: '2026-02-30T00:00:00Z', end_time: '' }, ['start_time', 'end_time']),
    network({ batch: -1, scan_data_send_freq: '1:00:00' }, ['batch', 'scan_data_send_freq']),
    network({ review_status: 'complete' }, ['review_status']),
    network({ start_time: '2099-01-01T00:00:00Z' }, ['start_time']),
    network({ end_time: '2026-03-14T06:00:00Z' }, ['end_time']),
    network({ end_time: '2099-01-01T00:00:00Z' }, ['end_time']),
    flow({ captured_ip: 'localhost', port: 70_000 }, ['captured_ip', 'port']),
    flow({ captured_ip: '1.2.3', port: 0, url: 'nowhere' }, ['captured_ip', 'port', 'url']),
    flow({ captured_ip: 'dead:beef', capture_datetime: '2100-01-01T00:00:00Z' }, [
      'captured_ip',
      'capture_datetime',
    ]),
    flow({ direction: 'outgoing', capture_datetime: '13/03/2026' }, [
      'direction',
      'capture_datetime',
    ]),
    flow({ host: LONG, url: LONG, method: LONG }, ['host', 'method', 'url']),
    flow({ api_name: 'mine' }, ['api_name']),
    sent('submitNetworkScan', JSON.stringify({ instance_id: 'nobody', flows: [FLOW] }), {
      status: 404,
      code: 'not_found',
    }),
  ],
  listScannedPackages: byId('GET', '/api/scanned/packages', 'project_id'),
  listApiUsages: byId('GET', '/api/scanned/usages', 'api_id'),
  removeProjectScan: byId('DELETE', projects, 'project_id'),
  removeNetworkScan: byId('DELETE', '/api/networks/user_scans/', 'instance_id'),
  getNetworkScanMappings: byId('GET', '/api/networks/user_scan_mappings/', 'instance_id'),
  reviewProjectScan: review('reviewProjectScan'),
  reviewNetworkScan: review('reviewNetworkScan'),
  listNetworkScans: ['?x=1&x=2', '?instance_id=%00'].map((query) => ({
    name: `listNetworkScans ${query}`,
    request: { target: `/api/networks/user_scans/${query}` },
    status: 200,
  })),
  listScannedProjects: (
    [
      ['?num_projects=0', ['num_projects']],
      ['?num_projects=101&version=', ['num_projects']],
      [`?name=${LONG}&vendor=${LONG}&version=${LONG}`, ['name', 'vendor', 'version']],
      ['?name=a&name=b', ['name']],
      ['?name=%00&vendor=%FF&version=%27', undefined],
      ['?project_id=&name=&vendor=&version=&num_projects=', undefined],
    ] as const
  ).map(([query, errors]) => ({
    name: `listScannedProjects ${query.slice(0, 60)}`,
    request: { target: `${projects}${query}` },
    ...(errors ? { status: 400, code: 'invalid_input' as const, errors } : { status: 200 }),
  })),
} as const satisfies Partial<Readonly<Record<Built, readonly BadInputCase[]>>>
