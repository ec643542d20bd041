import { defineCommand } from '../define-command.ts'
import { scanDiffCommand } from './scan-diff.ts'
import { scanNetworkCommand } from './scan-network.ts'
import { scanProjectCommand } from './scan-project.ts'

/** `scan project|network|diff`. */
export const scanCommands = defineCommand({
  name: 'scan',
  description: 'Find the third-party APIs that a project or a network uses',
  examples: ['scan project .', 'scan network capture.pcap'],
  commands: [scanProjectCommand, scanNetworkCommand, scanDiffCommand],
})
