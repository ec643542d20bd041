import type { Command } from 'commander'
import { beginRotation, finishRotation } from '../../secret/secret-file.ts'
import { openDatabase } from '../database.ts'
import { CommandError } from '../errors.ts'
import type { Io } from '../io.ts'
import { findDatabase, findSecretFile, type GlobalOptions, openService } from '../service.ts'

/** Adds `migrate`, `backup` and `secret rotate`. */
export function addMaintenanceCommands(program: Command, io: Io): void {
  program
    .command('migrate')
    .description('Create the database or bring its schema up to date.')
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery migrate --database postgres://localhost/apis',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const storage = await openDatabase(findDatabase(io, options))
      await storage.close()
      if (options.json) io.result(JSON.stringify({ migrated: true }))
      else io.note('The schema is up to date.')
    })

  program
    .command('backup')
    .argument('<file>', 'file to write; it must not exist')
    .description('Write a consistent copy of a live SQLite database.')
    .addHelpText('after', '\nExample:\n  api-discovery backup /backups/apis-2026-01-31.db')
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const address = findDatabase(io, options)
      if (address.kind === 'postgres') {
        throw new CommandError('Cannot back up PostgreSQL from here: use pg_dump')
      }
      const { backupSqlite } = await import('../../storage/sqlite.ts')
      await backupSqlite({ source: address.file, target: file })
      if (options.json) io.result(JSON.stringify({ file }))
      io.note(
        `Wrote ${file}. Keep the secret (${findSecretFile(io, address)}, or API_DISCOVERY_SECRET) beside it: without it, keys work but cannot be read again.`,
      )
    })

  program
    .command('secret')
    .description("Manage the service's secret.")
    .command('rotate')
    .description(
      'Make a new secret and seal under it everything that was sealed under the old one.',
    )
    .option('--finish', 'drop the old secret: when every server was restarted after the rotation')
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery secret rotate\n  (restart the servers)\n  api-discovery secret rotate --finish',
    )
    .action(async (_, command: Command) => {
      await rotateSecret(io, command.optsWithGlobals<RotateOptions>())
    })
}

interface RotateOptions extends GlobalOptions {
  readonly finish?: boolean
}

async function rotateSecret(io: Io, options: RotateOptions): Promise<void> {
  const file = findSecretFile(io, findDatabase(io, options))
  if (io.environment.API_DISCOVERY_SECRET) {
    throw new CommandError(
      'Cannot rotate a secret that comes from the environment: set API_DISCOVERY_PREVIOUS_SECRET to the old one and API_DISCOVERY_SECRET to the new one, then run this command without a secret file',
    )
  }
  if (!options.finish) await beginRotation(file)
  const service = await openService(io, options)
  try {
    const { rewrapped, failed } = await service.app.accounts.rewrapSecrets()
    if (failed.length > 0) {
      throw new CommandError(
        `Cannot finish the rotation: ${failed.length} sealed keys do not open; the old secret stays in ${file}`,
      )
    }
    if (options.finish) await finishRotation(file)
    if (options.json) io.result(JSON.stringify({ rewrapped, finished: options.finish ?? false }))
    else io.note(`Sealed ${rewrapped} keys anew. ${options.finish ? FINISHED : BEGUN}`)
  } finally {
    await service.close()
  }
}

const BEGUN = 'Restart the servers, then run "secret rotate --finish".'
const FINISHED = 'The old secret is gone.'
