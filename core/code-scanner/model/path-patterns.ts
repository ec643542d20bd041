/**
 * Compiles patterns of paths, separated by blanks, to one expression: `*` stands for a part of a
 * name, `**` for any part of a path, `{a,b}` for alternatives. A pattern matches the end of a path,
 * from the beginning of a name on, in any case.
 *
 * @example
 * ```ts
 * matchPaths('Dockerfile* .github/workflows/**.{yml,yaml}').test('web/Dockerfile.dev') // true
 * ```
 */
export function matchPaths(patterns: string): RegExp {
  const sources = patterns.trim().split(/\s+/).map(toSource)
  return new RegExp(`(?:^|/)(?:${sources.join('|')})$`, 'i')
}

function toSource(pattern: string): string {
  return pattern
    .replaceAll(/[.+^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\*+/g, (stars) => (stars === '**' ? '.*' : '[^/]*'))
    .replaceAll(/\{([^{}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)
}

/** Patterns of pages and of their templates, with scripts and styles. */
export const PAGE_PATHS = `
  *.{html,htm,xhtml,php,phtml,erb,ejs,hbs,handlebars,mustache,twig,jinja,jinja2}
  *.{j2,njk,liquid,cshtml,razor,vbhtml,aspx,ascx,master,jsp,jspf,jspx,ftl,tpl,tmpl,gohtml,svelte,vue}
  *.astro`
