import { ServiceError } from '../../../core/index.ts'
import { APPROVAL_LABELS } from '../approval-labels.ts'
import type { OptionValues } from '../command-values.ts'
import { defineCommand, defineServiceCommand, type ServiceContext } from '../define-command.ts'
import { UsageError } from '../errors.ts'
import { formatCount } from '../io.ts'
import { integerParser } from '../numbers.ts'
import { printStoredFlows } from '../stored-flows.ts'
import { adviseAccount, withScanAdvice } from '../stored-scan.ts'

const SCAN_ID = ['<id>', 'scan ID, as shown by "scans list"'] as const

const REVIEW_OPTIONS = [
  ['--status <status>', 'review status', { choices: ['not_started', 'in_progress', 'complete'] }],
  ['--approval <value>', 'approval of the whole scan', { choices: ['yes', 'no', 'not_analyzed'] }],
  ['--approve <url...>', 'approve these URLs, or all URLs of these hosts'],
  ['--reject <url...>', 'reject these URLs, or all URLs of these hosts'],
  ['--reset <url...>', 'reset these URLs or hosts to unreviewed'],
  ['--reason <text>', 'reason for all decisions of this command'],
] as const

/** `scans list|show|review|delete`, for submitted scans in the local database. */
export const storedScanCommands = defineCommand({
  name: 'scans',
  description: 'List, show, review and delete stored scans of projects and networks',
  examples: ['scans list --account ci', 'scans show prj_… --account ci'],
  commands: [
    defineServiceCommand({
      name: 'list',
      description: "List an account's scans, newest first",
      account: 'operator',
      options: [
        [
          '--size <n>',
          'maximum number of scans, 1 to 100',
          { parse: integerParser(1, 100), default: 20 },
        ],
      ],
      examples: ['scans list --account ci --size 100', 'scans list --json'],
      async run(service) {
        const rows = await listScans(service, service.options.size)
        return {
          json: { scans: rows },
          table: {
            headings: [
              ...['ID', 'PROJECT', 'NETWORK', 'STARTED'],
              ...['STATUS', 'ROWS', 'MATCHED', 'REVIEW'],
            ],
            rows: rows.map((row) => [
              row.id,
              row.project_name,
              row.network_name || '-',
              row.start_time,
              row.scan_status,
              row.rows,
              row.matched,
              row.review_status,
            ]),
            empty: rows.length === 0 ? await describeNoScans(service) : undefined,
          },
        }
      },
    }),
    defineServiceCommand({
      name: 'show',
      description: 'Show the findings of a scan with their catalogue matches',
      arguments: [SCAN_ID],
      account: 'operator',
      examples: ['scans show prj_… --account ci', 'scans show net_… --account ci --json'],
      run: (service) =>
        withScanAdvice(service, async () => {
          const { io, app, caller, options } = service
          const [id] = service.words
          if (isNetworkScanId(id)) {
            const found = await app.call('getNetworkScanMappings', { instance_id: id }, caller)
            if (options.json) return { json: found }
            printStoredFlows(io, found.scan_mappings.mappings)
            return undefined
          }
          const found = await app.call('listScannedProjects', { project_id: id }, caller)
          const details = [found].flat().flatMap((project) => project.scan_details)
          return {
            json: found,
            table: {
              headings: ['METHOD', 'URL', 'API', 'VENDOR', 'LOCATIONS', 'APPROVAL'],
              rows: details.map((each) => [
                each.endpoint_method || '-',
                each.endpoint_url,
                each.api_name || '-',
                each.vendor_name || '-',
                each.found_in.length,
                APPROVAL_LABELS[each.approval],
              ]),
              empty: 'This scan has no findings.',
            },
          }
        }),
    }),
    defineServiceCommand({
      name: 'review',
      description:
        'Review a scan: set its status and approval, and approve or reject URLs or hosts',
      arguments: [SCAN_ID],
      account: 'operator',
      options: REVIEW_OPTIONS,
      examples: [
        'scans review prj_… --account ci --approve https://api.example.com/v1/rates --reason "Contract signed"',
        'scans review prj_… --account ci --status complete --approval yes',
      ],
      prepare: ({ options }) => readReviewInput(options),
      run: (service) =>
        withScanAdvice(service, async () => {
          const { words, prepared: review } = service
          const stored = await reviewScan(service, { id: words[0], review })
          const decisions = formatCount(stored.endpoints.length, 'decision')
          return {
            json: stored,
            note: `Review ${stored.review_status}, scan ${SCAN_APPROVAL_LABELS[stored.is_approved]}; ${decisions}`,
          }
        }),
    }),
    defineServiceCommand({
      name: 'delete',
      description: 'Delete a scan permanently',
      arguments: [SCAN_ID],
      account: 'operator',
      examples: ['scans delete prj_… --account ci', 'scans delete net_… --account ci --json'],
      run: (service) =>
        withScanAdvice(service, async () => {
          const [id] = service.words
          const removed = await deleteScan(service, id)
          const { project_name, network_name, rows } = removed
          const what = network_name === '' ? project_name : `${project_name}, ${network_name}`
          const count = formatCount(rows, network_name === '' ? 'endpoint' : 'flow')
          return {
            json: { id, done: 'delete', ...removed },
            note: `Deleted ${id}: ${what}, ${count}.`,
          }
        }),
    }),
  ],
})

