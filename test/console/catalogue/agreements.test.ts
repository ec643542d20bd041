import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConsoleOf, openTestConsole, type TestConsole } from '../../helpers/console.ts'

describe('The agreements form', () => {
  let shown: TestConsole
  let id: string
  let path: string
  beforeAll(async () => {
    shown = await openTestConsole()
    const { endpoints } = await shown.app.call('searchEndpoints', { q: 'forecast' }, shown.caller)
    id = endpoints[0]?.encrypted_id ?? ''
    path = `/console/apis/${id}/agreements`
  })
  afterAll(() => shown.close())

  async function listEntered() {
    const api = await shown.app.catalogue.getApi(id)
    const all = await shown.app.agreements.list(api)
    return all.filter(({ source }) => source === 'entered')
  }

  /** Returns the form values as a browser shows them. */
  async function readForm(): Promise<Record<string, string>> {
    const { html } = await shown.get(path)
    const inputs = html.matchAll(
      /<input type="(?:text|url|hidden)" (?:name="(seen)" )?value="([^"]*)"(?: id="[^"]*" name="(\w+)")?/g,
    )
    const chosen = html.matchAll(/name="(type_\d+)"[\s\S]*?<option value="(\w*)" selected/g)
    const named = [...inputs].map(([, seen, value, name]) => [seen ?? name ?? '', value ?? ''])
    const entries = [...named, ...[...chosen].map(([, name, value]) => [name ?? '', value ?? ''])]
    return Object.fromEntries(entries.filter(([name]) => name !== ''))
  }

  test('is linked from the API for users with the import scope', async () => {
    const api = `/console/apis/${id}`
    expect((await shown.get(api)).html).toContain(`href="${path}"`)
    const { caller } = shown
    const reader = { name: 'Rea', caller: { ...caller, scopes: new Set(['read' as const]) } }
    const narrow = await openConsoleOf(shown, reader)
    expect((await narrow.get(api)).html).not.toContain(`href="${path}"`)
    expect((await narrow.get(path)).status).toBe(403)
  })

  test('adds an agreement, named by its kind, and shows the change', async () => {
    const link = 'https://skycast.example/pricing'
    const form = { ...(await readForm()), type_0: 'Pricing', link_0: link }
    const saved = await shown.post(path, form)
    const to = saved.headers.get('location') ?? ''
    expect([saved.status, to]).toEqual([303, `${path}?done=saved`])
    expect(await listEntered()).toMatchObject([{ kind: 'Pricing', name: 'Pricing', link }])
    const after = await shown.get(to)
    expect(after.text).toContain('Agreements saved.')
    expect(after.text).toContain('Changes of agreements')
    expect(after.html).toContain(`value="${link}" id="field-link_0"`)
    expect((await shown.get(`/console/apis/${id}`)).text).toContain(
      `Pricing Pricing ${link} manual`,
    )
  })

  test('changes one and adds another, and retains the text of unchanged ones', async () => {
    const text = 'You may not resell the data.'
    const terms = { agreement_name: 'Terms', agreement_link: 'https://skycast.example/t' }
    const retrieved_at = '2026-02-01T00:00:00.000Z'
    const body = {
      api_id: id,
      agreements: [{ ...terms, type: 'TermsOfService', text, retrieved_at }],
    }
    await shown.app.call('replaceAgreements', { body }, shown.caller)
    const former = await listEntered()
    const form = await readForm()
    const { status } = await shown.post(path, {
      ...form,
      name_0: 'Terms of use',
      name_1: 'MIT',
      link_1: 'https://skycast.example/licence',
    })
    expect(status).toBe(303)
    const now = await listEntered()
    expect(now).toMatchObject([
      { kind: 'TermsOfService', name: 'Terms of use', text: former[0]?.text },
      { kind: 'InterfaceLicense', name: 'MIT', spdxId: 'MIT' },
    ])
    const api = await shown.app.catalogue.getApi(id)
    expect([...(await shown.app.agreements.listTexts(api)).values()]).toEqual([text])
  })

  test('rejects a form that was loaded before another user saved', async () => {
    const form = await readForm()
    await shown.post(path, { ...form, name_2: 'Status page', link_2: 'https://s.example' })
    const before = await listEntered()
    const { status, text } = await shown.post(path, { ...form, name_0: 'Overwritten' })
    expect(status).toBe(409)
    expect(text).toContain('The agreements have changed since the page was loaded')
    expect(await listEntered()).toEqual(before)
  })

  test('marks invalid fields, and retains the input', async () => {
    const before = await listEntered()
    const { status, html } = await shown.post(path, {
      ...(await readForm()),
      link_1: '',
      remove_0: 'yes',
      name_3: 'Privacy <b>',
      link_3: 'javascript:alert(1)',
    })
    expect(status).toBe(400)
    for (const [row, label] of [
      [1, 'Link of agreement 2'],
      [3, 'Link of the new agreement'],
    ]) {
      expect(html).toContain(`<a href="#field-link_${row}">${label} must be an http or https URL`)
      expect(html).toContain(`id="field-link_${row}-error"`)
    }
    expect(html).toContain('value="Privacy &lt;b&gt;"')
    expect(html).toContain('name="remove_0" value="yes" checked')
    expect(await listEntered()).toEqual(before)
  })

  test('removes only the selected agreement', async () => {
    const [first, ...rest] = await listEntered()
    expect(rest).toHaveLength(2)
    await shown.post(path, { ...(await readForm()), remove_0: 'yes' })
    const now = await listEntered()
    expect(now.map(({ name }) => name)).toEqual(rest.map(({ name }) => name))
    expect(now.map(({ link }) => link)).not.toContain(first?.link)
  })
})
