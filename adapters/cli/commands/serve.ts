import process from 'node:process'
import { clearInterval, setInterval, setTimeout } from 'node:timers'
import {
  type ApiDiscovery,
  type ApiDiscoveryOptions,
  type HttpHandler,
  type Logger,
  VERSION,
} from '../../../core/index.ts'
import type { OwnAddress } from '../../egress/index.ts'
import { MCP_PATH, withMcp } from '../../mcp/handler.ts'
import { closeOnSignals, serve } from '../../runtime/serve.ts'
import { readBasePath } from '../base-path.ts'
import type { OptionValues } from '../command-values.ts'
import { defineCommand } from '../define-command.ts'
import { EGRESS_OPTIONS, findEgressAllow, splitCommaList } from '../egress-options.ts'
import { CommandError, UsageError } from '../errors.ts'
import { openGeoip } from '../geoip.ts'
import type { Io } from '../io.ts'
import { createLogger } from '../logger.ts'
import { integerParser } from '../numbers.ts'
import { createProcessGauges } from '../process-gauges.ts'
import { collectValues } from '../scan-options.ts'
import { prepareOnlyKey, seedService } from '../seed.ts'
import { CONSOLE_PATH, openConsole, prepareSetUpLink } from '../serve-console.ts'
import { printReadyServer } from '../serve-ready.ts'
import { createServeSync, findSyncSchedule, type ServeSync } from '../serve-sync.ts'
import { type GlobalOptions, openService } from '../service.ts'
import { findTestConsent, TEST_OPTIONS } from '../test-options.ts'

const SERVE_OPTIONS = [
  ...EGRESS_OPTIONS,
  ...TEST_OPTIONS,
  ['--host <address>', 'address to listen on', { default: '127.0.0.1' }],
  [
    '--port <n>',
    'port to listen on; 0 selects a free port',
    { parse: integerParser(0, 65_535), default: 8080 },
  ],
  ['--base-path <path...>', 'base paths of the API operations', { default: ['/api'] }],
  [
    '--public-url <url>',
    'public address behind a proxy, such as https://tools.example/discovery; used in links, and its path is served too',
  ],
  [
    '--listener <kind>',
    'HTTP server: node (node:http), or native, which is faster but has no GET bodies and, on Deno, no timeouts',
    { choices: ['node', 'native'], default: 'node' },
  ],
  ['--seed', 'on first start, import examples and create and print an API key'],
  [
    '--print-setup',
    'print the set-up link and the API key of the first start even if standard output is not a terminal',
  ],
  [
    '--trusted-proxies <list>',
    'addresses and CIDR ranges of proxies, comma-separated',
    { parse: splitCommaList },
  ],
  [
    '--calls-per-host <n>',
    'maximum concurrent calls to one host (default: 20)',
    { parse: integerParser(1, 200) },
  ],
  ['--cors-origin <origin...>', 'origins that may call the API from a browser'],
  [
    '--requests-per-minute <n>',
    'request limit per key (default: unlimited)',
    { parse: integerParser(1, 1e9) },
  ],
  [
    '--concurrency <n>',
    'maximum concurrent requests per key (default: 16)',
    { parse: integerParser(1, 1e6) },
  ],
  [
    '--max-file-mb <n>',
    'largest uploaded description in MiB, up to 60',
    { parse: integerParser(1, 60) },
  ],
  [
    '--keep-scans-days <n>',
    'delete scans this many days after their last change (default: never)',
    { parse: integerParser(1, 36_500) },
  ],
  [
    '--keep-jobs-days <n>',
    'delete jobs this many days after they ended (default: 90)',
    { parse: integerParser(1, 36_500) },
  ],
  [
    '--sync <schedule>',
    'sync vulnerability data in the background: daily, or five cron fields in UTC (default: API_DISCOVERY_SYNC)',
  ],
  ['--no-console', 'do not serve the web console at /console/'],
  ['--no-mcp', 'do not serve tools for agents at /mcp'],
  ['--no-jobs', 'do not run background jobs in this process; see "jobs run"'],
  [
    '--geoip <file>',
    'MaxMind database (.mmdb) for geolocation; repeatable',
    { parse: collectValues },
  ],
  [
    '--log <level>',
    'lowest level of logged events',
    { choices: ['debug', 'info', 'warn', 'error', 'off'], default: 'warn' },
  ],
  ['--log-format <format>', 'format of log lines', { choices: ['json', 'text'], default: 'json' }],
  ['--log-file <file>', 'append log lines to a file (default: standard error)'],
] as const

/** `serve`. */
export const serveCommand = defineCommand({
  name: 'serve',
  description: 'Serve the HTTP API and the web console',
  options: SERVE_OPTIONS,
  examples: ['serve --seed', 'serve --port 8080 --database sqlite:/var/lib/apis.db --log info'],
  run: ({ io, options }) => runServer(io, options),
})

type ServeOptions = GlobalOptions & OptionValues<typeof SERVE_OPTIONS>

