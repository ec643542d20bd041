/**
 * The scripts of a Vue, Svelte, Astro or HTML text; everything else is blanked, so that places stay.
 */
export function scriptsOf(text: string): string {
  const head = /^---\r?\n/.exec(text)?.[0].length ?? 0
  const headEnd = head > 0 ? text.indexOf('\n---', head - 1) : -1
  let kept = headEnd < 0 ? '' : blank(text.slice(0, head)) + text.slice(head, headEnd)
  let end = Math.max(headEnd, 0)
  const tag = /<script\b[^<>]{0,1000}>/gi
  tag.lastIndex = end
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    const start = found.index + found[0].length
    const stop = text.indexOf('</script', start)
    if (stop < 0) break
    if (!/\ssrc=/i.test(found[0])) {
      kept += blank(text.slice(end, start)) + text.slice(start, stop)
      end = stop
    }
    tag.lastIndex = stop
  }
  return kept + blank(text.slice(end))
}

function blank(text: string): string {
  return text.replaceAll(/[^\n\r]+/g, (line) => ' '.repeat(line.length))
}
