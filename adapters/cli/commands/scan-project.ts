import type { Command } from 'commander'
import { scanFolder } from '../../scanner/index.ts'
import type { CommandIo } from '../io.ts'
import { withStop } from '../stop.ts'

/** Adds `scan project`. */
export function addScanProjectCommand(scan: Command, io: CommandIo): void {
  scan
    .command('project')
    .argument('<folder>', 'folder of the project')
    .description('Find the third-party APIs that a project uses.')
    .action(async (folder: string) => {
      const message = 'Stopped.'
      const found = await withStop({ io, message }, (signal) =>
        scanFolder({ root: folder, catalogue: { match: () => undefined }, signal }),
      )
      for (const { host, count } of found.unmatched) io.result(`${host} ${count}`)
    })
}
