import { spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

// Runs benchmarks: npm run bench -- SUBJECT… [--runtime node|bun|deno]; without a subject, all of
// them. Each prints floor, peer and our result of the same run, and whether the mark is met.

const SUBJECTS: Readonly<Record<string, readonly (readonly [file: string, ...words: string[]])[]>> =
  {
    http: [['http.ts']],
    adapters: [['adapters.ts']],
    import: [['import.ts'], ['whole-import.ts']],
    'import-bombs': [['import-bombs.ts']],
    list: [['list.ts']],
    search: [['search-storage.ts', 'sqlite', 'postgres'], ['search-clients.ts']],
    match: [['match.ts']],
    storage: [['storage.ts']],
    keys: [['key-timing.ts']],
    cve: [['cve.ts']],
    'cve-load': [['cve-load.ts']],
    'cve-held': [['cve-held.ts']],
    'cve-transfer': [['cve-transfer.ts']],
    gateway: [['gateway.ts']],
    capture: [['capture.ts']],
    scan: [['scan.ts']],
    scanned: [['scanned.ts']],
    bom: [['bom.ts']],
    'rate-limit': [['rate-limit.ts']],
    pages: [['pages.ts']],
    unread: [['unread-streams.ts']],
  }

const words = process.argv.slice(2)
const options = words.includes('--runtime') ? words.slice(words.indexOf('--runtime')) : []
const named = words.slice(0, words.length - options.length)
const unknown = named.filter((name) => !Object.hasOwn(SUBJECTS, name))
if (unknown.length > 0) {
  console.error(`Cannot run ${unknown.join(', ')}: known are ${Object.keys(SUBJECTS).join(', ')}`)
  process.exitCode = 1
} else {
  for (const name of named.length > 0 ? named : Object.keys(SUBJECTS)) {
    console.log(`\n=== ${name} ===`)
    for (const [file, ...more] of SUBJECTS[name] ?? []) {
      if ((await run(file, [...more, ...options])) !== 0) process.exitCode = 1
    }
  }
}

function run(file: string, more: readonly string[]): Promise<number> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path, ...more], { stdio: 'inherit' })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
