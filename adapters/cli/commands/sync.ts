import {
  CVE_RELEASES_URL,
  EPSS_URL,
  KEV_URL,
  NVD_URL,
} from '../../../core/vulnerabilities/index.ts'
import type { OptionValues } from '../command-values.ts'
import { type CommandDefinition, defineCommand } from '../define-command.ts'
import { UsageError } from '../errors.ts'
import { SYNC_ALL_OPTIONS, SYNC_SOURCE_NAMES, syncAll } from '../sync-all.ts'
import { loadCve, loadCveFiles, loadEpss, loadKev, loadNvd, loadNvdFiles } from '../sync-loads.ts'
import {
  runSync,
  type SharedSyncOptions,
  type SyncOutcome,
  type SyncRun,
  TAKE_OVER,
} from '../sync-run.ts'

const STOPPED_RESUMABLE =
  'Stopped: the records read so far are stored. Run the same command to resume.'
const STOPPED_UNCHANGED = 'Stopped: nothing was changed. Run the same command to start over.'

const NVD_NOTICE =
  'This product uses data from the NVD API but is not endorsed or certified by the NVD.'

const NVD_OPTIONS = [
  ['--from <source...>', 'feed files, folders or URLs (JSON 2.0 or 1.1, optionally .gz)'],
  ['--full', 'load all records again and remove those that NVD no longer has'],
  ['--replace', 'remove all records that the files do not contain; needs --from'],
  ['--base-url <url>', `URL of the CVE API 2.0 (default: ${NVD_URL})`],
  ['--force', 'query NVD even if the last sync was less than two hours ago'],
  TAKE_OVER,
] as const

/** `sync all` and `sync` of each source. */
export const syncCommands = defineCommand({
  name: 'sync',
  description: 'Load vulnerability data from NVD, the CVE Program, CISA KEV and EPSS',
  examples: ['sync all', 'sync kev --from known_exploited_vulnerabilities.json'],
  commands: [
    defineCommand({
      name: 'all',
      description: `Load all sources, one after the other: ${SYNC_SOURCE_NAMES.join(', ')}`,
      options: SYNC_ALL_OPTIONS,
      details: `
A source that fails does not stop the others. The exit code is 1 if any failed. A mirror of cve is a
list of releases in the form of GitHub's API.

Environment:
  NVD_API_KEY, NVD_API_KEY_FILE     NVD API key, which permits ten times as many requests
  GITHUB_TOKEN, GITHUB_TOKEN_FILE   GitHub token, which permits more than 60 requests an hour`,
      examples: ['sync all', 'sync all --skip nvd --mirror kev=https://mirror.example/kev.json'],
      notice: NVD_NOTICE,
      run: ({ io, options }) => syncAll(io, options),
    }),
    defineCommand({
      name: 'nvd',
      description: 'Load CVE records from NVD or from files',
      options: NVD_OPTIONS,
      details: `
Environment:
  NVD_API_KEY, NVD_API_KEY_FILE   NVD API key, which permits ten times as many requests`,
      examples: [
        'sync nvd',
        'sync nvd --from nvdcve-2.0-2026.json.gz',
        'sync nvd --from ./feeds --replace',
      ],
      notice: NVD_NOTICE,
      async run({ io, options }) {
        rejectConflictingOptions(options)
        const { from, baseUrl = '' } = options
        const urls = from ?? [baseUrl]
        // `--replace` removes records that no file contains, so it must read all files in one run.
        const stopped = options.replace ? STOPPED_UNCHANGED : STOPPED_RESUMABLE
        await runSync({ io, source: 'nvd', options, stopped, urls }, (run) =>
          from ? loadNvdFiles(run, { ...options, from }) : loadNvd(run, options),
        )
      },
    }),
    defineCommand({
      name: 'cve',
      description: 'Load CVE records of the CVE Program from its releases or from files',
      options: [
        [
          '--from <source...>',
          'files, folders or URLs (CVE JSON 5.x, a record a line, .gz or .zip)',
        ],
        ['--full', 'load the archive of all records again'],
        ['--base-url <url>', `URL of the list of releases (default: ${CVE_RELEASES_URL})`],
        TAKE_OVER,
      ],
      details: `
The first run downloads an archive of more than 600 MB to the folder of TMPDIR. Later runs download
changes, and the archive once a week.

Environment:
  GITHUB_TOKEN, GITHUB_TOKEN_FILE   GitHub token, which permits more than 60 requests an hour`,
      examples: [
        'sync cve',
        'sync cve --from cvelistV5/cves',
        'sync cve --from 2026-08-22_delta_CVEs_at_end_of_day.zip',
      ],
      async run({ io, options }) {
        const { from, full, baseUrl } = options
        if (from && (full || baseUrl !== undefined)) {
          throw new UsageError('Cannot sync: --full and --base-url cannot be combined with --from')
        }
        const urls = from ?? [baseUrl ?? '']
        await runSync({ io, source: 'cve', options, stopped: STOPPED_RESUMABLE, urls }, (run) =>
          from ? loadCveFiles(run, { from }) : loadCve(run, options),
        )
      },
    }),
    defineListCommand({
      name: 'kev',
      description: 'Replace the known exploited vulnerabilities (KEV) with the CISA catalogue',
      from: `JSON file or URL (default: ${KEV_URL})`,
      example: 'known_exploited_vulnerabilities.json',
      load: loadKev,
    }),
    defineListCommand({
      name: 'epss',
      description: 'Replace the EPSS scores',
      from: `CSV file or URL, optionally .gz (default: ${EPSS_URL})`,
      example: 'epss_scores.csv.gz',
      load: loadEpss,
    }),
  ],
})

/** Defines the command of a source that is one file. */
function defineListCommand({
  name,
  description,
  from,
  example,
  load,
}: {
  readonly name: string
  readonly description: string
  /** Description of the option `--from`. */
  readonly from: string
  readonly example: string
  readonly load: (
    run: SyncRun,
    options: SharedSyncOptions & { readonly from?: string | undefined },
  ) => Promise<SyncOutcome>
}): CommandDefinition {
  return defineCommand({
    name,
    description,
    options: [['--from <source>', from], TAKE_OVER],
    examples: [`sync ${name}`, `sync ${name} --from ${example}`],
    async run({ io, options }) {
      const urls = [options.from ?? '']
      await runSync({ io, source: name, options, stopped: STOPPED_UNCHANGED, urls }, (run) =>
        load(run, options),
      )
    },
  })
}

function rejectConflictingOptions({
  from,
  full,
  replace,
  baseUrl,
  force,
}: OptionValues<typeof NVD_OPTIONS>): void {
  if (from && (full || force || baseUrl !== undefined)) {
    throw new UsageError(
      'Cannot sync: --full, --force and --base-url cannot be combined with --from',
    )
  }
  if (replace && !from) {
    throw new UsageError('Cannot sync: --replace needs --from; use --full to load NVD again')
  }
}
