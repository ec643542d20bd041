import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const { bun, deno } = process.versions

// Run only on Node: pages, texts and search order do not depend on the runtime.
const NODE_ONLY = [
  'test/**/*.node.test.ts',
  'test/architecture.test.ts',
  'test/browser/**/*.test.ts',
  'test/golden-queries/**/*.test.ts',
  'test/console/*/**/*.test.ts',
]
// Pure code, and services and processes over SQLite, which Deno runs with the same engine as Node.
// Bun has another engine. Deno runs the conformance suites, the operations over HTTP, and what uses
// its own files, sockets, URLs and processes.
const NOT_DENO = [
  'test/cli/{catalogue,database-messages,sync-all,sync-cve,sync-schedule}.test.ts',
  'test/contract/{agreement-views,assessments,real-calls,real-vulnerabilities}.test.ts',
  'test/security/capture-floods.process.test.ts',
  'test/security/{bad-input,bad-input-texts,captures,capture-streams,import-bounds}.test.ts',
  'test/security/{sample-bounds,traffic-logs,vulnerability-queries}.test.ts',
  'test/storage/kill-{budget,cve,probe,pull,sync}.process.test.ts',
  'test/storage/{corpus,gateway-faults,job-model,reimport,scan-faults}.test.ts',
  'test/unit/{agreements,assessments,boms,catalogue,code-scanner,geoip,jobs}/**/*.test.ts',
  'test/unit/gateway/{audit,budgets,calls,guard/*,policies,recordings}.test.ts',
  'test/unit/imports/{corpus-limits,limit-*,rate-limits,vendors,yaml-lines}.test.ts',
  'test/unit/matching/{corpus,hostile,properties}.test.ts',
  'test/unit/{rate-limits,scans,schemas,vendors}/**/*.test.ts',
  'test/unit/traffic/capture/{http,http2,tcp}.test.ts',
  'test/unit/users/{invitations,lockout}.test.ts',
  'test/unit/vulnerabilities/{index,loading,schedule,search}/**/*.test.ts',
  'test/unit/vulnerabilities/feeds/{cve-corpus,known-cves,reported}.test.ts',
  'test/unit/vulnerabilities/transfer/broken-archives.test.ts',
]
// Start processes: on Deno, a process shared by test files does not always exit after these.
const PROCESS = [
  'test/**/*.process.test.ts',
  'test/{custom-storage.node,examples}.test.ts',
  'test/{golden-queries,package,runtime}/**/*.test.ts',
]
// Exhaust or reload the grammar memory, fill the process memory, or measure event loop delays.
const ALONE = [
  'test/**/*.alone.{node.,}test.ts',
  'test/unit/scanner/*.test.ts',
  ...(deno === undefined ? [] : PROCESS),
]
const EXCLUDED = [
  ...(bun === undefined && deno === undefined ? [] : NODE_ONLY),
  ...(deno === undefined ? [] : NOT_DENO),
]

/** Without results of an earlier run, file sizes do not show that these take longest. */
const LONGEST = /\/test\/(?:browser|storage)\//

/** Starts the longest files of a project first, so that no worker has a long one left at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const toRank = ({ moduleId }: TestSpecification) => (LONGEST.test(moduleId) ? 0 : 1)
    const names = ['alone', 'sharing']
    const toPlace = (file: TestSpecification) => names.indexOf(file.project.name) * 2 + toRank(file)
    return (await super.sort(files)).sort((a, b) => toPlace(a) - toPlace(b))
  }
}

// Bun's forks pool and Deno's threads pool are broken upstream: each runtime uses the other one.
export default defineConfig({
  test: {
    pool: bun === undefined ? 'forks' : 'threads',
    // Many files mostly wait for processes and clocks.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          // Files share processes: starting one per file would take longer than most files run.
          name: 'sharing',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...EXCLUDED],
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, exclude: EXCLUDED },
      },
    ],
  },
})
