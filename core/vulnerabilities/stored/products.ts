import type { RecordProducts } from '../affected-products.ts'
import type { AffectedProduct, VersionRange } from '../records.ts'
import { packBounds, unpackBounds } from './configurations.ts'

/** Packs the affected products of a record; the others follow after a 0. */
export function packProducts({ listed, others }: RecordProducts): string {
  if (listed.length + others.length === 0) return ''
  const packed = [...listed.map(packProduct), ...(others.length > 0 ? [0] : [])]
  return JSON.stringify([...packed, ...others.map(packProduct)])
}

/** Unpacks the affected products from the column `products`. */
export function unpackProducts(products: string): RecordProducts {
  if (products === '') return NO_PRODUCTS
  // The cast is safe: only `toStoredRecord` writes it.
  const packed = JSON.parse(products) as readonly (PackedProduct | 0)[]
  const end = packed.indexOf(0)
  const unpack = (list: readonly (PackedProduct | 0)[]) =>
    list.flatMap((each) => (each === 0 ? [] : [unpackProduct(each)]))
  return end < 0
    ? { listed: unpack(packed), others: [] }
    : { listed: unpack(packed.slice(0, end)), others: unpack(packed.slice(end)) }
}

/** Lists the names of the affected products from the column `products`, in order. */
export function unpackProductNames(
  products: string,
): readonly Pick<AffectedProduct, 'vendor' | 'product'>[] {
  if (products === '') return []
  // The cast is safe: only `toStoredRecord` writes it.
  const packed = JSON.parse(products) as readonly (PackedProduct | 0)[]
  return packed.flatMap((each) => (each === 0 ? [] : [{ vendor: each[0], product: each[1] }]))
}

/** Packs an affected version or range; undefined if the result would be long. */
export function packShortVersion(version: AffectedProduct['versions'][number]): string | undefined {
  // Versions of one statement share their list: packing a long one for each would take very long.
  const { except = [] } = typeof version === 'string' ? {} : version
  if (except.length > MAX_SHORT_EXCEPTIONS) return undefined
  const packed = JSON.stringify(packVersions([version]))
  return packed.length > MAX_SHORT_UNITS ? undefined : packed
}

/** Reverses `packShortVersion`. */
export function unpackShortVersion(packed: string): AffectedProduct['versions'][number] {
  // The cast is safe: only `packShortVersion` writes it.
  const [version, exceptions] = JSON.parse(packed) as readonly [
    string | PackedRange,
    PackedExceptions?,
  ]
  if (typeof version === 'string') return version
  const [except] = exceptions?.except ?? []
  const range = unpackRange(version)
  return except ? { ...range, except: except.map(unpackRange) } : range
}

const MAX_SHORT_UNITS = 600
const MAX_SHORT_EXCEPTIONS = 30

const NO_PRODUCTS: RecordProducts = { listed: [], others: [] }

/** Vendor, product, versions, and the lists of exceptions if there are any. */
type PackedProduct = readonly [string, string, ...PackedPart[]]

type PackedPart = string | PackedRange | PackedExceptions

/** The bounds, the scheme after `#`, and the index of a list of exceptions. */
type PackedRange = readonly (string | number)[]

interface PackedExceptions {
  readonly except: readonly (readonly PackedRange[])[]
}

function packProduct({ vendor, product, versions }: AffectedProduct): PackedProduct {
  return [vendor, product, ...packVersions(versions)]
}

function packVersions(versions: AffectedProduct['versions']): readonly PackedPart[] {
  /** Versions of one statement share their list. */
  const lists = new Map<readonly VersionRange[], number>()
  const packed = versions.map((version) => {
    if (typeof version === 'string') return version
    const { except } = version
    if (!except) return packRange(version)
    const index = lists.get(except) ?? lists.size
    lists.set(except, index)
    return [...packRange(version), index]
  })
  const except = [...lists.keys()].map((list) => list.map(packRange))
  return except.length > 0 ? [...packed, { except }] : packed
}

function unpackProduct([vendor, product, ...packed]: PackedProduct): AffectedProduct {
  return { vendor, product, versions: unpackVersions(packed) }
}

function unpackVersions(packed: readonly PackedPart[]): AffectedProduct['versions'] {
  const last = packed.at(-1)
  const except = typeof last === 'object' && 'except' in last ? last.except : []
  const lists = except.map((list) => list.map(unpackRange))
  return packed.flatMap((each): readonly (string | VersionRange)[] => {
    if (typeof each === 'string') return [each]
    if ('except' in each) return []
    const list = lists[Number(each.find((part) => typeof part === 'number') ?? -1)]
    return [list ? { ...unpackRange(each), except: list } : unpackRange(each)]
  })
}

function packRange(range: VersionRange): PackedRange {
  const { scheme } = range
  return [...packBounds(range), ...(scheme === undefined ? [] : [`#${scheme}`])]
}

function unpackRange(packed: PackedRange): VersionRange {
  const bounds: string[] = []
  let scheme: string | undefined
  for (const part of packed) {
    if (typeof part === 'number') continue
    if (part.startsWith('#')) scheme = part.slice(1)
    else bounds.push(part)
  }
  const range = unpackBounds(bounds)
  return scheme === undefined ? range : { ...range, scheme }
}
