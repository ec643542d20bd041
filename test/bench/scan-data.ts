import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createNumberGenerator } from '../helpers/random.ts'

// Generates a realistic source tree: nine languages, most files without any API, licence headers
// and comments with URLs, and map and list calls that look like client calls.

/** Writes the tree. Resolves with the number of files that call an API. */
export async function writeTree(folder: string, count: number): Promise<number> {
  let calling = 0
  const random = createNumberGenerator(5)
  for (let start = 0; start < count; start += 200) {
    await Promise.all(
      Array.from({ length: Math.min(200, count - start) }, async (_, at) => {
        const index = start + at
        const isCalling = index % 12 === 0
        if (isCalling) calling += 1
        const { name, text } = toFile({ index, isCalling, random })
        const path = join(folder, `pkg${index % 40}`, `mod${index % 7}`, name)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, text)
      }),
    )
  }
  return calling
}

interface Shape {
  readonly extension: string
  readonly comment: string
  readonly open: (name: string) => string
  readonly close: string
  readonly body: readonly string[]
  readonly call: (url: string) => string
}

const C_BODY = [
  'const NAME = cache.get(key) || items.find((one) => one.id === OTHER)',
  'if (NAME.length > OTHER) return NAME.map((x) => x.value + 1)',
  'state.set("NAME", { OTHER: true, label: "Save the NAME" })',
  '// NAME is taken from OTHER, see the notes',
  'for (const NAME of OTHER.entries()) total += NAME[1] * 2',
]

const SHAPES: readonly Shape[] = [
  {
    extension: 'ts',
    comment: '//',
    open: (name) => `export function ${name}(key: string, items: readonly Item[]): number {`,
    close: '}',
    body: C_BODY,
    call: (url) =>
      `const answer = await fetch(\`\${BASE}/v1/items/\${key}\`) // ${'x'}\n  const other = await axios.post('${url}/orders', { key })`,
  },
  {
    extension: 'py',
    comment: '#',
    open: (name) => `def ${name}(self, key, items):`,
    close: '',
    body: [
      'NAME = self.cache.get(key) or OTHER["NAME"]',
      'if NAME in OTHER: return [x for x in NAME if x.value]',
      'self.log.info("NAME %s of OTHER", NAME)',
      '# NAME is taken from OTHER',
      'total = sum(NAME.values()) + len(OTHER)',
    ],
    call: (url) => `r = requests.post(f"${url}/orders/{key}", json={})`,
  },
  {
    extension: 'go',
    comment: '//',
    open: (name) => `func (s *Service) ${name}(key string) (int, error) {`,
    close: '}',
    body: [
      'NAME, err := s.store.Get(ctx, key)',
      'if err != nil { return 0, fmt.Errorf("NAME: %w", err) }',
      's.logger.Printf("NAME of OTHER %d", len(NAME))',
      '// NAME is taken from OTHER',
      'total += NAME.Size() * 2',
    ],
    call: (url) => `resp, err := http.Post("${url}/orders", "application/json", body)`,
  },
  {
    extension: 'java',
    comment: '//',
    open: (name) => `  public int ${name}(String key, List<Item> items) {`,
    close: '  }',
    body: [
      'Item NAME = cache.get(key); // OTHER',
      'if (NAME == null) throw new IllegalStateException("No NAME for " + key);',
      'logger.info("NAME of OTHER {}", NAME.getId());',
      'total += items.stream().mapToInt(Item::getOTHER).sum();',
      'map.put("NAME", OTHER.toString());',
    ],
    call: (url) => `String r = restTemplate.getForObject("${url}/orders/{id}", String.class, key);`,
  },
  {
    extension: 'rb',
    comment: '#',
    open: (name) => `def ${name}(key, items)`,
    close: 'end',
    body: [
      'NAME = @cache.fetch(key) { OTHER }',
      'items.each { |x| total += x.NAME }',
      'puts "NAME"',
    ],
    call: (url) => `Net::HTTP.get(URI("${url}/orders/#{key}"))`,
  },
]

const WORDS =
  'user order price stock label place total state event token line page rule node list'.split(' ')

function toFile(given: {
  readonly index: number
  readonly isCalling: boolean
  readonly random: () => number
}): { readonly name: string; readonly text: string } {
  const { index, isCalling, random } = given
  const weights = [0, 0, 0, 1, 1, 2, 2, 3, 3, 4]
  const shape = SHAPES[weights[index % weights.length] ?? 0] ?? SHAPES[0]
  if (!shape) throw new Error('There are no shapes')
  const word = () => WORDS[Math.floor(random() * WORDS.length)] ?? 'item'
  const lines: string[] = []
  if (index % 2 === 0) {
    lines.push(
      `${shape.comment} Licensed under the Apache License, Version 2.0`,
      `${shape.comment} http://www.apache.org/licenses/LICENSE-2.0`,
    )
  }
  const functions = 4 + Math.floor(random() * 10)
  for (let one = 0; one < functions; one += 1) {
    lines.push('', shape.open(`${word()}${one}`))
    const length = 4 + Math.floor(random() * 12)
    for (let line = 0; line < length; line += 1) {
      const body = shape.body[Math.floor(random() * shape.body.length)] ?? ''
      lines.push(`  ${body.replaceAll('NAME', word()).replaceAll('OTHER', word())}`)
    }
    if (isCalling && one === 1)
      lines.push(`  ${shape.call(`https://api.vendor${index % 50}.com/v1`)}`)
    lines.push(shape.close)
  }
  return { name: `${word()}-${index}.${shape.extension}`, text: lines.join('\n') }
}
