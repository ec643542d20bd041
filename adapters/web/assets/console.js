// Script enhancements of the console. Every page works without them.

// Clicking a column header sorts the rows of the table on the page.
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button.sort') : null
  if (!button) return
  const head = button.closest('th')
  const table = button.closest('table')
  const rows = [...table.tBodies[0].rows]
  const index = head.cellIndex
  const isUp = head.getAttribute('aria-sort') !== 'ascending'
  for (const other of head.parentElement.cells) other.removeAttribute('aria-sort')
  head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending')
  const value = (row) => row.cells[index].dataset.value ?? row.cells[index].textContent.trim()
  const compare = new Intl.Collator(undefined, { numeric: true }).compare
  rows.sort((one, other) => compare(value(one), value(other)) * (isUp ? 1 : -1))
  table.tBodies[0].append(...rows)
})

// Copies the text of the element that a button references.
document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-copy]') : null
  if (!button) return
  const source = document.getElementById(button.dataset.copy)
  try {
    await navigator.clipboard.writeText(source.textContent)
  } catch {
    // Without clipboard access, as over plain HTTP, select the text for the user to copy.
    getSelection().selectAllChildren(source)
    return
  }
  const label = button.textContent
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = label
  }, 1500)
})

// Removes empty fields from the URL of a search.
document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  const { body, method } = ctx.request
  if (method !== 'GET' || !(body instanceof FormData)) return
  for (const name of new Set(body.keys())) {
    if (body.getAll(name).every((value) => value === '')) body.delete(name)
  }
})

// Styles show elements that need scripts only with this class.
document.documentElement.classList.add('scripted')
