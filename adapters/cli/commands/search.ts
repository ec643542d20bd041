import type { Command } from 'commander'
import { type CommandIo, toPrintable, toTable } from '../io.ts'
import { type GlobalOptions, OPERATOR, withService } from '../service.ts'

/** Adds `search` and `match`. */
export function addSearchCommands(program: Command, io: CommandIo): void {
  program
    .command('search')
    .argument('<text...>', 'what you look for, in your own words')
    .description('Find APIs and endpoints.')
    .option('--size <n>', 'APIs at the most, 1 to 100', '10')
    .option('--page <n>', 'page, from 1', '1')
    .addHelpText('after', '\nExample:\n  api-discovery search send a text message')
    .action(async (words: readonly string[], _, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & { readonly size: string; readonly page: string }
      >()
      const q = words.join(' ')
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const input = {
          q,
          size: options.size as unknown as number,
          page: options.page as unknown as number,
        }
        const found = await app.call('searchEndpoints', input, OPERATOR)
        if (options.json) return io.result(JSON.stringify(found))
        if (found.endpoints.length === 0) return io.note(`Nothing found for "${q}".`)
        for (const api of found.endpoints) {
          io.result(toPrintable(`${api.name} ${api.version} (${api.vendor.name})`))
          for (const endpoint of api.matched_endpoints) {
            const { endpoint_id: id, method, endpoint: url, description } = endpoint
            io.result(toPrintable(`  ${id}  ${method.toUpperCase()} ${url}  ${short(description)}`))
          }
        }
        io.note(`${found.num_results} APIs, page ${found.current_page} of ${found.num_pages}.`)
      })
    })

  program
    .command('match')
    .argument('<method>', 'HTTP method, or - when unknown')
    .argument('<url>', 'URL as it stands in code or traffic')
    .description(
      'Tell which catalogued endpoint a URL belongs to; exit code 1 when no catalogued API has its host.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  api-discovery match GET https://api.acme.example/v1/users/7',
    )
    .action(async (method: string, url: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withService(io, { ...options, mustExist: true }, async ({ app }) => {
        const match = await app.match({ method: method === '-' ? undefined : method, url })
        if (!match) io.setFailed()
        if (options.json) return io.result(JSON.stringify(match ?? null))
        if (!match) return io.note('No catalogued API has this address.')
        const all = [match, ...match.alternatives]
        io.result(
          toTable(
            ['ENDPOINT', 'METHOD', 'API', 'VENDOR', 'CONFIDENCE'],
            all.map((candidate) => [
              candidate.shortId ?? '-',
              candidate.method ?? '-',
              candidate.apiName ?? '-',
              candidate.vendorName,
              candidate.confidence.toFixed(2),
            ]),
          ),
        )
        io.note(match.reason)
      })
    })
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
