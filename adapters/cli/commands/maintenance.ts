import { beginRotation, finishRotation } from '../../secret/secret-file.ts'
import { type DatabaseAddress, openDatabase } from '../database.ts'
import { defineCommand } from '../define-command.ts'
import { CommandError } from '../errors.ts'
import { checkOutputs } from '../files.ts'
import type { Io } from '../io.ts'
import {
  describeDatabaseLock,
  findDatabase,
  findSecretFile,
  type GlobalOptions,
  withService,
} from '../service.ts'

/** `migrate`. */
export const migrateCommand = defineCommand({
  name: 'migrate',
  description: 'Create the database or update its schema',
  examples: ['migrate', 'migrate --database postgres://localhost/apis'],
  async run({ io, options }) {
    const address = findDatabase(io, options)
    let versions = { from: 0, to: 0 }
    const storage = await openDatabase(address, {
      onWait: () => io.note(describeDatabaseLock(address)),
      onMigrated: (migrated) => {
        versions = migrated
      },
    })
    await storage.close()
    return {
      json: { migrated: true, ...versions },
      note: describeMigration(address, versions),
    }
  },
})

/** `backup`. */
export const backupCommand = defineCommand({
  name: 'backup',
  description: 'Write a consistent copy of a live SQLite database',
  arguments: [['<file>', 'file to write; must not exist']],
  examples: [
    'backup /backups/apis-2026-01-31.db',
    'backup apis.db --database sqlite:/var/lib/apis.db',
  ],
  async run({ io, words: [file], options }) {
    const address = findDatabase(io, options)
    if (address.kind === 'postgres') {
      throw new CommandError('Cannot back up PostgreSQL: use pg_dump')
    }
    await checkOutputs([file])
    const { backupSqlite } = await import('../../storage/sqlite.ts')
    await backupSqlite({ source: address.file, target: file })
    if (options.json) io.result(JSON.stringify({ file }))
    io.note(
      `Wrote ${file}. Also back up the secret (${findSecretFile(io, address)}, or API_DISCOVERY_SECRET): without it, keys work but cannot be printed again, and stored credentials are lost.`,
    )
  },
})

/** `secret rotate`. */
export const secretCommands = defineCommand({
  name: 'secret',
  description: 'Manage the secret that encrypts keys and credentials',
  examples: ['secret rotate', 'secret rotate --finish'],
  commands: [
    defineCommand({
      name: 'rotate',
      description: 'Create a new secret and re-encrypt keys and credentials with it',
      options: [['--finish', 'delete the old secret, after all servers were restarted']],
      examples: ['secret rotate', '(restart the servers)', 'secret rotate --finish'],
      run: ({ io, options }) => rotateSecret(io, options),
    }),
  ],
})

function describeMigration(
  address: DatabaseAddress,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  if (from === to) return `The schema is up to date (version ${to}).`
  if (from > 0) return `Updated the schema from version ${from} to ${to}.`
  const created = address.kind === 'sqlite' ? `the database ${address.file}` : 'the tables'
  return `Created ${created} (schema version ${to}).`
}

type RotateOptions = GlobalOptions & { readonly finish?: boolean | undefined }

async function rotateSecret(io: Io, options: RotateOptions): Promise<void> {
  const { API_DISCOVERY_SECRET: current, API_DISCOVERY_PREVIOUS_SECRET: previous } = io.environment
  if (current && !previous) {
    throw new CommandError(
      'Cannot rotate the secret: it is set in the environment. Set API_DISCOVERY_PREVIOUS_SECRET to the old secret and API_DISCOVERY_SECRET to a new one, restart the servers, then run this command again.',
    )
  }
  const file = current ? undefined : findSecretFile(io, findDatabase(io, options))
  if (file !== undefined && !options.finish) await beginRotation(file)
  const rewrapped = await reencryptAll(io, options)
  if (file !== undefined && options.finish && !(await finishRotation(file))) {
    throw new CommandError(
      'Cannot finish the rotation: no rotation is in progress. Start one with "secret rotate".',
    )
  }
  if (options.json) io.result(JSON.stringify({ rewrapped, finished: options.finish ?? false }))
  else io.note(`Re-encrypted ${rewrapped} keys and credentials. ${describeNextStep(file, options)}`)
}

/**
 * Re-encrypts all keys and credentials with the current secret. Resolves with the number of those
 * that used an older secret. Throws a `CommandError` if any cannot be decrypted.
 */
async function reencryptAll(io: Io, options: RotateOptions): Promise<number> {
  return withService(io, { ...options, mustExist: true }, async ({ app }) => {
    const { rewrapped, failed } = await app.accounts.rewrapSecrets()
    if (failed.length === 0) return rewrapped
    throw new CommandError(
      `Cannot finish the rotation: ${failed.length} keys or credentials cannot be decrypted. Keep the old secret.`,
    )
  })
}

function describeNextStep(file: string | undefined, { finish }: RotateOptions): string {
  if (file === undefined) return 'API_DISCOVERY_PREVIOUS_SECRET is no longer needed.'
  return finish ? 'The old secret was deleted.' : RESTART_ADVICE
}

const RESTART_ADVICE = 'Restart the servers, then run "secret rotate --finish".'
