import { open } from 'node:fs/promises'
import {
  BOM_FORMATS,
  type BomFormat,
  type BomShape,
  type ReadBoms,
  readBom,
  SPEC_VERSIONS,
  type SpecVersion,
} from '../../core/boms/index.ts'
import { ServiceError, VERSION } from '../../core/index.ts'
import { CommandError, UsageError } from './errors.ts'
import { readFileBytes } from './files.ts'
import type { Io } from './io.ts'
import { describeSystemError } from './system-errors.ts'

/** The tool that BOM metadata names. */
export const TOOL = { name: 'api-discovery', version: VERSION } as const

const LINE_END = 10

/** Options for the output format of a BOM. */
export interface BomFormatOptions {
  readonly to: string
  /** 1.5 if undefined. */
  readonly specVersion?: string | undefined
  readonly output?: string
}

/** Reads the output format. Throws a `UsageError` if the options are invalid. */
export function readBomFormat({
  to,
  specVersion,
}: Pick<BomFormatOptions, 'to' | 'specVersion'>): BomShape {
  const format = BOM_FORMATS.find((each): each is BomFormat => each === to)
  if (!format)
    throw new UsageError(`Cannot write format "${to}": it must be one of ${BOM_FORMATS.join(', ')}`)
  if (format === 'specification' && specVersion !== undefined) {
    throw new UsageError(
      'Cannot use --spec-version: the specification format is always version 1.5; choose cyclonedx-json or cyclonedx-xml',
    )
  }
  const wanted = specVersion ?? '1.5'
  const version = SPEC_VERSIONS.find((each): each is SpecVersion => each === wanted)
  if (!version) {
    throw new UsageError(
      `Cannot write CycloneDX version "${wanted}": it must be one of ${SPEC_VERSIONS.join(', ')}`,
    )
  }
  return { format, version }
}

/** Reads a UTF-8 file, or standard input for `-`. */
export async function readTextFile(io: Io, path: string): Promise<string> {
  const bytes = path === '-' ? await io.readInput() : await readFileBytes(path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError(`Cannot read ${path}: it is not valid UTF-8`)
  }
}

/** Reads the BOMs of a file and prints a note about unsupported parts. */
export async function readBoms(io: Io, path: string): Promise<ReadBoms> {
  const text = await readTextFile(io, path)
  const read = await withFileName(path, () => readBom(text))
  const left = Object.entries(read.ignoredParts).map(([name, count]) => `${count} ${name}`)
  if (left.length > 0)
    io.note(
      `${path}: only services, with their packages and models, are read; ignored: ${left.join(', ')}`,
    )
  return read
}

/** Runs `work`; a `ServiceError` becomes a `CommandError` that names the file. */
export async function withFileName<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const name = path === '-' ? 'standard input' : path
    throw new CommandError(`${name}: ${error.message}`)
  }
}

/** Writes a document to a file, or to standard output with a final line end. */
export async function writeDocument(
  io: Io,
  chunks: AsyncIterable<Uint8Array>,
  path: string | undefined,
): Promise<void> {
  if (path === undefined) {
    let last: number | undefined
    for await (const chunk of chunks) {
      if ((await io.write(chunk)) === 'gone') return
      last = chunk.at(-1)
    }
    if (last !== LINE_END) await io.write(Uint8Array.of(LINE_END))
    return
  }
  try {
    const file = await open(path, 'w')
    try {
      for await (const chunk of chunks) await file.write(chunk)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new CommandError(`Cannot write ${path}: ${describeSystemError(error)}`)
  }
  io.note(`Wrote ${path}.`)
}
