import { type Entry, linesOf } from './entries.ts'

/**
 * Reads the values of a Terraform text under the labels of their blocks. The key of a variable's
 * `default`, and of a `value` beside a `name`, is the name.
 */
export function readTerraform(text: string): readonly Entry[] {
  const entries: Entry[] = []
  const open: string[] = []
  let name: string | undefined
  let isComment = false
  for (const { line, start } of linesOf(text)) {
    isComment ||= /^\s*\/\*/.test(line)
    if (isComment || /^\s*(?:#|\/\/|<\w)/.test(line)) {
      isComment &&= !line.includes('*/')
      continue
    }
    const head = BLOCK.exec(line)
    if (head || /^\s*[}\])]/.test(line)) {
      if (head) open.push(/"([^"]*)"\s*$/.exec(head[2] ?? '')?.[1] ?? head[1] ?? '')
      else open.pop()
      name = undefined
      continue
    }
    const label = ONE_LINE_BLOCK.exec(line)?.[1]
    const above = label === undefined ? open : [...open, label]
    for (const { 0: whole, 1: key, 2: value = '', 3: end, index } of line.matchAll(VALUE)) {
      if (end === '' || (label !== undefined && key === undefined)) continue
      if (key === 'name') name = value
      const own = key === 'value' && name !== undefined ? name : key
      const keys = own === undefined || own === 'default' ? [...above] : [...above, own]
      entries.push({ keys, value, index: start + index + whole.length - value.length - 1 })
    }
  }
  return entries
}

/** `resource "aws_instance" "web" {`, `environment = [`. */
const BLOCK = /^\s*([\w-]+)((?:\s+"[^"]*")*)\s*(?:=\s*)?[{[(]+\s*$/

/** `variable "host" { default = "…" }`. */
const ONE_LINE_BLOCK = /^\s*[\w-]+\s+(?:"[^"]*"\s+)?"([^"]*)"\s*\{.*\}\s*$/

/** A quoted value, its key before it, and the quote that ends it, unless the line ends first. */
const VALUE = /(?:"?(?<![\w.-])([\w.-]+)"?\s*[=:]\s*)?"((?:[^"\\]|\\.)*)("?)/g
