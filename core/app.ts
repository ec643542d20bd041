import { createAuthenticator, toKeyAuthentication } from './accounts/authenticator.ts'
import { toHostAuthentication } from './accounts/host-authentication.ts'
import { createMaskingLogger } from './accounts/keys.ts'
import { createRefusals } from './accounts/refusals.ts'
import { createAdmit } from './accounts/request-limiter.ts'
import { NO_SEALER } from './accounts/sealer.ts'
import { createAccounts, createFirstKeyMaker } from './accounts/service.ts'
import { createAgreementHandlers } from './agreements/handlers.ts'
import { type Agreements, createAgreements } from './agreements/service.ts'
import type { ApiDiscovery } from './api-discovery.ts'
import { type ApiDiscoveryOptions, checkOptionNames } from './app-options.ts'
import { createAssessments } from './assessments/service.ts'
import { createBomHandlers } from './boms/handlers.ts'
import { createBoms } from './boms/service.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import { createCatalogueHandlers } from './catalogue/handlers.ts'
import { createHostVendorsCache } from './catalogue/host-vendors-cache.ts'
import { createLiveMatcher } from './catalogue/live-matcher.ts'
import { searchApis } from './catalogue/search/search-apis.ts'
import { type Contract, contract } from './contract.ts'
import { createExports } from './discovery/exports.ts'
import { createDiscoveryHandlers } from './discovery/handlers.ts'
import { rewrapAll } from './gateway/credentials/sealed-secrets.ts'
import { createGateway } from './gateway/gateway.ts'
import { createGatewayHandlers } from './gateway/handlers.ts'
import { parseServedPaths } from './http/base-path.ts'
import { BODY_LIMITS } from './http/body.ts'
import { createCall } from './http/call-operation.ts'
import { type AnyHandler, createDispatcher } from './http/dispatcher.ts'
import { toFetchHandler } from './http/fetch.ts'
import type { Handlers } from './http/operation.ts'
import { createRequestLog } from './http/request-log.ts'
import { type RequireScope, requireScope } from './http/require-scope.ts'
import { createRevisionTags } from './http/revision-tags.ts'
import { createRunAsCaller } from './http/run-as-caller.ts'
import { createImportHandlers } from './imports/handlers.ts'
import { createSearchUpdates } from './imports/search-updates.ts'
import { createImports, type Imports } from './imports/service.ts'
import { createJobs } from './jobs/jobs.ts'
import { buildOpenApiDocument } from './openapi.ts'
import { completeStorage } from './ports/complete-storage.ts'
import { createDeclaredLimitsReader } from './rate-limits/declared-limits.ts'
import { createRateLimitHandlers } from './rate-limits/handlers.ts'
import { prepareRateLimitTests } from './rate-limits/prepare.ts'
import { createScanHandlers } from './scans/handlers.ts'
import { createScans } from './scans/service.ts'
import { TIMERS } from './shared/timers.ts'
import { createSystemHandlers } from './system/handlers.ts'
import { createMetrics } from './system/metrics.ts'
import { createUsers } from './users/service.ts'
import { VERSION } from './version.ts'
import { readVulnerabilityGauges } from './vulnerabilities/gauges.ts'
import { createVulnerabilityHandlers } from './vulnerabilities/handlers.ts'
import {
  createScheduledSyncs,
  withScheduledSyncs,
} from './vulnerabilities/schedule/scheduled-syncs.ts'
import { createVulnerabilities, createVulnerabilityFinders } from './vulnerabilities/service.ts'

/**
 * Creates the service over a storage. It starts no timer, socket or worker.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { openSqlite } from 'api-discovery/sqlite'
 *
 * const app = createApiDiscovery({ storage: await openSqlite({ file: 'apis.db' }) })
 * ```
 */
