import { defineOperations } from '../http/operation.ts'
import { flag, pageParams, query, required, text } from '../http/params.ts'
import {
  callHistorySchema,
  credentialListSchema,
  credentialSchema,
  newCredentialSchema,
  newPolicySchema,
  policyListSchema,
  policySchema,
  publishedSchema,
  publishSchema,
  recordingListSchema,
  recordingSchema,
} from './wire.ts'

const recordingId = required(query(text(40), 'ID of the recording.'))

export const gatewayOperations = defineOperations({
  callEndpoint: {
    method: 'POST',
    paths: ['/gateway', '/benchmark/endpoint_request_live'],
    section: '4.1',
    tag: 'gateway',
    summary: 'Call a catalogued endpoint',
    description:
      "Builds the request from the endpoint's description and the values in the body, and adds the account's stored credentials. Status, body and listed headers of the target's response are passed through unchanged. Failures of the gateway itself have the header `gateway-error`.",
    scope: 'call',
    params: {
      endpoint_id: required(query(text(20), 'Short or numeric ID of the endpoint.')),
      follow_redirects: query(flag(), 'Follow at most three redirects.'),
      dry_run: query(
        flag(),
        'Return the request instead of sending it. If its address is not allowed, `would_be_refused` contains the reason.',
      ),
      server: query(
        text(2000),
        'Declared server to call: its name, its URL template, or its number from 1.',
      ),
      record: query(
        flag(),
        'Record the response in the account, redacted and size-limited, with its security headers. The header `gateway-recording` contains the ID of the recording.',
      ),
    },
    body: {
      kind: 'values',
      description:
        "Values of the endpoint's parameters and of the members of a JSON request body, by name. Send a JSON object with values of any type (`null` means absent), or a form with texts and files. In a form, a repeated name is a list. A name that occurs in several locations is written as `placement.name`.",
    },
    output: { kind: 'raw', mediaTypes: ['*/*'], isPassedOn: true },
  },
  putCredential: {
    method: 'PUT',
    paths: ['/gateway/credentials'],
    tag: 'extension',
    summary: "Store a target's credential",
    description:
      'For one API or for all APIs of a vendor; replaces the credential of the same kind and name. It is sent only to `origins`. By default, that is the origin of the declared absolute servers; if they have several, `origins` is required. Kind `BasicAuth` requires `username` and `password` (may be empty), `OAuth2` requires `client_id`, `client_secret` and `token_url`, all others require `value`. Kinds with a name require `name`. No response contains the secret parts.',
    scope: 'call',
    body: { kind: 'json', schema: newCredentialSchema },
    output: { kind: 'json', schema: credentialSchema },
  },
  listCredentials: {
    method: 'GET',
    paths: ['/gateway/credentials'],
    tag: 'extension',
    summary: "List the account's stored credentials",
    description: 'Ordered by creation time, without their secret parts.',
    scope: 'call',
    output: { kind: 'json', schema: credentialListSchema },
  },
  removeCredential: {
    method: 'DELETE',
    paths: ['/gateway/credentials'],
    tag: 'extension',
    summary: 'Remove a stored credential',
    scope: 'call',
    params: { credential_id: required(query(text(40), 'ID of the credential.')) },
    output: { kind: 'empty' },
  },
  listCalls: {
    method: 'GET',
    paths: ['/gateway/history'],
    tag: 'extension',
    summary: "List the account's calls",
    description:
      'Newest first. A call appears within a second after its end, and is stored for 90 days. `failure` is empty, an error code of the gateway, `aborted` if the caller disconnected, or `caller_too_slow` if it did not read the response in time.',
    scope: 'call',
    params: { ...pageParams },
    output: { kind: 'json', schema: callHistorySchema },
  },
  putPolicy: {
    method: 'PUT',
    paths: ['/gateway/policies'],
    tag: 'extension',
    summary: 'Set the policy of a key',
    description:
      'Replaces the policy of a key of the account. Absent or null members set no limit. If `vendors` or `api_ids` is set, a call must match an entry of either. A daily budget resets at midnight UTC.',
    scope: 'admin',
    body: { kind: 'json', schema: newPolicySchema },
    output: { kind: 'json', schema: policySchema },
  },
  listPolicies: {
    method: 'GET',
    paths: ['/gateway/policies'],
    tag: 'extension',
    summary: "List the policies of the account's keys",
    description: 'Ordered by key ID. A key that is not listed may call everything.',
    scope: 'admin',
    output: { kind: 'json', schema: policyListSchema },
  },
  removePolicy: {
    method: 'DELETE',
    paths: ['/gateway/policies'],
    tag: 'extension',
    summary: 'Remove the policy of a key',
    scope: 'admin',
    params: { key_id: required(query(text(40), 'ID of the key.')) },
    output: { kind: 'empty' },
  },
  listRecordings: {
    method: 'GET',
    paths: ['/gateway/recordings'],
    tag: 'extension',
    summary: "List the account's recorded responses",
    description: 'Newest first, without bodies. The newest 100 are stored.',
    scope: 'call',
    params: { ...pageParams },
    output: { kind: 'json', schema: recordingListSchema },
  },
  getRecording: {
    method: 'GET',
    paths: ['/gateway/recording'],
    tag: 'extension',
    summary: 'Show a recorded response',
    scope: 'call',
    params: { recording_id: recordingId },
    output: { kind: 'json', schema: recordingSchema },
  },
  removeRecording: {
    method: 'DELETE',
    paths: ['/gateway/recording'],
    tag: 'extension',
    summary: 'Remove a recorded response',
    scope: 'call',
    params: { recording_id: recordingId },
    output: { kind: 'empty' },
  },
  publishRecording: {
    method: 'POST',
    paths: ['/gateway/recordings/publish'],
    tag: 'extension',
    summary: 'Publish a recorded response as the example of its endpoint',
    description:
      'Publishes a recording of the account. All users see it if no example is documented. It must have a complete text body and a 2xx status, otherwise the status is 409.',
    scope: 'admin',
    body: { kind: 'json', schema: publishSchema },
    output: { kind: 'json', schema: publishedSchema },
  },
  unpublishRecording: {
    method: 'DELETE',
    paths: ['/gateway/recordings/publish'],
    tag: 'extension',
    summary: 'Remove a published example response',
    scope: 'admin',
    params: { endpoint_id: required(query(text(20), 'Short or numeric ID of the endpoint.')) },
    output: { kind: 'empty' },
  },
})
