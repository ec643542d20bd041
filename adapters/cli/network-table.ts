import type { FindGeolocation } from '../../core/index.ts'
import { type FlowGroup, isLocalHost, type NetworkReport } from '../../core/scans/index.ts'
import { printFittedTable } from './fitted-table.ts'
import { formatCount, type Io } from './io.ts'

/** Maximum number of printed requests of one API. */
const MAX_PRINTED_REQUESTS = 5
/** Maximum number of printed uncatalogued hosts. */
const MAX_PRINTED_HOSTS = 100

/**
 * Prints a report as text: APIs with their requests, then the other hosts. Hosts of the local
 * network are only counted.
 */
export function printNetworkReport(
  io: Io,
  printed: { readonly report: NetworkReport; readonly places: FindGeolocation | undefined },
): void {
  const { report, places } = printed
  const apis = report.apis()
  const others = report.hosts().filter((group) => !isLocalGroup(group))
  const ambiguous = others.filter(({ candidates }) => candidates)
  const hosts = others.filter(({ candidates }) => !candidates)
  const tail = ['FLOWS', 'ADDRESSES', ...(places ? ['LOCATION'] : []), 'DIRECTION', 'FIRST', 'LAST']
  const toTail = (group: FlowGroup) => [
    String(group.flows),
    formatAddresses(group),
    ...(places ? [formatGeolocation(places, group.address)] : []),
    group.directions.join(', '),
    formatMinute(group.firstAt),
    formatMinute(group.lastAt),
  ]
  if (apis.length > 0) {
    const blank = tail.map(() => '')
    printFittedTable(io, {
      headings: ['API', 'VENDOR', 'ENDPOINTS', ...tail],
      rows: apis.flatMap((group) => [
        [group.apiName ?? '', group.vendorName ?? '', formatEndpointCount(group), ...toTail(group)],
        ...group.requests
          .slice(0, MAX_PRINTED_REQUESTS)
          .map(({ text, count }) => ['', '', `  ${text}`, String(count), ...blank.slice(1)]),
        ...formatRemainingRequests(group).map((text) => ['', '', text, ...blank]),
      ]),
      // The least important first.
      dropped: [tail.length + 1, 1],
    })
  }
  printLocalHostCount(io, report)
  if (ambiguous.length > 0) {
    if (apis.length > 0) io.result('')
    printFittedTable(io, {
      headings: ['SHARED HOST', 'CANDIDATES', 'VENDOR', ...tail],
      rows: ambiguous.map((group) => [
        group.host,
        group.candidates?.join(', ') ?? '',
        group.vendorName ?? '-',
        ...toTail(group),
      ]),
      dropped: [tail.length + 1, 2],
    })
  }
  if (hosts.length === 0) return
  if (apis.length + ambiguous.length > 0) io.result('')
  printFittedTable(io, {
    headings: ['UNCATALOGUED HOST', 'VENDOR', ...tail],
    rows: hosts
      .slice(0, MAX_PRINTED_HOSTS)
      .map((group) => [group.host || '(clients)', group.vendorName ?? '-', ...toTail(group)]),
    dropped: [tail.length, 1],
  })
  if (hosts.length > MAX_PRINTED_HOSTS)
    io.note(`… and ${hosts.length - MAX_PRINTED_HOSTS} more hosts.`)
}

function printLocalHostCount(io: Io, report: NetworkReport): void {
  const local = report.hosts().filter(isLocalGroup)
  if (local.length === 0) return
  const flows = local.reduce((sum, group) => sum + group.flows, 0)
  const names = formatCount(local.length, 'host')
  io.note(
    `Not listed: ${names} of the local network with ${formatCount(flows, 'flow')}. Use --json to list all.`,
  )
}

/** Excludes names in brackets, which are placeholders for unknown hosts. */
function isLocalGroup({ host }: FlowGroup): boolean {
  return host !== '' && !host.startsWith('(') && isLocalHost(host)
}

/** Formats a geolocation as `City Country [Region]`, as responses of the service do. */
function formatGeolocation(places: FindGeolocation, address: string): string {
  const found = address === '' ? undefined : places(address)
  if (!found) return '-'
  const { city, country, region } = found
  const words = [city, country].filter((word) => word !== '').join(' ')
  return region === '' ? words || '-' : `${words} [${region}]`.trimStart()
}

function formatEndpointCount({ endpoints, requests }: FlowGroup): string {
  if (requests.length === 0) return 'not visible'
  return `${endpoints} endpoint${endpoints === 1 ? '' : 's'}`
}

function formatRemainingRequests({ requests }: FlowGroup): readonly string[] {
  const rest = requests.length - MAX_PRINTED_REQUESTS
  return rest > 0 ? [`  … ${rest} more`] : []
}

function formatAddresses({ address, addresses }: FlowGroup): string {
  if (addresses === 0) return '-'
  return addresses === 1 ? address : `${address} (+${addresses - 1})`
}

function formatMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}
