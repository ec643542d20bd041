import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { ServiceError } from '../../core/index.ts'
import { isApiRole, listServices } from '../../core/scans/index.ts'
import { formatCodeLocation, formatCount } from '../../core/shared/text.ts'
import { defineTool } from '../mcp/define-tool.ts'
import { describeRest, keepWithinWords } from '../mcp/present.ts'
import { integer, maxWords, text } from '../mcp/tools/inputs.ts'
import { scanFolder } from '../scanner/index.ts'

const service = v.object({
  name: v.string(),
  vendor: v.string(),
  purposes: v.array(v.string()),
  hosts: v.array(v.string()),
  endpoints: integer,
  packages: v.array(v.string()),
  roles: v.array(v.string()),
  confidence: v.number(),
  location: v.string(),
})

const MAX_HOSTS = 5

/** Scans a folder of this machine; only for agents that start the server themselves. */
export const scanProjectTool = defineTool({
  name: 'scan_project',
  title: 'Scan a project',
  description:
    'Finds the third-party APIs that the code in a folder of this machine uses: one entry per service, with its purpose, hosts, packages, and the location to look at first. Nothing is stored or sent.',
  input: v.object({ folder: text(4096, 'Path of the project.'), max_words: maxWords }),
  output: v.object({
    files: integer,
    num_services: integer,
    is_partial: v.boolean(),
    services: v.array(service),
  }),
  scope: 'read',
  effect: 'reads',
  async run({ folder, max_words }, { app, signal }) {
    const root = resolve(folder)
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
      throw new ServiceError('not_found', 'Folder not found: pass an absolute path')
    }
    const catalogue = await app.loadScanCatalogue()
    const found = await scanFolder({ root, catalogue, signal })
    const all = listServices(found.findings)
      .filter(({ role }) => isApiRole(role))
      .map((each) => ({
        name: each.name,
        vendor: each.vendorName ?? '',
        purposes: [...each.purposes],
        hosts: each.hosts.slice(0, MAX_HOSTS),
        endpoints: each.endpoints,
        packages: [...each.packages],
        roles: [...each.roles],
        confidence: each.confidence,
        location: formatCodeLocation(each.location),
      }))
    const services = keepWithinWords(all, max_words)
    const isPartial = services.length < all.length
    const packages = all.some((each) => each.packages.length > 0)
      ? ' Packages are not checked for CVEs: use search_vulnerabilities with package.'
      : ''
    return {
      data: { files: found.files, num_services: all.length, is_partial: isPartial, services },
      summary: `${formatCount(all.length, 'third-party service')} in ${formatCount(found.files, 'file')}.${describeRest(services, all)}${packages}`,
      lines: services.map(
        (each) =>
          `${each.name}${each.purposes.length > 0 ? ` (${each.purposes.join(', ')})` : ''}: ${[...each.hosts, ...each.packages].join(', ')}; ${each.endpoints} endpoints; ${each.roles.join(', ')}; confidence ${each.confidence}; ${each.location}`,
      ),
    }
  },
})
