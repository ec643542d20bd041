#!/usr/bin/env node
import process from 'node:process'

/** The first Node release with all features of `node:sqlite` that this program uses. */
const OLDEST_NODE = [22, 13] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(
    `api-discovery needs Node ${OLDEST_NODE.join('.')} or newer, but this is Node ${process.versions.node}\n`,
  )
  process.exitCode = 1
} else {
  // Imported after the check: an older Node cannot load these modules.
  const { findStartCommand, cacheCompiledModules, enterCallerFolder } = await import(
    './start-command.ts'
  )
  await cacheCompiledModules(import.meta.url)
  const { createProcessIo } = await import('./io.ts')
  const { runCommandLine } = await import('./program.ts')
  const code = await runCommandLine(
    process.argv.slice(2),
    createProcessIo({
      program: findStartCommand(import.meta.url),
      dataFolder: enterCallerFolder(),
    }),
  )
  // Do not reset the exit code of a failed write to standard output.
  if (code !== 0) process.exitCode = code
}
