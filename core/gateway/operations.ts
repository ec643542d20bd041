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

const recordingId = required(query(text(40), 'Id of the recording.'))

export const gatewayOperations = defineOperations({
  callEndpoint: {
    method: 'POST',
    paths: ['/gateway', '/benchmark/endpoint_request_live'],
    section: '4.1',
    tag: 'gateway',
    summary: 'Call a catalogued endpoint',
    description:
      "Builds the request from the endpoint's description and the body's values, adds the credentials that the account stored, and passes status, content and listed headers of the target's answer through as they come. Failures that are not the target's carry the header `gateway-error`.",
    scope: 'call',
    params: {
      endpoint_id: required(query(text(20), 'Short or numeric id of the endpoint.')),
      follow_redirects: query(flag(), 'Follow at most three redirects.'),
      dry_run: query(
        flag(),
        'Answer the request that would be sent, and why its address would be refused where it would (`would_be_refused`); send nothing.',
      ),
      server: query(
        text(2000),
        'Which of the declared servers: its name, its URL template, or its number from 1.',
      ),
      record: query(
        flag(),
        "Keep the answer, redacted and capped, with its security headers, for the own account; the recording's id is in the header `gateway-recording`.",
      ),
    },
    body: {
      kind: 'values',
      description:
        "Values of the endpoint's parameters by their names, and of a JSON request body's members by theirs. One JSON object, whose values may be of any type and `null` is absent, or a form, whose values are texts and files; a repeated name is a list. A name that stands in two places is written `placement.name`.",
    },
    output: { kind: 'raw', mediaTypes: ['*/*'], isPassedOn: true },
  },
  putCredential: {
    method: 'PUT',
    paths: ['/gateway/credentials'],
    tag: 'extension',
    summary: "Store a target's credential",
    description:
      'For one API or for all APIs of a vendor; it takes the place of the one of the same kind and name. It is sent to the confirmed origins alone: those given, else the one of the present absolute servers; where these have several, some must be given. Needs `value`, or `username` and `password`, which may be empty (kind `BasicAuth`), or `client_id`, `client_secret` and `token_url` (kind `OAuth2`); `name` for the kinds that have one. No answer ever holds its secret parts.',
    scope: 'call',
    body: { kind: 'json', schema: newCredentialSchema },
    output: { kind: 'json', schema: credentialSchema },
  },
  listCredentials: {
    method: 'GET',
    paths: ['/gateway/credentials'],
    tag: 'extension',
    summary: "List the account's stored credentials",
    description: 'In order of creation, without their secret parts.',
    scope: 'call',
    output: { kind: 'json', schema: credentialListSchema },
  },
  removeCredential: {
    method: 'DELETE',
    paths: ['/gateway/credentials'],
    tag: 'extension',
    summary: 'Remove a stored credential',
    scope: 'call',
    params: { credential_id: required(query(text(40), 'Id of the credential.')) },
    output: { kind: 'empty' },
  },
  listCalls: {
    method: 'GET',
    paths: ['/gateway/history'],
    tag: 'extension',
    summary: "List the account's calls",
    description:
      'Newest first; a call appears within a second of its end, for 90 days. `failure` is empty, the code of a failure of the gateway, `aborted` where the caller left, or `caller_too_slow` where it did not read the answer in time.',
    scope: 'call',
    params: { ...pageParams },
    output: { kind: 'json', schema: callHistorySchema },
  },
  putPolicy: {
    method: 'PUT',
    paths: ['/gateway/policies'],
    tag: 'extension',
    summary: 'Set what a key may call',
    description:
      "For a key of the own account, in the place of its former policy. What is absent or null is not limited; a call must be of one of `vendors` or of one of `api_ids`, where either is given. A day's budget ends at midnight UTC.",
    scope: 'admin',
    body: { kind: 'json', schema: newPolicySchema },
    output: { kind: 'json', schema: policySchema },
  },
  listPolicies: {
    method: 'GET',
    paths: ['/gateway/policies'],
    tag: 'extension',
    summary: "List the policies of the account's keys",
    description: 'In order of key id; a key that is not listed may call everything.',
    scope: 'admin',
    output: { kind: 'json', schema: policyListSchema },
  },
  removePolicy: {
    method: 'DELETE',
    paths: ['/gateway/policies'],
    tag: 'extension',
    summary: 'Lift the limits of a key',
    scope: 'admin',
    params: { key_id: required(query(text(40), 'Id of the key.')) },
    output: { kind: 'empty' },
  },
  listRecordings: {
    method: 'GET',
    paths: ['/gateway/recordings'],
    tag: 'extension',
    summary: "List the account's recorded answers",
    description: 'Newest first, without bodies; the newest 100 are kept.',
    scope: 'call',
    params: { ...pageParams },
    output: { kind: 'json', schema: recordingListSchema },
  },
  getRecording: {
    method: 'GET',
    paths: ['/gateway/recording'],
    tag: 'extension',
    summary: 'Show a recorded answer',
    scope: 'call',
    params: { recording_id: recordingId },
    output: { kind: 'json', schema: recordingSchema },
  },
  removeRecording: {
    method: 'DELETE',
    paths: ['/gateway/recording'],
    tag: 'extension',
    summary: 'Remove a recorded answer',
    scope: 'call',
    params: { recording_id: recordingId },
    output: { kind: 'empty' },
  },
  publishRecording: {
    method: 'POST',
    paths: ['/gateway/recordings/publish'],
    tag: 'extension',
    summary: "Make a recorded answer the endpoint's example response",
    description:
      'One of the own account; everybody reads it where no example is documented. It must be whole, a text, and of a success (2xx): else 409.',
    scope: 'admin',
    body: { kind: 'json', schema: publishSchema },
    output: { kind: 'json', schema: publishedSchema },
  },
  unpublishRecording: {
    method: 'DELETE',
    paths: ['/gateway/recordings/publish'],
    tag: 'extension',
    summary: 'Take a published example response back',
    scope: 'admin',
    params: { endpoint_id: required(query(text(20), 'Short or numeric id of the endpoint.')) },
    output: { kind: 'empty' },
  },
})
