/**
 * The scripts of a Vue, Svelte, Astro or HTML text; everything else is blanked, so that places stay.
 */
export function scriptsOf(text: string): string {
  let blanked = ''
  let end = 0
  for (const match of text.matchAll(SCRIPT)) {
    const start = match.index + (match[1]?.length ?? 0)
    const script = match[2] ?? ''
    blanked += blank(text.slice(end, start)) + script
    end = start + script.length
  }
  return blanked + blank(text.slice(end))
}

/** A script's tag and its content, or Astro's part before the markup. */
const SCRIPT =
  /(<script\b(?![^>]*\bsrc=)[^>]*>|^---\r?\n(?=[\s\S]*?^---$))([\s\S]*?)(?=<\/script|^---$)/gim

function blank(text: string): string {
  return text.replaceAll(/[^\n\r]/g, ' ')
}
