/**
 * The scripts of a Vue, Svelte, Astro or HTML text; everything else is blanked, so that places stay.
 */
export function scriptsOf(text: string): string {
  return text.replaceAll(/[^\n\r]/g, ' ')
}
