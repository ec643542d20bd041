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

/** What axe finds wrong, with the first elements of each; by these rules alone where some are given. */
globalThis.findViolations = async (rules) => {
  const only = rules && { runOnly: { type: 'rule', values: rules } }
  const { violations } = await globalThis.axe.run({ ...only, resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.slice(0, 3).map(({ target, failureSummary }) => [target, failureSummary]),
  }))
}

/** What is wider than the window, where the page has to be scrolled sideways; nothing where it has not. */
globalThis.findOverflow = () => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 1,
  )
  return [scrollWidth, ...wide.slice(0, 5).map(({ outerHTML }) => outerHTML.slice(0, 200))]
}

/** Sends a form from this page, with the token of its forms. */
globalThis.sendForm = ({ action, fields }) => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = action
  const token = document.querySelector('input[name=form_token]').value
  for (const [name, value] of Object.entries({ form_token: token, ...fields })) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}
