import type { Entry } from '../formats/entries.ts'
import { matchNames } from '../model/name-patterns.ts'

/** Finds the files that a module in a task of Ansible, or `ADD` of a Dockerfile, fetches. */
export function findFetched({ keys, value, index, isStep }: Entry): readonly Fetched[] {
  const names = keys.slice(-2).join(' ').split('.').at(-1) ?? ''
  if (!isStep || !isSource(names.replace(' ', '.'))) return []
  return [...value.matchAll(FILES)].map(({ 0: whole, 1: url = '', index: at }) => {
    return { url, index: index + at + whole.length - url.length }
  })
}

interface Fetched {
  readonly url: string
  readonly index: number
}

/** Addresses between commas, up to a blank outside `{{ … }}`. */
const FILES = /(?:^|,)\s*(https?:\/\/(?:\{\{[^{}]{0,200}\}\}|[^\s,])+)/gi

const isSource = matchNames(`
  get_url.url win_get_url.url apt_key.url deb822_repository.signed_by unarchive.src rpm_key.key
  apt.deb yum.name dnf.name zypper.name win_package.path ADD.src
`)
