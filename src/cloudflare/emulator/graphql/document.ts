import type {
  ArgumentNode,
  DirectiveNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import { GraphqlRefusal } from './refusal.js'

/** A field that is asked for, its fragments put in place and its variables filled in. */
export interface AskedField {
  /** Its name in the answer. */
  readonly key: string
  readonly name: string
  readonly args: { readonly [name: string]: unknown }
  /** Undefined for a field without a selection. */
  readonly fields: readonly AskedField[] | undefined
}

/** A request as clients send it. */
export interface GraphqlRequest {
  readonly query: string
  readonly variables: { readonly [name: string]: unknown }
  readonly operationName: string | undefined
}

/** Larger documents are refused before they are read. */
const MAX_TOKENS = 3000
const MAX_DEPTH = 12
const MAX_FIELDS = 400

type Library = typeof import('graphql')
let library: Promise<Library> | undefined

/**
 * Reads a query document into the fields that it asks for.
 * @throws GraphqlRefusal
 */
export async function askedFields(request: GraphqlRequest): Promise<readonly AskedField[]> {
  library ??= import('graphql')
  const { parse, Kind, valueFromASTUntyped, GraphQLError } = await library
  let document: ReturnType<Library['parse']>
  try {
    document = parse(request.query, { maxTokens: MAX_TOKENS, noLocation: true })
  } catch (error) {
    // A RangeError: nested deeper than the stack.
    const why = error instanceof GraphQLError ? error.message : 'it is nested too deeply'
    throw new GraphqlRefusal(400, `error parsing query: ${why}`)
  }
  const operations = document.definitions.filter(each => each.kind === Kind.OPERATION_DEFINITION)
  const fragments = new Map(
    document.definitions.flatMap(each =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  )
  const operation = chosen(operations, request.operationName)
  const variables: Record<string, unknown> = {}
  for (const { variable, defaultValue, type } of operation.variableDefinitions ?? []) {
    const name = variable.name.value
    const given = Object.hasOwn(request.variables, name) ? request.variables[name] : undefined
    const value = given ?? (defaultValue ? valueFromASTUntyped(defaultValue) : undefined)
    if (value === undefined && type.kind === Kind.NON_NULL_TYPE) {
      throw new GraphqlRefusal(400, `variable "${name}" has no value`)
    }
    variables[name] = value
  }

  // Fragments count too: a few of them can stand for very many fields.
  let count = 0
  const flatten = (set: SelectionSetNode, depth: number): AskedField[] => {
    if (depth > MAX_DEPTH) throw new GraphqlRefusal(400, 'the query is nested too deeply')
    return set.selections.flatMap(node => {
      if (++count > MAX_FIELDS)
        throw new GraphqlRefusal(400, `number of fields can't be more than ${MAX_FIELDS}`)
      if (!included(node.directives ?? [])) return []
      if (node.kind === Kind.INLINE_FRAGMENT) return flatten(node.selectionSet, depth + 1)
      if (node.kind === Kind.FRAGMENT_SPREAD) return flatten(fragment(node.name.value, fragments), depth + 1)
      const name = node.name.value
      const fields = node.selectionSet && flatten(node.selectionSet, depth + 1)
      return [{ key: node.alias?.value ?? name, name, args: valuesOf(node.arguments ?? []), fields }]
    })
  }
  const valuesOf = (list: readonly ArgumentNode[]): Record<string, unknown> =>
    Object.fromEntries(list.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]))
  const included = (directives: readonly DirectiveNode[]): boolean =>
    directives.every(({ name, arguments: list = [] }) => {
      const { if: condition } = valuesOf(list)
      return name.value === 'skip'
        ? condition !== true
        : name.value === 'include'
          ? condition !== false
          : true
    })
  return flatten(operation.selectionSet, 0)
}

function chosen(
  operations: readonly OperationDefinitionNode[],
  name: string | undefined,
): OperationDefinitionNode {
  const found = name === undefined ? operations : operations.filter(each => each.name?.value === name)
  const [operation, second] = found
  if (operation === undefined)
    throw new GraphqlRefusal(400, 'error parsing query: there is no such operation')
  if (second) throw new GraphqlRefusal(400, 'error parsing query: operationName must say which operation')
  if ((operation.operation as string) !== 'query') {
    throw new GraphqlRefusal(400, `error parsing query: ${operation.operation} is not supported`)
  }
  return operation
}

function fragment(name: string, fragments: ReadonlyMap<string, FragmentDefinitionNode>): SelectionSetNode {
  const found = fragments.get(name)
  if (found === undefined) throw new GraphqlRefusal(400, `error parsing query: unknown fragment "${name}"`)
  return found.selectionSet
}
