import { diffUsages, isEmptyDiff } from '../../../core/scans/index.ts'
import { defineCommand } from '../define-command.ts'
import { UsageError } from '../errors.ts'
import { printScanDiff, toScanDiffJson } from '../scan-diff-text.ts'
import { collectValues, parseChecks, readUsagesFile } from '../scan-options.ts'
import { EXIT_CODE_CHECK_FAILED } from './scan-project.ts'

/** `scan diff`. */
export const scanDiffCommand = defineCommand({
  name: 'diff',
  description: 'List new, removed and changed endpoints, APIs and hosts between two project scans',
  arguments: [
    ['<before>', 'JSON output of an earlier scan, a review file or a BOM'],
    ['<after>', 'later scan, in any of these formats; - for standard input'],
  ],
  options: [
    [
      '--fail-on <checks>',
      'exit with 3 on findings of this check: new',
      { parse: collectValues, suggestions: ['new'] },
    ],
  ],
  details: `
To compare network scans, export their BOMs with "bom export --repo ID" and use "bom diff".

Exit codes:
  0  compared
  1  a scan could not be read
  2  invalid usage
  3  with --fail-on new: new endpoints found`,
  examples: [
    'scan diff before.json after.json --json',
    'api-discovery scan project . --json | api-discovery scan diff apis.json - --fail-on new',
  ],
  async run({ io, words: [before, after], options }) {
    if (before === '-' && after === '-') {
      throw new UsageError('Cannot compare: only one of the scans can be read from standard input')
    }
    const checks = parseChecks(options.failOn ?? [], ['new'])
    const diff = diffUsages(await readUsagesFile(io, before), await readUsagesFile(io, after))
    if (options.json) io.result(JSON.stringify(toScanDiffJson(diff)))
    else if (isEmptyDiff(diff)) io.note('No differences.')
    else printScanDiff(io, diff)
    const { length } = diff.endpoints.new
    if (!checks.has('new') || length === 0) return
    io.note(`Failed: ${length} new ${length === 1 ? 'endpoint' : 'endpoints'}.`)
    io.setFailed(EXIT_CODE_CHECK_FAILED)
  },
})
