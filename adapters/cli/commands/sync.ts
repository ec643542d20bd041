import { type Command, Option } from 'commander'
import { CVE_RELEASES_URL, EPSS_URL, KEV_URL, NVD_URL } from '../../../core/index.ts'
import { UsageError } from '../errors.ts'
import type { CommandIo } from '../io.ts'
import { SYNC_SOURCE_NAMES, type SyncAllOptions, syncAll } from '../sync-all.ts'
import { loadCve, loadCveFiles, loadEpss, loadKev, loadNvd, loadNvdFiles } from '../sync-loads.ts'
import { runSync, type SharedSyncOptions, type SyncOutcome, type SyncRun } from '../sync-run.ts'

interface NvdOptions extends SharedSyncOptions {
  readonly from?: readonly string[]
  readonly full?: boolean
  readonly replace?: boolean
  readonly baseUrl?: string
  readonly force?: boolean
}

interface CveOptions extends SharedSyncOptions {
  readonly from?: readonly string[]
  readonly full?: boolean
  readonly baseUrl?: string
}

interface ListOptions extends SharedSyncOptions {
  readonly from?: string
}

const TAKE_OVER = ['--take-over', 'load even if another load appears to be running'] as const
const STOPPED_RESUMABLE =
  'Stopped: the records read so far are stored. Run the same command to resume.'
const STOPPED_UNCHANGED = 'Stopped: nothing was changed. Run the same command to start over.'

/** Adds `sync all` and `sync` of each source. */
export function addSyncCommands(program: Command, io: CommandIo): void {
  const sync = program
    .command('sync')
    .description('Load vulnerability data from NVD, the CVE Program, CISA KEV and EPSS')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery sync all\n  api-discovery sync kev --from known_exploited_vulnerabilities.json',
    )
  addAllCommand(sync, io)
  addNvdCommand(sync, io)
  addCveCommand(sync, io)
  addListCommand(sync, {
    io,
    name: 'kev',
    description: 'Replace the known exploited vulnerabilities (KEV) with the CISA catalogue',
    from: `JSON file or URL (default: ${KEV_URL})`,
    example: 'known_exploited_vulnerabilities.json',
    load: loadKev,
  })
  addListCommand(sync, {
    io,
    name: 'epss',
    description: 'Replace the EPSS scores',
    from: `CSV file or URL, optionally .gz (default: ${EPSS_URL})`,
    example: 'epss_scores.csv.gz',
    load: loadEpss,
  })
}

function addAllCommand(sync: Command, io: CommandIo): void {
  const names = SYNC_SOURCE_NAMES.join(', ')
  sync
    .command('all')
    .description(`Load all sources, one after the other: ${names}`)
    .addOption(new Option('--only <source...>', 'load only these').choices(SYNC_SOURCE_NAMES))
    .addOption(
      new Option(
        '--skip <source...>',
        'leave these out (default: API_DISCOVERY_SYNC_SKIP, comma-separated)',
      ).choices(SYNC_SOURCE_NAMES),
    )
    .option(
      '--mirror <source=url...>',
      'read a source from another URL (default: API_DISCOVERY_SYNC_MIRRORS, comma-separated)',
    )
    .option(...TAKE_OVER)
    .addOption(new Option('--until-input-ends').hideHelp())
    .addHelpText(
      'after',
      `
A source that fails does not stop the others. The exit code is 1 if any failed. A mirror of cve is a
list of releases in the form of GitHub's API.

Environment:
  NVD_API_KEY, NVD_API_KEY_FILE     NVD API key, which permits ten times as many requests
  GITHUB_TOKEN, GITHUB_TOKEN_FILE   GitHub token, which permits more than 60 requests an hour

Examples:
  api-discovery sync all
  api-discovery sync all --skip nvd --mirror kev=https://mirror.example/kev.json

This product uses data from the NVD API but is not endorsed or certified by the NVD.`,
    )
    .action((_, command: Command) => syncAll(io, command.optsWithGlobals<SyncAllOptions>()))
}

