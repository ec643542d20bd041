/** The properties in which two states of an agreement can differ. */
export interface AgreementState {
  readonly kind: string
  readonly name: string
  readonly link: string
  readonly spdxId: string
  readonly text: { readonly digest: string } | undefined
}

/** The agreements of an API before and after a change, matched to each other. */
export interface MatchedAgreements<Former, Wanted> {
  /** In the order of the wanted agreements; `former` is undefined for a new one. */
  readonly pairs: readonly { readonly wanted: Wanted; readonly former: Former | undefined }[]
  readonly removed: readonly Former[]
}

/** Returns whether an agreement is unchanged. */
export function isUnchangedAgreement(left: AgreementState, right: AgreementState): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.link === right.link &&
    left.spdxId === right.spdxId &&
    left.text?.digest === right.text?.digest
  )
}

/**
 * Matches the agreements of one API before and after a change. Passes, in order: unchanged; same
 * kind and link; same kind and name; the only one of its kind left on both sides, whose page has
 * moved.
 */
export function matchAgreements<Former extends AgreementState, Wanted extends AgreementState>(
  former: readonly Former[],
  wanted: readonly Wanted[],
): MatchedAgreements<Former, Wanted> {
  const left = new Set(former)
  const found = new Map<Wanted, Former>()
  const pairBy = (isSame: (before: Former, after: Wanted) => boolean) => {
    for (const after of wanted) {
      if (found.has(after)) continue
      for (const before of left) {
        if (before.kind !== after.kind || !isSame(before, after)) continue
        found.set(after, before)
        left.delete(before)
        break
      }
    }
  }
  pairBy(isUnchangedAgreement)
  pairBy((before, after) => before.link === after.link)
  pairBy((before, after) => before.name === after.name)
  const isOnly = (kind: string) =>
    [...left].filter((each) => each.kind === kind).length === 1 &&
    wanted.filter((each) => each.kind === kind && !found.has(each)).length === 1
  pairBy(({ kind }) => isOnly(kind))
  return {
    pairs: wanted.map((each) => ({ wanted: each, former: found.get(each) })),
    removed: [...left],
  }
}
