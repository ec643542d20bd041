import { Command, CommanderError } from 'commander'
import { ServiceError, VERSION } from '../../core/index.ts'
import { addAccountCommands } from './commands/accounts.ts'
import { addAgreementCommands } from './commands/agreements.ts'
import { addAssessCommand } from './commands/assess.ts'
import { addBenchmarkCommands } from './commands/benchmark.ts'
import { addBomCommands } from './commands/bom.ts'
import { addCallCommands } from './commands/call.ts'
import { addCatalogueCommands } from './commands/catalogue.ts'
import { addGatewayCommands } from './commands/gateway.ts'
import { addImportCommand } from './commands/import.ts'
import { addJobCommands } from './commands/jobs.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addMaintenanceCommands } from './commands/maintenance.ts'
import { addScanCommands } from './commands/scan.ts'
import { addScansCommands } from './commands/scans.ts'
import { addSearchCommands } from './commands/search.ts'
import { addServeCommand } from './commands/serve.ts'
import { addSyncCommands } from './commands/sync.ts'
import { addUserCommands } from './commands/users.ts'
import { addVendorCommands } from './commands/vendors.ts'
import { addVulnerabilityCommands } from './commands/vulnerabilities.ts'
import { CommandError, StoppedError, UsageError } from './errors.ts'
import type { CommandIo, Io } from './io.ts'
import { tellRefusal } from './refusal.ts'

/** Exit codes of the command line. */
const EXIT = { done: 0, failed: 1, usage: 2, stopped: 130 } as const

/**
 * Runs one command line. Resolves with its exit code: 0 done, 1 failed, 2 wrongly used, 3 when a scan
 * found what it was told to fail on or a policy is not kept, 4 or 5 when a called endpoint answered so, 130 stopped. Results go to standard output, everything else to standard error.
 */
export async function runCommandLine(words: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.done
  const setFailed = (failed: number = EXIT.failed) => {
    code = failed
  }
  try {
    await createProgram({ ...io, setFailed }).parseAsync([...words], { from: 'user' })
    return code
  } catch (error) {
    return reportFailure(error, io)
  }
}

function createProgram(io: CommandIo): Command {
  const program = new Command('api-discovery')
    .description('Catalogue, search and serve descriptions of third-party APIs.')
    .version(VERSION)
    .option('--database <address>', 'sqlite:FILE or postgres://… (API_DISCOVERY_DATABASE)')
    .option('--json', 'print results as JSON')
    .configureOutput({
      writeOut: (text) => io.result(text.trimEnd()),
      writeErr: (text) => io.note(text.trimEnd()),
    })
    .exitOverride()
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nFirst steps:\n  api-discovery serve --seed\n  api-discovery import openapi.yaml --create-vendors\n  api-discovery search "weather forecast"',
    )
  addServeCommand(program, io)
  addImportCommand(program, io)
  addSearchCommands(program, io)
  addCatalogueCommands(program, io)
  addSyncCommands(program, io)
  addVendorCommands(program, io)
  addAgreementCommands(program, io)
  addAssessCommand(program, io)
  addVulnerabilityCommands(program, io)
  addAccountCommands(program, io)
  addKeyCommands(program, io)
  addUserCommands(program, io)
  addBomCommands(program, io)
  addCallCommands(program, io)
  addGatewayCommands(program, io)
  addBenchmarkCommands(program, io)
  addScanCommands(program, io)
  addScansCommands(program, io)
  addJobCommands(program, io)
  addMaintenanceCommands(program, io)
  acceptGlobalOptions(program)
  return program
}

/** Global options may stand behind a command's words as well. */
function acceptGlobalOptions(program: Command): void {
  for (const command of program.commands) {
    command
      .exitOverride()
      .option('--database <address>', 'sqlite:FILE or postgres://…')
      .option('--json', 'print results as JSON')
    acceptGlobalOptions(command)
  }
}

function reportFailure(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  if (error instanceof UsageError) {
    io.note(error.message)
    return EXIT.usage
  }
  if (error instanceof StoppedError) {
    io.note(error.message)
    return EXIT.stopped
  }
  if (error instanceof ServiceError) {
    tellRefusal(io, error)
    return error.code === 'invalid_input' ? EXIT.usage : EXIT.failed
  }
  io.note(error instanceof CommandError ? error.message : toUnexpected(error))
  return EXIT.failed
}

/** Errors of the system name what they concern; the stack is of no use to an operator. */
function toUnexpected(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`
}
