// Injected into pages by browser tests; functions return plain data.

/** Finds injected third-party content: scripts, handlers, styles, script links. */
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

/** Lists axe violations with their first elements; with `rules`, only of those rules. */
globalThis.findViolations = async (rules) => {
  const only = rules && { runOnly: { type: 'rule', values: rules } }
  const { violations } = await globalThis.axe.run({ ...only, resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.slice(0, 3).map(({ target, failureSummary }) => [target, failureSummary]),
  }))
}

/** Lists elements wider than the window if the page scrolls horizontally. */
globalThis.findOverflow = () => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 1,
  )
  return [scrollWidth, ...wide.slice(0, 5).map(({ outerHTML }) => outerHTML.slice(0, 200))]
}

/** Sends a form from this page with the page's form token. */
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
