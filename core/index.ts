export type { AuthenticationLimits } from './accounts/authenticator.ts'
export { type Authenticate, type HostCaller, toCaller } from './accounts/host-authentication.ts'
export type { RequestLimits } from './accounts/request-limiter.ts'
export { createSealer, type Secrets } from './accounts/sealer.ts'
export type { ApiDiscovery } from './api-discovery.ts'
export { createApiDiscovery } from './app.ts'
export type { ApiDiscoveryOptions, GatewayLimits } from './app-options.ts'
export { type ErrorCode, type InputIssue, ServiceError } from './errors.ts'
export { type PublicAddress, parseBasePath, stripPublicPath } from './http/base-path.ts'
export type { BodyLimits } from './http/body.ts'
export type { FetchHandler, FetchInfo } from './http/fetch.ts'
export type { HttpHandler, HttpRequest, HttpResponse } from './http/message.ts'
export type { CompletedRequest, RecordRequest } from './http/request-log.ts'
export type { Clock } from './ports/clock.ts'
export type { Decode, DecodeOptions } from './ports/decode.ts'
export {
  type Egress,
  type EgressEnd,
  EgressError,
  type EgressFailure,
  type EgressLimits,
  type EgressRequest,
  type EgressResponse,
  type HeaderLine,
} from './ports/egress.ts'
export type { FindGeolocation, Geolocation } from './ports/geolocation.ts'
export type { Isolate } from './ports/isolate.ts'
export type { Logger, LogLevel, LogValue } from './ports/logger.ts'
export type { PasswordHasher } from './ports/passwords.ts'
export type { Random } from './ports/random.ts'
export type { SealContext, Sealer } from './ports/sealer.ts'
export type { RateLimitTestOptions } from './rate-limits/prepare.ts'
export type { ScanLimits } from './scans/uploads.ts'
export { type Account, type Caller, SCOPES, type Scope } from './shared/account.ts'
export type { Gauge } from './shared/gauges.ts'
export type { MaybePromise } from './shared/maybe-promise.ts'
export type { Page, PageRequest } from './shared/pages.ts'
export { VERSION } from './version.ts'
export type { VulnerabilitySyncOptions } from './vulnerabilities/schedule/options.ts'
