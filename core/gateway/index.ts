export type { CallField, CallShape } from '../calls/describe-call.ts'
export { type DescribedParameter, describeParameters } from '../calls/describe-parameters.ts'
export { Numeral, parseExactJson } from '../shared/exact-json.ts'
export type { GatewayCall, GatewayCaller } from './call-service.ts'
export type {
  AcceptedCredentials,
  CredentialType,
} from './credentials/accepted-credentials.ts'
export type { CredentialRequest } from './credentials/credential-request.ts'
export type { NamedCredential } from './credentials/credentials.ts'
export type { DescribedTarget, UsedCredential } from './describe-target.ts'
export type { Gateway } from './gateway.ts'
export type { GatewayResponse } from './gateway-responses.ts'
export type { NamedPolicy, PolicyRequest } from './policies.ts'
export type { Recordings } from './recordings/recordings.ts'
export type * from './records.ts'
export { CREDENTIAL_KINDS } from './records.ts'
