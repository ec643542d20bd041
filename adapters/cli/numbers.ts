import { InvalidArgumentError } from 'commander'

/** For commander: reads an integer within bounds. */
export function toInteger(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`)
  }
}
