import { ServiceError } from '../errors.ts'
import type { Handlers } from '../http/operation.ts'
import type { rateLimitOperations } from './operations.ts'
import { isOpen } from './runs.ts'
import type { RateLimitTests } from './service.ts'

/** Creates the handlers of the rate-limit operations (Specification 4.13, 4.14). */
export function createRateLimitHandlers(deps: {
  readonly tests: RateLimitTests
}): Handlers<typeof rateLimitOperations> {
  const { tests } = deps
  return {
    startRateLimitTest: async (input, context) => {
      const { requests, rate, payload_bytes: payloadBytes } = input
      const request = {
        endpointId: input.endpoint_id,
        ...(requests === undefined ? {} : { requests }),
        ...(rate === undefined ? {} : { rate }),
        ...(payloadBytes === undefined ? {} : { payloadBytes }),
        values: input.values,
        server: input.server || undefined,
        usesCredentials: input.use_credentials,
        confirmsUnsafe: input.confirm_unsafe,
      }
      const caller = { account: context.account, keyId: context.keyId }
      const started = await tests.start(request, caller).catch(rethrowWithParameterNames)
      return (await loadWire()).toStartReply(started)
    },

    getRateLimitResult: async (input, { account }) => {
      const run = await tests.result(account, { endpointId: input.endpoint_id, run: input.run })
      const { toResultWire } = await loadWire()
      return toResultWire(run, { isExtended: input.extended, hasRequests: input.with_requests })
    },

    getRateLimitPlot: async (input, { account }) => {
      const run = await tests.result(account, { endpointId: input.endpoint_id, run: input.run })
      if (!run.result) {
        const why = isOpen(run) ? `it is ${run.state}` : 'nothing was measured'
        throw new ServiceError('conflict', `Cannot plot run ${run.id}: ${why}`)
      }
      const { renderPlot } = await import('./probe/plot.ts')
      return {
        status: 200,
        headers: {
          'content-type': 'image/svg+xml',
          // If opened directly, the SVG is a document of this origin.
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        },
        body: renderPlot(run.result, run),
      }
    },

    listRateLimitTests: async ({ size, page }, { account }) => {
      const request = { size, page }
      const { toRunListWire } = await loadWire()
      return toRunListWire(await tests.list(account, request), request)
    },

    stopRateLimitTest: async (input, { account }) => {
      const { toRunWire } = await loadWire()
      return toRunWire(await tests.stop(account, input.run))
    },

    getRateLimitConsent: async (input, { account }) => {
      const request = {
        endpointId: input.endpoint_id,
        values: input.values,
        server: input.server || undefined,
      }
      const consent = await tests.consent(account, request).catch(rethrowWithParameterNames)
      return (await loadWire()).toConsentWire(consent)
    },
  }
}

/**
 * Rewrites issue names to parameters of the test. A call reports issues by parameter or query name;
 * here all values are members of `values`, such as `values.city`.
 */
function rethrowWithParameterNames(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'invalid_input') throw error
  const issues = error.issues.map(({ in: placement, name, message }) => {
    const path = placement !== 'body' ? name : name === '' ? 'values' : `values.${name}`
    return { in: 'form' as const, name: path, message }
  })
  throw new ServiceError(error.code, error.message, { issues, extra: error.extra })
}

/** Loads the serialisers on first use: most deployments run no tests. */
function loadWire() {
  return import('./to-wire.ts')
}
