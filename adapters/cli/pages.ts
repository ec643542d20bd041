/** Options of commands that print one page. */
export const PAGE_OPTIONS = [
  ['--size <n>', 'entries per page, 1 to 100', { default: '20' }],
  ['--page <n>', 'page number, starting at 1', { default: '1' }],
] as const

/** Passes strings on: `app.call` parses them as query parameters. */
export function toPageInput({ size, page }: { readonly size: string; readonly page: string }) {
  return { size: size as unknown as number, page: page as unknown as number }
}

/** Names the page if there are several. */
export function describePage(
  found: {
    readonly num_pages: number
    readonly current_page: number
    readonly num_results: number
  },
  noun: string,
): string | undefined {
  if (found.num_pages < 2) return undefined
  return `Page ${found.current_page} of ${found.num_pages}, ${found.num_results} ${noun}.`
}
