import { spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { ensureBuild, ROOT } from './build.ts'
import { makeFolder } from './folder.ts'

/** The package installed in a user's project, with declared dependencies only. */
export interface InstalledPackage {
  /** The user's project. */
  readonly folder: string
  /** Folder of the package in the project. */
  readonly root: string
  remove(): Promise<void>
}

/** The fields of package.json that tests read. */
export interface Manifest {
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly files: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

/** Reads package.json. */
export async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
}

/**
 * Builds the package and installs the content of its tarball in a temporary project. Declared
 * dependencies are links to those of this project; others are missing.
 */
export async function installPackage(): Promise<InstalledPackage> {
  await ensureBuild()
  const { dependencies, peerDependencies, optionalDependencies } = await readManifest()
  const project = await makeFolder()
  const folder = project.pathOf('.')
  const root = join(folder, 'node_modules', 'api-discovery')
  try {
    await copyFiles(root)
    const all = { ...dependencies, ...peerDependencies, ...optionalDependencies }
    await linkModules(folder, Object.keys(all))
  } catch (error) {
    await project.remove()
    throw error
  }
  return { folder, root, remove: project.remove }
}

/** Lists the files of the tarball with npm, or by `files` if npm is not installed. */
export async function listPackedFiles(): Promise<readonly string[]> {
  await ensureBuild()
  const [listed] = JSON.parse((await askNpm()) ?? '[]') as { files: { path: string }[] }[]
  if (listed) return listed.files.map(({ path }) => path).sort()
  const { files } = await readManifest()
  const found = ['LICENSE', 'README.md', 'package.json']
  for (const name of files.map((file) => file.replace(/^\//, ''))) {
    const entries = await readdir(join(ROOT, name), { withFileTypes: true, recursive: true }).catch(
      () => undefined,
    )
    const files = (entries ?? []).filter((entry) => entry.isFile())
    if (entries === undefined) found.push(name)
    found.push(...files.map((entry) => relative(ROOT, join(entry.parentPath, entry.name))))
  }
  return found.sort()
}

/** Lists the files with npm; undefined if npm is not installed. */
function askNpm(): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const words = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
    const npm = spawn('npm', words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    npm.stdout.on('data', (chunk) => {
      output += String(chunk)
    })
    npm.on('error', () => resolve(undefined))
    npm.on('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`npm pack ended with ${code}`))
    })
  })
}

async function copyFiles(root: string): Promise<void> {
  for (const path of await listPackedFiles()) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await cp(join(ROOT, path), join(root, path))
  }
}

async function linkModules(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), link)
  }
}
