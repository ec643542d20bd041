/**
 * Builds a description like the largest public ones: 11,000 operations, 20 MB, most parameters and
 * all errors shared by reference, inherited schemas with cyclic references. The same at every call.
 */
export function generateLargeDescription(): Record<string, unknown> {
  const random = createXorshift(7)
  const schemaNames = Array.from({ length: 4200 }, (_, index) => `graph.entity${index}`)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const words = (count: number) => Array.from({ length: count }, () => pick(WORDS)).join(' ')
  const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

  const property = () => {
    const kind = random()
    if (kind < 0.2) return { anyOf: [refTo(pick(schemaNames)), { type: 'object', nullable: true }] }
    if (kind < 0.35) {
      return { type: 'array', items: refTo(pick(schemaNames)), description: words(12) }
    }
    if (kind < 0.5) {
      return { type: 'string', format: 'date-time', pattern: PATTERN, description: words(20) }
    }
    return { type: 'string', nullable: true, description: words(16) }
  }
  const schema = (index: number) => ({
    allOf: [
      refTo(schemaNames[index < 60 ? 0 : index % 60] ?? 'graph.entity0'),
      {
        title: words(2),
        required: ['@odata.type'],
        type: 'object',
        properties: {
          ...Object.fromEntries(
            Array.from({ length: 9 }, (_, at) => [`${pick(WORDS)}${pick(WORDS)}${at}`, property()]),
          ),
          '@odata.type': { type: 'string' },
        },
      },
    ],
  })
  const list = (name: string, path: string) => ({
    name: `$${name}`,
    in: 'query',
    description: words(6),
    style: 'form',
    explode: false,
    schema: {
      uniqueItems: true,
      type: 'array',
      items: { type: 'string', enum: Array.from({ length: 8 }, () => `${pick(WORDS)}${path}`) },
    },
  })
  const errors = {
    '4XX': { $ref: '#/components/responses/error' },
    '5XX': { $ref: '#/components/responses/error' },
  }
  const content = (name: string) => ({ 'application/json': { schema: refTo(name) } })
  const read = (path: string, name: string) => ({
    tags: [words(1)],
    summary: `Get ${words(2)}`,
    description: words(30),
    externalDocs: { description: 'Find more info here', url: `https://learn.example.com/${path}` },
    operationId: `${path}.Get`,
    parameters: [
      ...SHARED.map((shared) => ({ $ref: `#/components/parameters/${shared}` })),
      list('select', path),
      list('expand', path),
    ],
    responses: {
      '2XX': { description: `Retrieved ${words(2)}`, content: content(name) },
      ...errors,
    },
  })
  const write = (path: string, name: string) => ({
    tags: [words(1)],
    summary: `Update ${words(2)}`,
    description: words(20),
    operationId: `${path}.Update`,
    requestBody: { description: words(5), content: content(name), required: true },
    responses: { '2XX': { description: 'Success', content: content(name) }, ...errors },
  })
  const item = (index: number) => {
    const name = pick(schemaNames)
    const id = {
      name: `id${index % 50}`,
      in: 'path',
      description: `The unique identifier of ${words(1)}`,
      required: true,
      schema: { type: 'string' },
    }
    return {
      description: `Provides operations to manage ${words(5)}`,
      get: read(`entity${index}`, name),
      ...(index % 2 === 0 ? { patch: write(`entity${index}`, name) } : {}),
      parameters: [id],
    }
  }
  return {
    openapi: '3.0.4',
    info: { title: 'A large API', version: 'v1.0', description: words(30) },
    servers: [{ url: 'https://graph.example.com/v1.0/' }],
    paths: Object.fromEntries(
      Array.from({ length: 7334 }, (_, index) => [
        `/entities${index}/{id${index % 50}}/${pick(WORDS)}`,
        item(index),
      ]),
    ),
    components: {
      schemas: Object.fromEntries(schemaNames.map((name, index) => [name, schema(index)])),
      parameters: Object.fromEntries(
        SHARED.map((name) => [
          name,
          { name: `$${name}`, in: 'query', description: words(6), schema: { type: 'integer' } },
        ]),
      ),
      responses: {
        error: { description: 'error', content: content('graph.entity1') },
      },
    },
  }
}

const SHARED = ['top', 'skip', 'search', 'filter', 'count']

const PATTERN =
  '^[0-9]{4,}-(0[1-9]|1[012])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,12})?(Z|[+-][0-9][0-9]:[0-9][0-9])$'

const WORDS =
  'account activity address agent alert approval assignment attachment batch calendar channel chat client cloud column comment connection contact content contract conversation counter country creation currency customer delta device directory document domain drive education email entry event export extension feature field file filter folder group history identity import index instance invitation item job label language license link list location mail management member message method metric mobile model notebook number object operation order organization owner page parameter password path permission person photo place plan policy position presence print process profile project property provider query record region registration report request resource result review role rule schedule schema score search section security segment service session setting share site source status storage subscription summary table task team template tenant term threat ticket time token topic type unit update user value vendor version volume warning window workbook worksheet'.split(
    ' ',
  )

/** Creates a generator of numbers in [0, 1), identical on every runtime (xorshift32). */
function createXorshift(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4294967296
  }
}
