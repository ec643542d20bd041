import type { ClientRule } from '../model/program.ts'

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const

/** Rules for a client's methods that are named after what they send: `.get(url)`. */
export function verbs(
  client: string,
  rest: Omit<ClientRule, 'callee' | 'method'>,
  names: Readonly<Record<string, string>> = {},
): readonly ClientRule[] {
  const all = [...VERBS.map((verb) => [verb, verb] as const), ...Object.entries(names)]
  return all.map(([name, method]) => ({ ...rest, callee: `${client}.${name}`, method }))
}

/** Rules for a function `f(url, { method })`, with `new Request(url, { method })` too. */
export function fetchers(
  callees: readonly string[],
  rest: Partial<ClientRule> = {},
): readonly ClientRule[] {
  const made = (at: number) => ({ at: 0, madeBy: { 'new Request': { at } } })
  return callees.flatMap((callee) => [
    { ...rest, callee, url: made(0), method: { ...made(1), key: 'method' }, defaultMethod: 'get' },
    { ...rest, callee, url: { at: 0 }, method: { at: 1, key: 'method' }, defaultMethod: 'get' },
  ])
}

/** Rules for a function `f({ url, method })`. */
export function configured(
  callees: readonly string[],
  rest: Partial<ClientRule> = {},
): readonly ClientRule[] {
  return callees.flatMap((callee) =>
    ['url', 'uri'].map((key) => ({
      ...rest,
      callee,
      url: { at: 0, key },
      method: { at: 0, key: 'method' },
      defaultMethod: 'get',
    })),
  )
}
