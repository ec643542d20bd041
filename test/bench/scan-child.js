import process from 'node:process'

// Scans a folder with the built package, like the command, and prints the cost. Plain JavaScript,
// so that type stripping is not measured.

const [entry = '', root = ''] = process.argv.slice(2)
const { scanFolder } = await import(entry)
const started = performance.now()
const { files, findings } = await scanFolder({ root, catalogue: { match: () => undefined } })
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
console.log(
  JSON.stringify({
    files,
    findings: findings.length,
    scanMs: Math.round(performance.now() - started),
    cpuMs: Math.round((userCPUTime + systemCPUTime) / 1000),
    maxMb: Math.round(maxRSS / 1024),
  }),
)
process.exit()
