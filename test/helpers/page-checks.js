// Put into a page by the tests of the browser; what it answers is plain data.

/** What third-party text must never become: scripts, handlers, styles, links that run something. */
globalThis.findIntruders = () =>
  [...document.querySelectorAll('*')].flatMap((element) => {
    const found = []
    const isOwn = element.getAttribute('src')?.startsWith('/console/assets/') === true
    if (element.localName === 'script' && !isOwn) found.push('script')
    if (['iframe', 'object', 'embed', 'base'].includes(element.localName)) {
      found.push(element.localName)
    }
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || name === 'style') found.push(`${element.localName} ${name}`)
      const isLink = ['href', 'src', 'action', 'formaction', 'xlink:href'].includes(name)
      const bare = value.replace(/[\s\p{Cc}]/gu, '')
      if (isLink && /^(?:javascript|data|vbscript):/i.test(bare)) found.push(value)
    }
    return found
  })

/** What axe finds wrong, with the first elements of each. */
globalThis.findViolations = async () => {
  const { violations } = await globalThis.axe.run()
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.slice(0, 3).map(({ target, failureSummary }) => [target, failureSummary]),
  }))
}
