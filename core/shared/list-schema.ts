import * as v from 'valibot'

/**
 * A list of at most `most` items. The size is checked before any item is validated: valibot would
 * collect an issue for each of millions of items before reporting the size.
 */
export function listOf<const Item extends v.GenericSchema>(item: Item, most: number) {
  const message = `must have at most ${most} items`
  const list = v.pipe(v.array(item), v.maxLength(most, message))
  const refusal = v.pipe(
    v.unknown(),
    v.check(() => false, message),
  )
  const run: (typeof list)['~run'] = (dataset, config) => {
    if (!Array.isArray(dataset.value) || dataset.value.length <= most) {
      return list['~run'](dataset, config)
    }
    const { issues } = refusal['~run'](dataset, config)
    return issues ? { typed: false, value: dataset.value, issues } : list['~run'](dataset, config)
  }
  return { ...list, '~run': run }
}
