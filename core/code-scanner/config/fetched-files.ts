import type { Entry } from '../formats/entries.ts'
import { matchNames } from '../model/name-patterns.ts'

/** Whether an entry names a file that a module of Ansible, or `ADD` of a Dockerfile, fetches. */
export function isFetched({ keys, value }: Entry): boolean {
  const names = keys.slice(-2).join(' ').split('.').at(-1) ?? ''
  return isSource(names.replace(' ', '.')) && /^https?:/i.test(value)
}

const isSource = matchNames(`
  get_url.url win_get_url.url apt_key.url deb822_repository.signed_by unarchive.src rpm_key.key
  apt.deb yum.name dnf.name zypper.name win_package.path ADD.src
`)
