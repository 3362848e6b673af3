import { defined } from '../values.js'
import type { Rule, RuleDocuments } from './documents.js'
import type { Citation } from './rule.js'

/** The ways in which the program keeps or shows a rule. */
export type Deed =
  | 'enforced'
  | 'checked'
  | 'followed'
  | 'tried'
  | 'examined'
  | 'broken'
  | 'attacked'
  | 'taught'

/** A place where a rule lives. */
export interface RulePlace {
  readonly does: Deed
  /** The part of the program, such as `the authorization server` or `flow --tamper`. */
  readonly by: string
  /** Errors, events, checks, moves, modes, attacks or lessons, by name; empty where the place has none. */
  readonly names: readonly string[]
}

/** A rule, and everything that is known of it. */
export interface RuleEntry {
  readonly rule: Rule
  /** True for a section that holds a MUST. */
  readonly must: boolean
  /** The demand, in one sentence. */
  readonly sentence: string
  readonly places: readonly RulePlace[]
  /** The section that demands the same, and whose places keep this one too. */
  readonly repeats?: Rule
  /** False for a MUST of a document that the lab wants to know whole, and that nothing keeps but, perhaps, code with a comment. */
  readonly covered: boolean
}

const deeds: Readonly<Record<string, readonly [does: Deed, by: string]>> = {
  'authorization server': ['enforced', 'the authorization server'],
  'resource server': ['enforced', 'the resource server'],
  cluster: ['enforced', 'the cluster'],
  lab: ['enforced', 'the lab'],
  'lab file': ['checked', 'the check of lab files'],
  client: ['checked', 'the client'],
  'demo client': ['checked', 'the demo client'],
  'either side': ['checked', 'client and servers'],
  compression: ['checked', 'compress lint'],
  'in authorization server': ['followed', 'the authorization server'],
  'in resource server': ['followed', 'the resource server'],
  'in cluster': ['followed', 'the cluster'],
  'in client': ['followed', 'the client'],
  'in demo client': ['followed', 'the demo client'],
  'in either side': ['followed', 'client and servers'],
  'in compression': ['followed', 'the compression site'],
  'in lab': ['followed', 'the lab'],
}

/** Reads the generated index: a rule a line, then its sides. */
function* indexed(index: string): Generator<readonly [rule: string, place: RulePlace]> {
  for (const line of index.trim().split('\n')) {
    const [rule = '', ...sides] = line.split(' | ')
    for (const side of sides) {
      const [name = '', names] = side.split(': ')
      const [does, by] = deeds[name] ?? (['checked', name] as const)
      yield [rule, { does, by, names: names?.split(', ') ?? [] }]
    }
  }
}

/** A thing that names the rules behind it, such as a wrong move. */
export interface Named {
  readonly name: string
  readonly rule: Citation
}

/** A run-time table: the moves, checks, modes or lessons of one place. */
export type Table = readonly [does: Deed, by: string, rows: readonly Named[]]

/** Groups a list by a key; the groups are in the order of their first items. */
export function grouped<Item, Key>(
  list: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of list) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** The registry, and every rule of it in the order of documents, then of their sections. */
export interface RuleBook {
  readonly documents: RuleDocuments
  readonly entries: readonly RuleEntry[]
}

/**
 * Returns every rule of the registry with its places.
 * @param index the generated index of the sources
 * @param tables the tables that exist at run time
 */
export function ruleBook(documents: RuleDocuments, index: string, tables: readonly Table[]): RuleBook {
  const places = new Map<string, RulePlace[]>()
  const add = (rule: string, place: RulePlace): void => {
    places.set(rule, [...(places.get(rule) ?? []), place])
  }
  for (const [rule, place] of indexed(index)) add(rule, place)
  for (const [does, by, rows] of tables) {
    for (const [rule, named] of grouped(rows, row => row.rule)) {
      add(rule, { does, by, names: [...new Set(named.map(({ name }) => name))] })
    }
  }
  const isKept = (rule: string): boolean => places.get(rule)?.some(({ does }) => does !== 'followed') ?? false
  const numbers = new Intl.Collator('en', { numeric: true })
  const entries = Object.entries(documents).flatMap(
    ([name, { whole = false, must = {}, other = {}, repeats }]) =>
      Object.entries({ ...must, ...other })
        .sort(([a], [b]) => numbers.compare(a, b))
        .map(([section, sentence]) => {
          const rule = `${name} ${section}` as Rule
          const same = repeats?.[section] as Rule | undefined
          const known = places.get(rule) ?? []
          const isMust = Object.hasOwn(must, section)
          const covered = !(isMust && whole) || isKept(rule) || (same !== undefined && isKept(same))
          return defined({ rule, must: isMust, sentence, places: known, repeats: same, covered })
        }),
  )
  return { documents, entries }
}
