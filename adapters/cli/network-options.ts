import { hostname } from 'node:os'
import { basename } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { ServiceError } from '../../core/index.ts'
import { createTrafficReader } from '../../core/scans/index.ts'
import type { OptionValues } from './command-values.ts'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'
import { collectValues, readSubmitTarget, type SubmitTarget } from './scan-options.ts'
import type { GlobalOptions } from './service.ts'

/** Options of `scan network`. */
export const SCAN_NETWORK_OPTIONS = [
  ['--interface <name>', 'capture live from this interface with tcpdump or dumpcap'],
  [
    '--capture-tool <file>',
    'tcpdump, dumpcap or a compatible program (default: the first one found)',
  ],
  ['--filter <expression>', 'capture filter in tcpdump syntax: "port 53 or port 443"'],
  [
    '--duration <HH:MM:SS>',
    'duration of the capture (default: until Ctrl-C)',
    { parse: parseClock },
  ],
  [
    '--send-every <HH:MM:SS>',
    'interval for sending flows (default: 00:01:00)',
    { parse: parseClock },
  ],
  ['--spool <folder>', 'folder that stores unsent flows; resumes the scan stored in it'],
  [
    '--geoip <file>',
    'MaxMind database (.mmdb) for geolocation; repeatable',
    { parse: collectValues },
  ],
  [
    '--own-address <address>',
    'address or range (10.1.0.0/16) of the observed network; repeatable',
    { parse: collectValues },
  ],
  ['--output <file>', 'write the JSON document to a file; needs --json'],
  ['--submit <url>', 'store the scan in a service, using the key in API_DISCOVERY_KEY'],
  ['--network-name <name>', 'network name (default: host name)'],
  ['--project-name <name>', 'project name (default: name of the first file)'],
  ['--organization <name>', 'organization that owns the network'],
  ['--nic-ip <text>', 'addresses of the capturing interface'],
  ['--nic-name <name>', 'name of the capturing interface'],
  ['--mac-address <text>', 'MAC address of the capturing interface'],
] as const

export type ScanNetworkOptions = GlobalOptions & OptionValues<typeof SCAN_NETWORK_OPTIONS>

/** Names and interface data of a submitted network scan. */
export interface NetworkHead {
  readonly network_name: string
  readonly project_name: string
  readonly organization?: string
  readonly nic_ip?: string
  readonly nic_name?: string
  readonly mac_address?: string
}

/** Validates the options before any work starts. Throws a `UsageError` if they conflict. */
export function checkNetworkOptions(files: readonly string[], options: ScanNetworkOptions): void {
  const { interface: name, output, json, submit } = options
  if (name === undefined && files.length === 0) {
    throw new UsageError('Cannot scan: pass files, - for standard input, or --interface')
  }
  if (files.includes('')) throw new UsageError('Cannot scan: a file name is empty')
  if (name !== undefined && files.length > 0) {
    throw new UsageError('Cannot scan: choose either files or --interface')
  }
  if (files.filter((file) => file === '-').length > 1) {
    throw new UsageError('Cannot scan: standard input (-) can be read only once')
  }
  for (const option of LIVE_OPTIONS) {
    if (name === undefined && options[option] !== undefined) {
      throw new UsageError(`Cannot use --${toKebabCase(option)}: it needs --interface`)
    }
  }
  for (const option of ['sendEvery', 'spool'] as const) {
    if (submit === undefined && options[option] !== undefined) {
      throw new UsageError(`Cannot use --${toKebabCase(option)}: it needs --submit`)
    }
  }
  if (output !== undefined && !json) throw new UsageError('Cannot use --output: it needs --json')
  checkOwnAddresses(options)
}

/** Reads the target of `--submit`; undefined without it. Throws a `UsageError` if it is invalid. */
export function findSubmitTarget(io: Io, { submit }: ScanNetworkOptions): SubmitTarget | undefined {
  return submit === undefined ? undefined : readSubmitTarget(io, submit)
}

/** Builds the head. Names default to the host name and the name of the first file. */
export function toNetworkHead(options: ScanNetworkOptions, first: string): NetworkHead {
  const { organization, nicIp, nicName, macAddress } = options
  const stem = first === '-' ? '' : basename(first).replace(/(?:\.[a-z0-9]{1,6}){1,2}$/i, '')
  return {
    network_name: options.networkName ?? (hostname() || 'network'),
    project_name: options.projectName ?? (stem || 'network'),
    ...(organization === undefined ? {} : { organization }),
    ...(nicIp === undefined ? {} : { nic_ip: nicIp }),
    ...(nicName === undefined ? {} : { nic_name: nicName }),
    ...(macAddress === undefined ? {} : { mac_address: macAddress }),
  }
}

/** Parses an option value `HH:MM:SS` to milliseconds, at least one second. */
function parseClock(text: string): number {
  const [, hours, minutes, seconds] = /^(\d{2}):([0-5]\d):([0-5]\d)$/.exec(text) ?? []
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  if (ms > 0) return ms
  throw new InvalidArgumentError('It must be HH:MM:SS, at least 00:00:01.')
}

/** Formats milliseconds as `HH:MM:SS`. */
export function formatClock(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

function checkOwnAddresses({ ownAddress: ownAddresses }: ScanNetworkOptions): void {
  try {
    createTrafficReader({ ownAddresses })
  } catch (error) {
    throw error instanceof ServiceError ? new UsageError(error.message) : error
  }
}

const LIVE_OPTIONS = ['captureTool', 'filter', 'duration', 'sendEvery', 'spool'] as const

function toKebabCase(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
