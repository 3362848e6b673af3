import { UsageError } from '../../protocol/errors.js'
import { nearest } from '../../protocol/nearest.js'

/** Each name once, in the order of the list, as the entry that was added last. */
export function latest<Entry>(entries: readonly Entry[], nameOf: (each: Entry) => string): readonly Entry[] {
  return [...new Map(entries.map(each => [nameOf(each), each])).values()]
}

/**
 * The entry of that name that was added last.
 * @param what a word for messages: client or user
 * @throws UsageError when no entry has that name
 */
export function named<Entry>(
  what: string,
  name: string,
  entries: readonly Entry[],
  nameOf: (each: Entry) => string,
): Entry {
  const entry = entries.findLast(each => nameOf(each) === name)
  if (entry !== undefined) return entry
  const names = entries.map(nameOf)
  const near = nearest(name, names)
  throw new UsageError(
    `this lab has no ${what} ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`,
    [`Known: ${names.join(', ') || 'none'}`],
  )
}

/**
 * Removes every entry of that name from a list.
 * @throws UsageError when no entry has that name
 */
export function removeNamed<Entry>(
  what: string,
  name: string,
  entries: Entry[],
  nameOf: (each: Entry) => string,
): void {
  named(what, name, entries, nameOf)
  entries.splice(0, entries.length, ...entries.filter(each => nameOf(each) !== name))
}
