import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql'
import { NODE } from './event-arguments.js'
import { GROUPS, TIME_GROUPS } from './event-groups.js'
import { GraphqlRefusal } from './refusal.js'

// An introspection query has about 14 levels.
const MAX_DEPTH = 20
const MAX_FIELDS = 400
const MAX_NODES = 10

/** The fields that search all events. */
const searches: readonly string[] = [NODE, GROUPS, TIME_GROUPS]

/**
 * Refuses a document that asks for too much, before any of it runs. A fragment counts each time it is spread, because a few
 * fragments can stand for very many fields.
 * @throws GraphqlRefusal
 */
export function checkLimits({ definitions }: DocumentNode): void {
  const fragments = new Map(
    definitions
      .filter((each): each is FragmentDefinitionNode => each.kind === 'FragmentDefinition')
      .map(each => [each.name.value, each]),
  )
  let fields = 0
  let nodes = 0

  function count({ selections }: SelectionSetNode, depth: number): void {
    if (depth > MAX_DEPTH) throw new GraphqlRefusal(400, 'the query is nested too deeply')
    for (const each of selections) {
      if (++fields > MAX_FIELDS) {
        throw new GraphqlRefusal(400, `number of fields can't be more than ${MAX_FIELDS}`)
      }
      if (each.kind === 'Field' && searches.includes(each.name.value)) nodes += 1
      const below =
        each.kind === 'FragmentSpread' ? fragments.get(each.name.value)?.selectionSet : each.selectionSet
      if (below !== undefined) count(below, depth + 1)
    }
  }

  for (const each of definitions) if (each.kind === 'OperationDefinition') count(each.selectionSet, 0)
  if (nodes > MAX_NODES) {
    throw new GraphqlRefusal(400, 'in combination, your request queries too many nodes, zones and accounts')
  }
}
