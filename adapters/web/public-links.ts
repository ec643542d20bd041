const LINK = /( (?:href|src|action|data-hx-get)=")(?=\/(?!\/))/g

/**
 * Adds the public path to the links of a page, which are written from the root of the service.
 * Quotes of text and values are escaped, so that none can look like an attribute.
 */
export function addPublicPath(page: string, publicPath: string): string {
  return publicPath === '' ? page : page.replace(LINK, (start) => start + publicPath)
}