async function describeNoScans(service: ServiceContext): Promise<string> {
  if (service.account !== undefined) return 'No scans in this account yet.'
  return `No scans of the operator. ${await adviseAccount(service)}.`
}

/** Stores a review. Advises how to list valid URLs if one is not in the scan. */
async function reviewScan(
  { app, caller }: ServiceContext,
  { id, review }: { readonly id: string; readonly review: ReturnType<typeof readReviewInput> },
) {
  try {
    return isNetworkScanId(id)
      ? await app.call('reviewNetworkScan', { body: { instance_id: id, ...review } }, caller)
      : await app.call('reviewProjectScan', { body: { project_id: id, ...review } }, caller)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_input') throw error
    throw new UsageError(`${error.message}. List its URLs and hosts with "scans show ${id}".`)
  }
}

/** Deletes a scan. Resolves with its names and number of rows. */
async function deleteScan({ app, caller }: ServiceContext, id: string) {
  if (isNetworkScanId(id)) {
    const { projectName, networkName, flows } = await app.scans.getNetwork(caller.account, id)
    await app.call('removeNetworkScan', { instance_id: id }, caller)
    return { project_name: projectName, network_name: networkName, rows: flows }
  }
  const [project] = await app.scans.findProjects(caller.account, { projectId: id, limit: 1 })
  await app.call('removeProjectScan', { project_id: id }, caller)
  return { project_name: project?.name ?? '', network_name: '', rows: project?.endpoints ?? 0 }
}

/** Lists project and network scans by their shared fields, newest first. */
async function listScans({ app, caller }: ServiceContext, size: number) {
  const projects = await app.scans.findProjects(caller.account, { limit: size })
  const rows = projects.map((project) => ({
    id: project.id,
    project_name: project.name,
    network_name: '',
    start_time: new Date(project.createdAt).toISOString(),
    scan_status: 'complete',
    rows: project.endpoints,
    matched: project.matched,
    review_status: project.reviewStatus,
  }))
  for await (const networks of app.scans.listNetworks(caller.account)) {
    for (const network of networks) {
      rows.push({
        id: network.instanceId,
        project_name: network.projectName,
        network_name: network.networkName,
        start_time: new Date(network.startedAt).toISOString(),
        scan_status: network.status,
        rows: network.flows,
        matched: network.matched,
        review_status: network.reviewStatus,
      })
    }
    // Networks arrive newest first: later ones cannot make the list.
    if (rows.length >= projects.length + size) break
  }
  return rows.sort((a, b) => (a.start_time < b.start_time ? 1 : -1)).slice(0, size)
}

function isNetworkScanId(id: string): boolean {
  return id.startsWith('net_')
}

const SCAN_APPROVAL_LABELS = { yes: 'approved', no: 'rejected', not_analyzed: 'unreviewed' }

function readReviewInput({
  status,
  approval,
  reason,
  ...urls
}: OptionValues<typeof REVIEW_OPTIONS>) {
  const decisions = [
    ['yes', urls.approve],
    ['no', urls.reject],
    ['unreviewed', urls.reset],
  ] as const
  const endpoints = decisions.flatMap(([decision, subjects = []]) =>
    subjects.map((endpoint_url) => ({
      endpoint_url,
      approval: decision,
      reason: reason ?? null,
    })),
  )
  if (status === undefined && approval === undefined && endpoints.length === 0) {
    throw new UsageError(
      'Cannot review: pass --status, --approval, --approve, --reject or --reset; see "scans review --help"',
    )
  }
  return { review_status: status ?? null, is_approved: approval ?? null, endpoints }
}
