import { readFile, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 4 * 1024 ** 3

/**
 * Finds the folder for temporary files of a test run: a memory file system with 4 GB of free space
 * that permits execution, else the system's temporary folder.
 */
export async function findScratchFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(MEMORY)
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n')
    const options = mounts.map((line) => line.split(' ')).filter(([, path]) => path === MEMORY)
    const isExecutable = !options.some(([, , , words = '']) => words.split(',').includes('noexec'))
    return bavail * bsize >= MIN_FREE_BYTES && isExecutable ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
