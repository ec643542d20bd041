import type { Command } from 'commander'
import type { CommandIo } from '../io.ts'
import { addScanDiffCommand } from './scan-diff.ts'
import { addScanNetworkCommand } from './scan-network.ts'
import { addScanProjectCommand } from './scan-project.ts'

/** Adds `scan` and its subcommands. */
export function addScanCommands(program: Command, io: CommandIo): void {
  const scan = program
    .command('scan')
    .description('Find the third-party APIs that a project or a network uses')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery scan project .\n  api-discovery scan network capture.pcap',
    )
  addScanProjectCommand(scan, io)
  addScanNetworkCommand(scan, io)
  addScanDiffCommand(scan, io)
}
