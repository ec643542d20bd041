import * as v from 'valibot'

/**
 * A list of at most `most` items. The size is checked before any item is validated: valibot would
 * collect an issue for each of millions of items before reporting the size.
 */
export function boundedList<const Item extends v.GenericSchema>(item: Item, maxItems: number) {
  const message = `must have at most ${maxItems} items`
  const list = v.pipe(v.array(item), v.maxLength(maxItems, message))
  const refusal = v.pipe(
    v.unknown(),
    v.check(() => false, message),
  )
  const run: (typeof list)['~run'] = (dataset, config) => {
    if (!Array.isArray(dataset.value) || dataset.value.length <= maxItems) {
      return list['~run'](dataset, config)
    }
    const { issues } = refusal['~run'](dataset, config)
    return issues ? { typed: false, value: dataset.value, issues } : list['~run'](dataset, config)
  }
  return { ...list, '~run': run }
}
