import type { Command } from 'commander'
import { diffUses, isEmptyDiff } from '../../../core/scans/index.ts'
import { UsageError } from '../errors.ts'
import type { CommandIo } from '../io.ts'
import { printDiff, toDiffDocument } from '../scan-diff-text.ts'
import { collect, readChecks, readUses } from '../scan-options.ts'
import type { GlobalOptions } from '../service.ts'
import { FOUND_FAILURES } from './scan-project.ts'

type DiffOptions = GlobalOptions & { readonly failOn?: readonly string[] }

/** Adds `scan diff`. */
export function addScanDiffCommand(scan: Command, io: CommandIo): void {
  scan
    .command('diff')
    .argument(
      '<before>',
      'what a former scan printed as JSON, a review file or a bill of materials',
    )
    .argument('<after>', 'likewise; - for standard input')
    .description(
      'Tell which endpoints, APIs and hosts are new, gone or changed between two scans of a project.',
    )
    .option('--fail-on <checks>', '"new": exit with 3 when an endpoint is', collect)
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery scan project . --json | api-discovery scan diff apis.json - --fail-on new\n\nScans of networks are compared by their bills: "bom export --repo ID" of the stored ones, then "bom diff".',
    )
    .action(async (before: string, after: string, _, command: Command) => {
      const options = command.optsWithGlobals<DiffOptions>()
      if (before === '-' && after === '-') {
        throw new UsageError('Cannot compare: only one of the two can be standard input')
      }
      const checks = readChecks(options.failOn ?? [], ['new'])
      const diff = diffUses(await readUses(io, before), await readUses(io, after))
      if (options.json) io.result(JSON.stringify(toDiffDocument(diff)))
      else if (isEmptyDiff(diff)) io.note('Both scans use the same.')
      else printDiff(io, diff)
      const { length } = diff.endpoints.new
      if (!checks.has('new') || length === 0) return
      io.note(`Failed: ${length} ${length === 1 ? 'endpoint is' : 'endpoints are'} new.`)
      io.setFailed(FOUND_FAILURES)
    })
}
