import { type Command, Option } from 'commander'
import { ServiceError } from '../../../core/index.ts'
import { APPROVAL_LABELS } from '../approval-labels.ts'
import { UsageError } from '../errors.ts'
import { formatCount, formatTable, type Io } from '../io.ts'
import { integerParser } from '../numbers.ts'
import {
  type AccountOptions,
  addAccountOption,
  type ServiceOfAccount,
  withAccount,
} from '../service.ts'
import { printStoredFlows } from '../stored-flows.ts'
import { adviseAccount, withStoredScan } from '../stored-scan.ts'

interface ListOptions extends AccountOptions {
  readonly size: number
}

interface ReviewOptions extends AccountOptions {
  readonly status?: 'not_started' | 'in_progress' | 'complete'
  readonly approval?: 'yes' | 'no' | 'not_analyzed'
  readonly approve?: readonly string[]
  readonly reject?: readonly string[]
  readonly reset?: readonly string[]
  readonly reason?: string
}

/** Adds `scans list|show|review|delete`, for submitted scans in the local database. */
export function addStoredScanCommands(program: Command, io: Io): void {
  const scans = program
    .command('scans')
    .description('List, show, review and delete stored scans of projects and networks')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery scans list --account ci\n  api-discovery scans show prj_… --account ci',
    )
  addListScansCommand(scans, io)
  addShowScanCommand(scans, io)
  addReviewScanCommand(scans, io)
  addDeleteScanCommand(scans, io)
}

function addListScansCommand(scans: Command, io: Io): void {
  addAccountOption(scans.command('list'))
    .description("List an account's scans, newest first")
    .option('--size <n>', 'maximum number of scans, 1 to 100', integerParser(1, 100), 20)
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery scans list --account ci --size 100\n  api-discovery scans list --json',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      await withAccount(io, options, async (service) => {
        const rows = await listScans(service, options.size)
        if (options.json) return io.result(JSON.stringify({ scans: rows }))
        if (rows.length === 0) {
          return io.note(
            options.account === undefined
              ? `No scans of the operator. ${await adviseAccount(service)}.`
              : 'No scans in this account yet.',
          )
        }
        io.result(
          formatTable(
            ['ID', 'PROJECT', 'NETWORK', 'STARTED', 'STATUS', 'ROWS', 'MATCHED', 'REVIEW'],
            rows.map((row) => [
              row.id,
              row.project_name,
              row.network_name || '-',
              row.start_time,
              row.scan_status,
              row.rows,
              row.matched,
              row.review_status,
            ]),
          ),
        )
      })
    })
}

function addShowScanCommand(scans: Command, io: Io): void {
  addAccountOption(scans.command('show'))
    .argument('<id>', 'scan ID, as shown by "scans list"')
    .description('Show the findings of a scan with their catalogue matches')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery scans show prj_… --account ci\n  api-discovery scans show net_… --account ci --json',
    )
    .action(async (id: string, _, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withStoredScan(io, options, async ({ app, caller }) => {
        if (isNetworkScanId(id)) {
          const found = await app.call('getNetworkScanMappings', { instance_id: id }, caller)
          if (options.json) return io.result(JSON.stringify(found))
          return printStoredFlows(io, found.scan_mappings.mappings)
        }
        const found = await app.call('listScannedProjects', { project_id: id }, caller)
        if (options.json) return io.result(JSON.stringify(found))
        io.result(
          formatTable(
            ['METHOD', 'URL', 'API', 'VENDOR', 'LOCATIONS', 'APPROVAL'],
            [found]
              .flat()
              .flatMap((project) => project.scan_details)
              .map((each) => [
                each.endpoint_method || '-',
                each.endpoint_url,
                each.api_name || '-',
                each.vendor_name || '-',
                each.found_in.length,
                APPROVAL_LABELS[each.approval],
              ]),
          ),
        )
      })
    })
}

function addReviewScanCommand(scans: Command, io: Io): void {
  addAccountOption(scans.command('review'))
    .argument('<id>', 'scan ID, as shown by "scans list"')
    .description('Review a scan: set its status and approval, and approve or reject URLs or hosts')
    .addOption(
      new Option('--status <status>', 'review status').choices([
        'not_started',
        'in_progress',
        'complete',
      ]),
    )
    .addOption(
      new Option('--approval <value>', 'approval of the whole scan').choices([
        'yes',
        'no',
        'not_analyzed',
      ]),
    )
    .option('--approve <url...>', 'approve these URLs, or all URLs of these hosts')
    .option('--reject <url...>', 'reject these URLs, or all URLs of these hosts')
    .option('--reset <url...>', 'reset these URLs or hosts to unreviewed')
    .option('--reason <text>', 'reason for all decisions of this command')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery scans review prj_… --account ci --approve https://api.example.com/v1/rates --reason "Contract signed"\n  api-discovery scans review prj_… --account ci --status complete --approval yes',
    )
    .action(async (id: string, _, command: Command) => {
      const options = command.optsWithGlobals<ReviewOptions>()
      await withStoredScan(io, options, async (service) => {
        const stored = await reviewScan(service, { id, review: readReviewInput(options) })
        if (options.json) return io.result(JSON.stringify(stored))
        io.note(
          `Review ${stored.review_status}, scan ${SCAN_APPROVAL_LABELS[stored.is_approved]}; ${formatCount(stored.endpoints.length, 'decision')}`,
        )
      })
    })
}

function addDeleteScanCommand(scans: Command, io: Io): void {
  addAccountOption(scans.command('delete'))
    .argument('<id>', 'scan ID, as shown by "scans list"')
    .description('Delete a scan permanently')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery scans delete prj_… --account ci\n  api-discovery scans delete net_… --account ci --json',
    )
    .action(async (id: string, _, command: Command) => {
      const options = command.optsWithGlobals<AccountOptions>()
      await withStoredScan(io, options, async (service) => {
        const removed = await deleteScan(service, id)
        if (options.json) return io.result(JSON.stringify({ id, done: 'delete', ...removed }))
        const { project_name, network_name, rows } = removed
        const what = network_name === '' ? project_name : `${project_name}, ${network_name}`
        io.note(
          `Deleted ${id}: ${what}, ${formatCount(rows, network_name === '' ? 'endpoint' : 'flow')}.`,
        )
      })
    })
}

/** Stores a review. Advises how to list valid URLs if one is not in the scan. */
async function reviewScan(
  { app, caller }: ServiceOfAccount,
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
async function deleteScan({ app, caller }: ServiceOfAccount, id: string) {
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
async function listScans({ app, caller }: ServiceOfAccount, size: number) {
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

function readReviewInput({ status, approval, reason, ...urls }: ReviewOptions) {
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
