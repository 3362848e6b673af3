import { count, sentence } from './spoken-item.js'

/** A command of the menu. */
interface MenuEntry {
  readonly group: string
  readonly name: string
  readonly about: string
  /** The command line. */
  readonly line: string
  /** Further command lines. */
  readonly more: readonly string[]
}

/** The menu as sentences: the commands with their numbers, below the names of their groups. */
export function spokenMenu(entries: readonly MenuEntry[]): string[] {
  const lines = entries.flatMap(({ group, name, about }, i) => [
    ...(group === entries[i - 1]?.group ? [] : [sentence(group)]),
    sentence(`${i + 1}. ${name}: ${about}`),
  ])
  return [`Menu. ${count(entries.length, 'command')}.`, ...lines]
}

/** The details of a command: its line, and further ones. */
export function menuDetails({ name, about, line, more }: MenuEntry): string[] {
  return [
    sentence(`${name}: ${about}`),
    sentence(`Command line: ${line}`),
    ...more.map(each => sentence(`Another: ${each.replace(/ {2,}/, ', ')}`)),
  ]
}
