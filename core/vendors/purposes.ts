import rows from './purposes.json' with { type: 'json' }

const PURPOSES: ReadonlyMap<string, string> = new Map(
  Object.entries(rows).flatMap(([purpose, names]) =>
    names.split(', ').map((name): readonly [string, string] => [name, purpose]),
  ),
)

/**
 * Returns what a vendor's API is for, in a word: by its host, with at most one segment of the path,
 * then by the vendor: that of its best-known product.
 */
export function findPurpose(url: string, vendorName: string | undefined): string | undefined {
  const [, host = '', path = ''] = /^[a-z+]+:\/\/([^/?#:]+)[^/?#]*(\/[\w-]+)?/i.exec(url) ?? []
  const [first = '', second = '', ...rest] = host.toLowerCase().split('.')
  const hosts = [
    [first, second, ...rest],
    [first, '{}', ...rest],
    ['{}', second, ...rest],
    ['{}', ...rest],
  ]
  for (const labels of hosts) {
    const name = labels.join('.')
    const purpose = PURPOSES.get(name + path) ?? PURPOSES.get(name)
    if (purpose !== undefined) return purpose
  }
  return vendorName === undefined ? undefined : PURPOSES.get(vendorName)
}