function addNvdCommand(sync: Command, io: CommandIo): void {
  sync
    .command('nvd')
    .description('Load CVE records from NVD or from files')
    .option('--from <source...>', 'feed files, folders or URLs (JSON 2.0 or 1.1, optionally .gz)')
    .option('--full', 'load all records again and remove those that NVD no longer has')
    .option('--replace', 'remove all records that the files do not contain; needs --from')
    .option('--base-url <url>', `URL of the CVE API 2.0 (default: ${NVD_URL})`)
    .option('--force', 'query NVD even if the last sync was less than two hours ago')
    .option(...TAKE_OVER)
    .addHelpText(
      'after',
      `
Environment:
  NVD_API_KEY, NVD_API_KEY_FILE   NVD API key, which permits ten times as many requests

Examples:
  api-discovery sync nvd
  api-discovery sync nvd --from nvdcve-2.0-2026.json.gz
  api-discovery sync nvd --from ./feeds --replace

This product uses data from the NVD API but is not endorsed or certified by the NVD.`,
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<NvdOptions>()
      rejectConflictingOptions(options)
      const { from, baseUrl = '' } = options
      const urls = from ?? [baseUrl]
      // `--replace` removes records that no file contains, so it must read all files in one run.
      const stopped = options.replace ? STOPPED_UNCHANGED : STOPPED_RESUMABLE
      return runSync({ io, source: 'nvd', options, stopped, urls }, (run) =>
        from ? loadNvdFiles(run, { ...options, from }) : loadNvd(run, options),
      )
    })
}

function addCveCommand(sync: Command, io: CommandIo): void {
  sync
    .command('cve')
    .description('Load CVE records of the CVE Program from its releases or from files')
    .option(
      '--from <source...>',
      'files, folders or URLs (CVE JSON 5.x, a record a line, .gz or .zip)',
    )
    .option('--full', 'load the archive of all records again')
    .option('--base-url <url>', `URL of the list of releases (default: ${CVE_RELEASES_URL})`)
    .option(...TAKE_OVER)
    .addHelpText(
      'after',
      `
The first run downloads an archive of more than 600 MB to the folder of TMPDIR. Later runs download
changes, and the archive once a week.

Environment:
  GITHUB_TOKEN, GITHUB_TOKEN_FILE   GitHub token, which permits more than 60 requests an hour

Examples:
  api-discovery sync cve
  api-discovery sync cve --from cvelistV5/cves
  api-discovery sync cve --from 2026-08-22_delta_CVEs_at_end_of_day.zip`,
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<CveOptions>()
      const { from, full, baseUrl } = options
      if (from && (full || baseUrl !== undefined)) {
        throw new UsageError('Cannot sync: --full and --base-url cannot be combined with --from')
      }
      const urls = from ?? [baseUrl ?? '']
      return runSync({ io, source: 'cve', options, stopped: STOPPED_RESUMABLE, urls }, (run) =>
        from ? loadCveFiles(run, { from }) : loadCve(run, options),
      )
    })
}

/** Adds the command of a source that is one file. */
function addListCommand(
  sync: Command,
  source: {
    readonly io: CommandIo
    readonly name: string
    readonly description: string
    /** Description of the option `--from`. */
    readonly from: string
    readonly example: string
    readonly load: (run: SyncRun, options: ListOptions) => Promise<SyncOutcome>
  },
): void {
  const { io, name, load } = source
  sync
    .command(name)
    .description(source.description)
    .option('--from <source>', source.from)
    .option(...TAKE_OVER)
    .addHelpText(
      'after',
      `\nExamples:\n  api-discovery sync ${name}\n  api-discovery sync ${name} --from ${source.example}`,
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      const urls = [options.from ?? '']
      return runSync({ io, source: name, options, stopped: STOPPED_UNCHANGED, urls }, (run) =>
        load(run, options),
      )
    })
}

function rejectConflictingOptions({ from, full, replace, baseUrl, force }: NvdOptions): void {
  if (from && (full || force || baseUrl !== undefined)) {
    throw new UsageError(
      'Cannot sync: --full, --force and --base-url cannot be combined with --from',
    )
  }
  if (replace && !from) {
    throw new UsageError('Cannot sync: --replace needs --from; use --full to load NVD again')
  }
}
