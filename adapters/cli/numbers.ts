import { InvalidArgumentError } from 'commander'

/** Creates a parser for an integer option within bounds, both inclusive. */
export function integerParser(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`)
  }
}