async function runServer(io: Io, options: ServeOptions): Promise<void> {
  const serviceOptions = toServiceOptions(options)
  const [basePath = ''] = serviceOptions.basePaths
  const { log: level, logFormat: format, logFile: file } = options
  const logger = level === 'off' ? undefined : createLogger({ level, format, file })
  const places = await openGeoip(options.geoip)
  const tests = findTestConsent(io, { hosts: options.testHost, contact: options.testContact })
  const schedule = findSyncSchedule(io, options)
  let sync: ServeSync | undefined
  let listening: OwnAddress | undefined
  let countConnections: () => number | undefined = () => undefined
  const gauges = createProcessGauges(() => countConnections())
  const service = await openService(io, {
    ...options,
    writeInThread: true,
    spareThreads: process.versions.deno === undefined ? 0 : 1,
    ownAddresses: () => (listening ? [listening] : []),
    openSync(opened) {
      if (schedule !== undefined) sync = createServeSync(io, { ...opened, schedule, logger })
      return sync?.options
    },
    service: {
      ...serviceOptions,
      ...(logger ? { logger } : {}),
      ...(places ? { geoip: places } : {}),
      readProcessGauges: gauges.read,
      rateLimitTests: tests,
    },
  })
  try {
    const canPrint = options.printSetup ?? io.terminal !== undefined
    const seeded = options.seed ? await seedService(service.app, { makesKey: canPrint }) : undefined
    const firstKey = seeded ?? (options.printSetup ? await prepareOnlyKey(service.app) : undefined)
    const pages = options.console
      ? await openConsole(service.app, {
          basePath,
          logger,
          command: io.program,
        })
      : service.app.handle
    const handle = options.mcp ? addMcp(service.app, { pages, options, logger }) : pages
    const setUp = options.console ? await prepareSetUpLink(service.app, canPrint) : undefined
    const server = await serve(handle, {
      host: options.host,
      port: options.port,
      listener: options.listener,
      trustedProxies: options.trustedProxies,
      logger,
    }).catch(rethrowListenError)
    if (server.countConnections) countConnections = server.countConnections
    listening = { address: options.host, port: server.port }
    const closing = new AbortController()
    stopWithParent(io)
    const stopped = closeOnSignals(
      {
        ...server,
        close(deadlineMs) {
          closing.abort()
          return server.close(deadlineMs)
        },
      },
      CLOSE_DEADLINE_MS,
    )
    void service.app.catalogue.updateSearch()
    if (options.jobs) void service.app.runJobs({ until: 'aborted', signal: closing.signal })
    const { origin, path } = service.app.publicAddress
    printReadyServer(io, {
      url: server.url,
      address: `${origin ?? server.url}${path}`,
      basePath,
      hasConsole: options.console,
      seeded,
      firstKey,
      setUp,
      isJson: options.json ?? false,
      egressAllow: findEgressAllow(io, options),
      testHosts: tests.hosts ?? [],
      syncSchedule: sync?.schedule,
    })
    logger?.log('info', 'server_started', {
      url: server.url,
      version: VERSION,
      database: service.address.kind,
      pid: process.pid,
    })
    logger?.log('info', 'server_stopped', { signal: await stopped })
  } finally {
    gauges.close()
    await service.close()
  }
  // A connection that the runtime cannot close, such as a stalled client of Deno.serve, would keep
  // the process alive.
  setTimeout(() => process.exit(), EXIT_AFTER_MS).unref()
}

/** Adds the endpoint for agents. On a loopback address, it is for programs of this machine. */
function addMcp(
  app: ApiDiscovery,
  {
    pages,
    options,
    logger,
  }: {
    readonly pages: HttpHandler
    readonly options: ServeOptions
    readonly logger: Logger | undefined
  },
): HttpHandler {
  const isLocal = LOOPBACK.includes(options.host) && options.publicUrl === undefined
  return withMcp(pages, app, {
    ...(isLocal && { allowedHosts: [...LOOPBACK, '[::1]'] }),
    ...(logger && { logger }),
  })
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1']

/** Throws a `UsageError` for an invalid base path or origin. */
function toServiceOptions(options: ServeOptions) {
  const { publicUrl, maxFileMb, callsPerHost, keepScansDays, keepJobsDays } = options
  const { requestsPerMinute: quota, concurrency } = options
  return {
    basePaths: options.basePath.map(readBasePath),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(options.console ? { consolePath: CONSOLE_PATH } : {}),
    ...(options.mcp ? { mcpPath: MCP_PATH } : {}),
    allowedOrigins: (options.corsOrigin ?? []).map(parseOrigin),
    ...(maxFileMb ? { bodyLimits: { maxFileBytes: maxFileMb * 1024 * 1024 } } : {}),
    ...(callsPerHost ? { gatewayLimits: { perOrigin: callsPerHost } } : {}),
    ...(keepScansDays ? { scanRetentionMs: keepScansDays * DAY_MS } : {}),
    ...(keepJobsDays ? { jobRetentionMs: keepJobsDays * DAY_MS } : {}),
    requestLimits: { requests: quota ? { quota, windowSeconds: 60 } : undefined, concurrency },
  } satisfies Partial<ApiDiscoveryOptions>
}

/** Closing and forced exit together take less than the ten seconds that hosts usually allow. */
const CLOSE_DEADLINE_MS = 8_000
const EXIT_AFTER_MS = 200
const DAY_MS = 86_400_000

/**
 * Stops the server when the shell of `npm start` has ended: a signal to npm ends that shell, which
 * does not forward it.
 */
function stopWithParent({ environment }: Io): void {
  if (environment.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  timer.unref()
}

/**
 * Turns a `RangeError`, which names an invalid option, into a `UsageError`. Names the option if the
 * port is not available.
 */
function rethrowListenError(error: unknown): never {
  if (error instanceof RangeError) throw new UsageError(error.message)
  if (!(error instanceof Error) || !isPortError(error)) throw error
  throw new CommandError(`${error.message}. Choose another one with --port.`)
}

/** Whether a port is in use or not permitted. node:http's error is the cause, others are thrown. */
function isPortError(error: Error): boolean {
  const thrown = error.cause instanceof Error ? error.cause : error
  return 'code' in thrown && (thrown.code === 'EADDRINUSE' || thrown.code === 'EACCES')
}

function parseOrigin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text
  throw new UsageError(`Cannot allow the origin "${text}": it must look like https://app.example`)
}
