import { readFile } from 'node:fs/promises'
import { CVE_RELEASES_URL } from '../../core/vulnerabilities/index.ts'
import { CommandError, UsageError } from './errors.ts'
import type { Io } from './io.ts'
import { describeSystemError } from './system-errors.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Reads the NVD API key from `NVD_API_KEY` or from the file `NVD_API_KEY_FILE`; undefined if
 * neither is set. Throws a `UsageError` if it would be sent without TLS to another machine.
 */
export async function readNvdApiKey(io: Io, baseUrl: string): Promise<string | undefined> {
  const key = await readKey(io, { name: 'NVD API key', variable: 'NVD_API_KEY' })
  const url = URL.parse(baseUrl)
  if (key !== undefined && url?.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new UsageError('Cannot send the NVD API key: --base-url must be an https URL')
  }
  return key
}

/**
 * Reads the GitHub token from `GITHUB_TOKEN` or from the file `GITHUB_TOKEN_FILE`. Returns undefined
 * if neither is set, and for a mirror on another machine: the variable is often set for other tools.
 */
export async function readGithubToken(io: Io, baseUrl: string): Promise<string | undefined> {
  const url = URL.parse(baseUrl)
  const isOurs =
    url?.origin === new URL(CVE_RELEASES_URL).origin || LOOPBACK.test(url?.hostname ?? '')
  return isOurs ? readKey(io, { name: 'GitHub token', variable: 'GITHUB_TOKEN' }) : undefined
}

/** Reads a key from a variable, or from the file that another variable names. */
async function readKey(
  { environment }: Io,
  { name, variable }: { readonly name: string; readonly variable: string },
): Promise<string | undefined> {
  const fileVariable = `${variable}_FILE`
  const file = environment[fileVariable]
  const key = environment[variable] || (file ? await readKeyFile(file, fileVariable) : undefined)
  if (key === undefined || /^[\x21-\x7e]{1,300}$/.test(key)) return key
  throw new UsageError(`Cannot use the ${name}: it must consist of visible ASCII characters`)
}

async function readKeyFile(file: string, variable: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new CommandError(`Cannot read the file in ${variable}: ${describeSystemError(error)}`)
  }
}
