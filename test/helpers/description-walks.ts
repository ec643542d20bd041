import type { Random } from '../../core/ports/random.ts'

/** An operation of a generated description. */
interface WrittenOperation {
  /** Method as written: `get`, `GET`, or a name in `additionalOperations`. */
  readonly method: string
  readonly path: string
  readonly summary: string
  /** Name and URL expression of a callback. */
  readonly callback: readonly [name: string, expression: string] | undefined
}

/** A generated release of one API. */
export interface Release {
  readonly operations: readonly WrittenOperation[]
  readonly webhooks: readonly string[]
  readonly isYaml: boolean
}

/** Draws random choices from random bytes. */
export interface Chooser {
  /** An integer from 0, less than `count`. */
  below(count: number): number
  pick<T>(items: readonly T[]): T
  shuffle<T>(items: readonly T[]): readonly T[]
}

/** Creates a chooser over a seeded generator. */
export function createChooser(random: Random): Chooser {
  const below = (count: number) => {
    const [first = 0, second = 0] = random(2)
    return (first * 256 + second) % count
  }
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  return {
    below,
    pick,
    shuffle: (items) =>
      items
        .map((item) => [below(65_536), item] as const)
        .sort(([left], [right]) => left - right)
        .map(([, item]) => item),
  }
}

/** The first release of an API: few paths, so that their templates often differ in names alone. */
export function createRelease(chooser: Chooser): Release {
  const operations = Array.from({ length: 1 + chooser.below(8) }, () => createOperation(chooser))
  const webhooks = NAMES.filter(() => chooser.below(4) === 0)
  return { operations, webhooks, isYaml: chooser.below(3) === 0 }
}

/** The next release: the previous one with a few random edits. */
export function changeRelease(chooser: Chooser, former: Release): Release {
  let release = { ...former, isYaml: chooser.below(3) === 0 }
  for (let edits = 1 + chooser.below(4); edits > 0; edits -= 1) {
    release = chooser.pick(EDITS)(chooser, release)
  }
  return release
}

/** The description of a release, as an object. */
export function toReleaseDocument({ operations, webhooks }: Release): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { method, path, summary, callback } of operations) {
    paths[path] ??= {}
    const operation = {
      summary,
      operationId: `${method.toLowerCase()} ${path}`,
      responses: { 200: { description: 'Done' } },
      ...(callback && {
        callbacks: {
          [callback[0]]: {
            [callback[1]]: {
              post: { summary, operationId: `${method.toLowerCase()} ${path} ${callback[0]}` },
            },
          },
        },
      }),
    }
    const isExtra = !METHODS.includes(method)
    if (isExtra) {
      const others = (paths[path].additionalOperations ?? {}) as Record<string, unknown>
      paths[path].additionalOperations = { ...others, [method]: operation }
    } else paths[path][method] = operation
  }
  return {
    openapi: '3.2.0',
    info: { title: 'Walks', version: '1.0' },
    servers: [{ url: 'https://walks.example' }],
    paths,
    webhooks: Object.fromEntries(webhooks.map((name) => [name, { post: { summary: name } }])),
  }
}

type Edit = (chooser: Chooser, release: Release) => Release

const NAMES = ['id', 'name', 'key', 'Id']
const METHODS = ['get', 'GET', 'post', 'Put', 'delete']
const SHAPES = [
  '/a',
  '/a/{}',
  '/a/{}/b',
  '/a/{}/{}',
  '/A/{}',
  '/a/{}/',
  '/a/x-{}',
  '/a/{}.json',
  '//{}',
  'a/{}',
]

function createOperation(chooser: Chooser): WrittenOperation {
  return {
    method: chooser.below(12) === 0 ? chooser.pick(['COPY', 'webhook']) : chooser.pick(METHODS),
    path: createPath(chooser),
    summary: chooser.pick(['Read it', 'Write it', 'Drop it']),
    callback:
      chooser.below(4) === 0
        ? [chooser.pick(['onDone', 'on done']), chooser.pick(['{$url}', '/{id}', 'done'])]
        : undefined,
  }
}

function createPath(chooser: Chooser): string {
  return chooser.pick(SHAPES).replaceAll('{}', () => `{${chooser.pick(NAMES)}}`)
}

/** Changes a random operation. */
function editOne(
  change: (chooser: Chooser, operation: WrittenOperation) => WrittenOperation,
): Edit {
  return (chooser, release) => {
    const chosen = chooser.below(Math.max(1, release.operations.length))
    const operations = release.operations.map((operation, index) =>
      index === chosen ? change(chooser, operation) : operation,
    )
    return { ...release, operations }
  }
}

const EDITS: readonly Edit[] = [
  editOne((chooser, operation) => ({ ...operation, path: createPath(chooser) })),
  editOne((chooser, operation) => ({
    ...operation,
    path: operation.path.replaceAll(/\{\w+\}/g, () => `{${chooser.pick(NAMES)}}`),
  })),
  editOne((chooser, operation) => ({ ...operation, method: chooser.pick(METHODS) })),
  editOne((_, operation) => ({
    ...operation,
    path: operation.path.startsWith('/a') ? operation.path.replace('/a', '/A') : '/a/{id}',
  })),
  editOne((chooser, operation) => ({ ...operation, summary: `Edit ${chooser.below(9)}` })),
  editOne((chooser, operation) => ({ ...operation, callback: createOperation(chooser).callback })),
  (chooser, release) => ({ ...release, operations: chooser.shuffle(release.operations) }),
  (_, release) => ({ ...release, operations: release.operations.toReversed() }),
  (chooser, release) => ({
    ...release,
    operations: [createOperation(chooser), ...release.operations],
  }),
  (chooser, release) => ({
    ...release,
    operations: [...release.operations, createOperation(chooser)],
  }),
  (chooser, release) => ({
    ...release,
    operations: release.operations.filter(() => chooser.below(4) > 0),
  }),
  // The same template under other names, before or after: they share a key.
  (chooser, release) => {
    const copies = release.operations.slice(0, 2).map((operation) => ({
      ...operation,
      path: operation.path.replaceAll(/\{\w+\}/g, () => `{${chooser.pick(NAMES)}}`),
    }))
    const isBefore = chooser.below(2) === 0
    const { operations } = release
    return {
      ...release,
      operations: isBefore ? [...copies, ...operations] : [...operations, ...copies],
    }
  },
  (chooser, release) => ({
    ...release,
    webhooks: chooser.shuffle(NAMES).filter(() => chooser.below(2) === 0),
  }),
]
