import { describe, expect, it } from 'vitest'
import type { TestInput, TestResult } from '../../../core/rate-limits/records.ts'
import type { TestRun } from '../../../core/rate-limits/runs.ts'
import { toResultWire, toStartReply } from '../../../core/rate-limits/to-wire.ts'

const INPUT: TestInput = {
  endpoint: 'aB3dE5f',
  origin: 'https://api.example.com',
  budget: { requests: 60, rate: 5, payloadBytes: 65_536 },
  values: {},
  server: '',
  usesCredentials: false,
  consent: 'operator',
}

const DAY = Date.UTC(2026, 2, 9, 23, 59, 59)

function toRun(more: Partial<TestRun>): TestRun {
  return {
    id: 7,
    jobId: 42,
    endpoint: INPUT.endpoint,
    state: 'queued',
    input: INPUT,
    host: 'api.example.com:443',
    sent: 0,
    budget: INPUT.budget,
    verdict: more.result?.verdict.verdict,
    limit: undefined,
    attempts: 0,
    needs: '',
    isStopped: false,
    result: undefined,
    failure: '',
    createdAt: DAY,
    startedAt: undefined,
    endedAt: undefined,
    ...more,
  }
}

const RESULT: TestResult = {
  verdict: {
    verdict: 'inconclusive',
    text: 'No conclusion is possible: the test was cancelled.',
    rate: {
      found: false,
      signal: undefined,
      observed: undefined,
      atRate: undefined,
      declared: undefined,
      recoveryMs: undefined,
    },
    payload: { state: 'untested', largestTaken: undefined, smallestRefused: undefined },
    page: { state: 'untested', parameter: undefined },
  },
  evidence: {
    budget: INPUT.budget,
    declared: { has429: false, headers: [], limits: [], seen: { calls: 0, limited: 0 } },
    records: [],
    stop: 'cancelled',
    attempts: 1,
    sent: 3,
  },
  beganAt: DAY + 2_000,
  endedAt: DAY + 9_000,
}

const toSummaryWire = (run: TestRun) => toResultWire(run, { isExtended: false, hasRequests: false })

describe('A run on the wire', () => {
  it('reports its progress until it ends', () => {
    const isStopped = true
    const texts = [
      toRun({}),
      toRun({ state: 'running', sent: 12, attempts: 1 }),
      toRun({ state: 'running', sent: 12, attempts: 1, isStopped }),
    ].map((run) => toSummaryWire(run))
    expect(texts).toEqual([
      {
        datetime: '2026/03/09',
        result: 'Queued: none of at most 60 requests sent so far.',
        test_case: '0 of at most 60 requests, at most 5 requests per second',
      },
      {
        datetime: '2026/03/09',
        result: 'Running: 12 of at most 60 requests sent so far.',
        test_case: '12 of at most 60 requests, at most 5 requests per second',
      },
      {
        datetime: '2026/03/09',
        result: 'Running, stop requested: 12 of at most 60 requests sent so far.',
        test_case: '12 of at most 60 requests, at most 5 requests per second',
      },
    ])
  })

  it('explains why it ended early or without a verdict', () => {
    const failure = 'The run was stopped'
    const texts = [
      toRun({ state: 'failed', failure: 'Cannot reach the target.' }),
      toRun({ state: 'aborted', failure }),
      toRun({ state: 'aborted', failure, result: RESULT, sent: 3 }),
    ].map((run) => toSummaryWire(run).result)
    expect(texts).toEqual([
      'Failed: Cannot reach the target. No verdict.',
      'Aborted: The run was stopped. No verdict.',
      'Aborted: The run was stopped. Inconclusive: No conclusion is possible: the test was cancelled.',
    ])
  })

  it('has the date on which it began', () => {
    expect(toSummaryWire(toRun({ state: 'done', result: RESULT })).datetime).toBe('2026/03/10')
  })

  it('has null members without evidence', () => {
    const { extended } = toResultWire(toRun({}), { isExtended: true, hasRequests: false })
    expect(extended).toEqual({
      run: 7,
      endpoint_id: 'aB3dE5f',
      host: 'api.example.com:443',
      state: 'queued',
      verdict: null,
      sent: 0,
      budget: { requests: 60, rate: 5, payload_bytes: 65_536 },
      is_stopped: false,
      failure: '',
      created_at: '2026-03-09T23:59:59+00:00',
      started_at: null,
      ended_at: null,
      consent: 'operator',
      uses_credentials: false,
      attempts: 0,
      stop: null,
      reason: null,
      rate: null,
      payload: null,
      page: null,
      declared: null,
      timeline: [],
    })
  })
})

describe('The start reply', () => {
  it('distinguishes a new run from an open one', () => {
    const run = toRun({})
    expect([toStartReply({ run, isNew: true }), toStartReply({ run, isNew: false })]).toEqual([
      {
        result:
          'Queued as run 7: at most 60 requests at 5 per second to api.example.com:443. Read the result later.',
        info: 7,
      },
      {
        result:
          'A test of this endpoint is already queued as run 7: at most 60 requests at 5 per second to api.example.com:443. Read the result later.',
        info: 7,
      },
    ])
  })
})
