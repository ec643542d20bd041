import { cp } from 'node:fs/promises'
import type { Options } from 'tsup'

export default {
  entry: {
    index: 'core/index.ts',
    contract: 'core/contract.ts',
    client: 'core/client.ts',
    openapi: 'core/openapi.ts',
    console: 'adapters/web/console.ts',
    mcp: 'adapters/mcp/index.ts',
    serve: 'adapters/runtime/serve.ts',
    node: 'adapters/runtime/node.ts',
    bun: 'adapters/runtime/bun.ts',
    deno: 'adapters/runtime/deno.ts',
    storage: 'core/storage.ts',
    sqlite: 'adapters/storage/sqlite.ts',
    'sqlite-writer': 'adapters/storage/sqlite-writer.ts',
    'bun-sqlite': 'adapters/storage/bun-sqlite.ts',
    postgres: 'adapters/storage/postgres.ts',
    isolate: 'adapters/isolate/worker-isolate.ts',
    'import-worker': 'adapters/isolate/import-worker.ts',
    egress: 'adapters/egress/index.ts',
    feeds: 'adapters/feeds/index.ts',
    secret: 'adapters/secret/secret-file.ts',
    accounts: 'core/accounts/index.ts',
    catalogue: 'core/catalogue/index.ts',
    gateway: 'core/gateway/index.ts',
    'rate-limits': 'core/rate-limits/index.ts',
    jobs: 'core/jobs/index.ts',
    boms: 'core/boms/index.ts',
    vulnerabilities: 'core/vulnerabilities/index.ts',
    assessments: 'core/assessments/index.ts',
    scans: 'core/scans/index.ts',
    scanner: 'adapters/scanner/index.ts',
    geoip: 'adapters/geoip/open-geoip.ts',
    'scan-worker': 'adapters/scanner/scan-worker.ts',
    testing: 'test/conformance/index.ts',
    cli: 'adapters/cli/main.ts',
  },
  format: 'esm',
  target: 'es2023',
  platform: 'node',
  dts: true,
  clean: true,
  splitting: true,
  treeshake: true,
  removeNodeProtocol: false,
  /** Copies the assets of the console next to the modules that read them. */
  async onSuccess() {
    await cp('adapters/web/assets', 'dist/assets', { recursive: true })
    await cp('node_modules/htmx.org/dist/htmx.min.js', 'dist/assets/htmx.min.js')
    await cp('node_modules/htmx.org/LICENSE', 'dist/assets/htmx.LICENSE')
  },
  external: [/^node:/, /^bun/, 'vitest', 'web-tree-sitter'],
} satisfies Options