export function createApiDiscovery(options: ApiDiscoveryOptions): ApiDiscovery {
  const { clock = Date.now } = checkOptionNames(options)
  const storage = completeStorage(options.storage)
  const logger = createMaskingLogger(options.logger)
  const { publicAddress, consoleUrl, ...paths } = parseServedPaths(options)
  const random = options.random ?? ((length) => crypto.getRandomValues(new Uint8Array(length)))
  const runtime = { clock, timers: TIMERS, random, logger }
  const metrics = createMetrics()
  const refusals = createRefusals({ store: storage.accounts, clock, logger })
  const authenticator = createAuthenticator({
    store: storage.accounts,
    clock,
    logger,
    onInactiveKey: (key, operation) => refusals.record({ ...key, operation }),
    limits: options.authenticationLimits ?? {},
  })
  const limits = { ...BODY_LIMITS, ...options.bodyLimits }
  const tags = {
    catalogue: createRevisionTags(`${VERSION}-c`, () => storage.catalogue.revision()),
    vulnerabilities: createRevisionTags(`${VERSION}-v`, () => storage.vulnerabilities.revision()),
  }
  const forgetTags = () => Object.values(tags).forEach((each) => void each.invalidate())
  const importService = createImports({
    catalogue: storage.catalogue,
    store: storage.imports,
    isolate: options.isolate,
    clock,
    logger,
    maxBytes: Math.max(limits.maxFileBytes, BODY_LIMITS.maxFileBytes),
  })
  const imports: Imports = {
    ...importService,
    importDescription: (request) => importService.importDescription(request).finally(forgetTags),
  }
  const searchUpdates = createSearchUpdates({ storage, clock, logger })
  const vulnerabilities = createVulnerabilities({ store: storage.vulnerabilities, clock })
  const matcher = createLiveMatcher(storage.catalogue)
  const hostVendors = createHostVendorsCache(storage.catalogue)
  const { allowsPlainTokenUrl, totalMs, ...guardLimits } = options.gatewayLimits ?? {}
  const agreementService = createAgreements({
    store: storage.agreements,
    catalogue: storage.catalogue,
    imports: storage.imports,
    readIndex: async (bytes) => (await import('./imports/apis-json.ts')).readApisJson(bytes),
    currentMatcher: async () => (await matcher.current()).matcher,
    clock,
  })
  const agreements: Agreements = {
    ...agreementService,
    enter: (request) => agreementService.enter(request).finally(forgetTags),
    importIndex: (request) => agreementService.importIndex(request).finally(forgetTags),
  }
  const gateway = createGateway({
    store: storage.gateway,
    catalogue: storage.catalogue,
    accounts: storage.accounts,
    revision: tags.catalogue.recent,
    egress: options.egress,
    sealer: options.sealer,
    decode: options.decode,
    guardLimits,
    totalMs,
    allowsPlainTokenUrl,
    clock,
    random,
    logger,
    userAgent: `api-discovery/${VERSION}`,
  })
  const finders = createVulnerabilityFinders(vulnerabilities)
  const scans = createScans({
    store: storage.scans,
    catalogue: storage.catalogue,
    accounts: storage.accounts,
    current: matcher.current,
    vendors: hostVendors,
    limits: options.scanLimits ?? {},
    keepMs: options.scanRetentionMs,
    places: options.geoip,
    vulnerabilities: {
      ...finders,
      revision: async () => storage.vulnerabilities.revision(),
    },
    ...runtime,
  })
  const tool = { name: 'api-discovery', version: VERSION }
  const bomDeps = { scans, catalogue: storage.catalogue, ...finders, tool }
  const boms = createBoms(bomDeps)
  const tests = prepareRateLimitTests({
    store: storage.rateLimits,
    maker: gateway.maker,
    egress: options.egress,
    readDeclared: createDeclaredLimitsReader(storage),
    options: options.rateLimitTests ?? {},
    version: VERSION,
    ...runtime,
  })
  const syncs = createScheduledSyncs({
    store: storage.jobs,
    options: options.vulnerabilitySync,
    ...runtime,
  })
  const jobs = createJobs({
    store: storage.jobs,
    handlers: { ...tests.handlers, ...syncs.handlers },
    has: tests.has,
    retentionMs: options.jobRetentionMs,
    ...runtime,
  })
  const rateLimits = tests.open(jobs)
  const assessments = createAssessments({
    catalogue: storage.catalogue,
    agreements: storage.agreements,
    imports: storage.imports,
    gateway: storage.gateway,
    rateLimits,
    ...finders,
    rules: options.assessmentRules,
    clock,
  })
  const sealer = options.sealer ?? NO_SEALER
  const accounts = createAccounts({
    store: storage.accounts,
    clock,
    random,
    sealer,
    forget: authenticator.forget,
    policies: storage.gateway,
  })
  const users = createUsers({
    store: storage.users,
    passwords: options.passwords,
    ...runtime,
    makeFirstKey: options.sealer
      ? createFirstKeyMaker({ accounts, clock, logger })
      : async () => {},
  })
  const readGauges = async () => [
    ...(await readVulnerabilityGauges({ vulnerabilities, syncs, clock })),
    ...gateway.gauges(),
    ...(await scans.readGauges()),
    ...(await jobs.readGauges()),
  ]
  const handlers: Handlers<Contract> = {
    ...createGatewayHandlers({ gateway }),
    ...createCatalogueHandlers({ storage, clock, hostVendors, ...searchUpdates }),
    ...createImportHandlers({ imports, policies: storage.gateway }),
    ...createAgreementHandlers({
      catalogue: storage.catalogue,
      store: storage.agreements,
      agreements,
      assess: assessments.assess,
    }),
    ...createVulnerabilityHandlers({ vulnerabilities, syncs, clock }),
    ...createBomHandlers(bomDeps),
    ...createScanHandlers({
      service: scans,
      catalogue: storage.catalogue,
      responses: storage.gateway,
      scans: storage.scans,
      places: options.geoip,
      consoleUrl,
    }),
    ...createRateLimitHandlers({ tests: rateLimits }),
    ...createDiscoveryHandlers({
      catalogue: storage.catalogue,
      search: (request) => searchApis({ store: storage.catalogue, filter: {}, ...request }),
      findSource: imports.findSource,
      service: { ...paths, publicAddress, consoleUrl, mcpPath: options.mcpPath, version: VERSION },
      ...searchUpdates,
    }),
    ...createSystemHandlers({
      storage,
      clock,
      metrics,
      readGauges,
      readProcessGauges: options.readProcessGauges,
      paths,
      consoleUrl,
      document: () => buildOpenApiDocument(paths),
    }),
  }
  const operations = {
    operations: contract,
    handlers: handlers as unknown as Readonly<Record<string, AnyHandler>>,
  }
  const gate = {
    authenticate: options.authenticate
      ? toHostAuthentication(options.authenticate, options.allowedOrigins ?? [])
      : toKeyAuthentication(authenticator),
    admit: createAdmit(options.requestLimits ?? {}, clock),
    recordRefusal: refusals.recordCaller,
  }
  const checkScope: RequireScope = (caller, needed) => requireScope(gate, caller, needed)
  const handle = createDispatcher({
    ...gate,
    ...operations,
    tags,
    constantTag: `"${VERSION}"`,
    ...paths,
    limits,
    allowedOrigins: options.allowedOrigins ?? [],
    clock,
    logger,
    observe: metrics.observe,
  })
  return {
    handle,
    fetch: toFetchHandler(handle, { logger }),
    clock,
    publicAddress,
    accounts: {
      ...accounts,
      listRefusals: refusals.list,
      rewrapSecrets: () =>
        rewrapAll({ store: storage.gateway, sealer, rewrapKeys: accounts.rewrapSecrets }),
    },
    users,
    imports,
    agreements,
    assessments,
    vulnerabilities,
    catalogue: createCatalogue(storage.catalogue, searchUpdates),
    gateway,
    scans,
    boms,
    exports: createExports({ ...bomDeps, findSource: imports.findSource, clock }),
    rateLimits,
    jobs,
    runJobs: withScheduledSyncs(syncs, jobs.run),
    match: matcher.match,
    readGauges,
    runAsCaller: createRunAsCaller(gate),
    requireScope: checkScope,
    recordRequest: createRequestLog({ logger, observe: metrics.observe }),
    loadScanCatalogue: async () => ({
      match: (await matcher.current()).matcher.match,
      findVendor: (await hostVendors()).findVendor,
    }),
    call: createCall({
      ...operations,
      requireScope: checkScope,
      onEnd: forgetTags,
    }) as never,
    async close() {
      for (const each of [jobs, searchUpdates, gateway, refusals, storage]) await each.close()
    },
  }
}
