import { JsonText } from './json-text.ts'
import { createYieldIfDue } from './time-slices.ts'

const CHUNK_CHARACTERS = 32 * 1024

/** An array of a JSON document whose items are loaded in batches while the document is written. */
export class Rows<Item = unknown> {
  readonly batches: AsyncIterable<readonly Item[]>

  constructor(batches: AsyncIterable<readonly Item[]>) {
    this.batches = batches
  }
}

/** Creates rows from a list in memory; each is mapped when it is written. */
export function toRows<From, Item>(items: readonly From[], make: (from: From) => Item): Rows<Item> {
  async function* batches(): AsyncGenerator<readonly Item[]> {
    for (let start = 0; start < items.length; start += BATCH) {
      yield items.slice(start, start + BATCH).map(make)
    }
  }
  return new Rows(batches())
}

const BATCH = 200

/** A value whose arrays may be streamed in batches. */
export type WithRows<T> = T extends readonly (infer Item)[]
  ? readonly WithRows<Item>[] | Rows<WithRows<Item>>
  : T extends object
    ? { readonly [K in keyof T]: WithRows<T[K]> }
    : T

/**
 * Writes a value as JSON, with `Rows` at any depth as arrays; items may contain `Rows` too. Buffers
 * one batch at most. Yields chunks of about 32 KiB, and yields to the event loop between them when
 * due.
 */
export async function* writeDocument(value: unknown): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder()
  const pause = createYieldIfDue()
  let text = ''
  for await (const piece of writeValue(value)) {
    text += piece
    if (text.length < CHUNK_CHARACTERS) continue
    yield encoder.encode(text)
    text = ''
    await pause()
  }
  if (text !== '') yield encoder.encode(text)
}

/** Resolves all `Rows` of a value to arrays, for in-process callers. */
export async function readDocument(value: unknown): Promise<unknown> {
  if (value instanceof JsonText) return JSON.parse(value.text)
  if (value instanceof Rows) {
    const items: unknown[] = []
    for await (const batch of value.batches) {
      for (const item of batch) items.push(await readDocument(item))
    }
    return items
  }
  if (typeof value !== 'object' || value === null || !containsRows(value)) return value
  if (Array.isArray(value)) return Promise.all(value.map(readDocument))
  const members: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    members.push([name, await readDocument(member)])
  }
  return Object.fromEntries(members)
}

async function* writeValue(value: unknown): AsyncIterable<string> {
  if (value instanceof Rows) {
    yield* writeItems(value.batches)
  } else if (!containsRows(value)) {
    yield toJsonOrNull(value)
  } else if (Array.isArray(value)) {
    yield* writeItems(toSingleBatch(value))
  } else {
    yield* writeMembers(value as object)
  }
}

async function* writeItems(batches: AsyncIterable<readonly unknown[]>): AsyncIterable<string> {
  let separator = '['
  for await (const batch of batches) {
    for (const item of batch) {
      if (containsRows(item)) {
        yield separator
        yield* writeValue(item)
      } else {
        yield separator + toJsonOrNull(item)
      }
      separator = ','
    }
  }
  yield separator === '[' ? '[]' : ']'
}

async function* writeMembers(value: object): AsyncIterable<string> {
  let separator = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    yield* writeValue(member)
    separator = ','
  }
  yield '}'
}

async function* toSingleBatch(items: readonly unknown[]): AsyncIterable<readonly unknown[]> {
  yield items
}

function toJsonOrNull(value: unknown): string {
  if (value instanceof JsonText) return value.text
  return JSON.stringify(value) ?? 'null'
}

function containsRows(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof JsonText) return false
  if (value instanceof Rows) return true
  return Object.values(value).some(containsRows)
}
