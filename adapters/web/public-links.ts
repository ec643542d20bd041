const LINK = /( (?:href|src|action|data-hx-get)=")(?=\/(?!\/))/g

/**
 * Prefixes the public path to the links of a page, which are relative to the service's root. Quotes
 * in text and values are escaped, so they cannot be mistaken for attributes.
 */
export function addPublicPath(page: string, publicPath: string): string {
  return publicPath === '' ? page : page.replace(LINK, (start) => start + publicPath)
}
