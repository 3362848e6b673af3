import type {
  ASTVisitor,
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLNamedType,
  GraphQLOutputType,
  GraphQLSchema,
  NamedTypeNode,
  SelectionSetNode,
  TypeNode,
  ValidationContext,
} from 'graphql'
import { type HttpRequest, type HttpResponse, text } from '../../../../protocol/http/message.js'
import { isJsonObject, parsedJson } from '../../../../protocol/values.js'
import { graphqlAnswer } from '../answers.js'
import { GROUPS, GraphqlRefusal, NODE, TIME_GROUPS } from './event-nodes.js'
import { makeSchema, type Reachable } from './schema.js'

/** A request as clients send it. */
interface GraphqlRequest {
  readonly query: string
  readonly variables: { readonly [name: string]: unknown }
  readonly operationName: string | undefined
}

/** Largest number of tokens in a document. The parser stops there. */
const MAX_TOKENS = 3000

type Library = typeof import('graphql')
let library: Promise<Library & { readonly schema: GraphQLSchema }> | undefined

async function loadLibrary(): Promise<Library & { readonly schema: GraphQLSchema }> {
  const graphql = await import('graphql')
  return { ...graphql, schema: makeSchema(graphql.buildSchema) }
}

/** The types of a list of values of a type, and of a list that may not be null. */
const listOf = (type: NamedTypeNode): TypeNode => ({ kind: 'ListType', type }) as TypeNode
const required = (type: TypeNode): TypeNode => ({ kind: 'NonNullType', type }) as TypeNode

/**
 * Lets a variable of a single type hold a list. The service does not compare a value with the type that the client declared:
 * lablabs/cloudflare-exporter sends a list of zones as `$zoneIDs: String!`.
 */
function withDeclaredLists(document: DocumentNode, variables: GraphqlRequest['variables']): DocumentNode {
  const definitions = document.definitions.map(definition => {
    if (definition.kind !== 'OperationDefinition') return definition
    const variableDefinitions = definition.variableDefinitions?.map(each => {
      const name = each.variable.name.value
      if (!Object.hasOwn(variables, name) || !Array.isArray(variables[name])) return each
      const { type } = each
      if (type.kind === 'NamedType') return { ...each, type: listOf(type) }
      if (type.kind !== 'NonNullType' || type.type.kind !== 'NamedType') return each
      return { ...each, type: required(listOf(type.type)) }
    })
    return variableDefinitions === undefined ? definition : { ...definition, variableDefinitions }
  })
  return { ...document, definitions } as DocumentNode
}

/**
 * Runs a query.
 * @returns the data: `viewer { zones { firewallEventsAdaptive { … } } }`
 * @throws GraphqlRefusal with the text that the service documents
 */
async function executeQuery(request: GraphqlRequest, at: Reachable): Promise<unknown> {
  library ??= loadLibrary()
  const { schema, ...graphql } = await library
  const refused = (why: string) => new GraphqlRefusal(400, `error parsing query: ${why}`)

  function parsed() {
    try {
      return graphql.parse(request.query, { maxTokens: MAX_TOKENS, noLocation: true })
    } catch (error) {
      // Any other error is a RangeError: the document is nested deeper than the stack.
      throw refused(error instanceof graphql.GraphQLError ? error.message : 'it is nested too deeply')
    }
  }

  const document = withDeclaredLists(parsed(), request.variables)
  checkLimits(document)
  const rules = [
    graphql.KnownFragmentNamesRule,
    graphql.NoFragmentCyclesRule,
    graphql.MaxIntrospectionDepthRule,
    knownFields(graphql),
  ]
  const [invalid] = graphql.validate(schema, document, rules)
  if (invalid) throw refused(invalid.message)
  const { data, errors: [error] = [] } = await graphql.execute({
    schema,
    document,
    contextValue: at,
    variableValues: request.variables,
    operationName: request.operationName ?? null,
  })
  if (error === undefined) return data
  const { originalError, message, path } = error
  if (originalError instanceof GraphqlRefusal) {
    throw new GraphqlRefusal(originalError.status, originalError.message, path?.map(String) ?? null)
  }
  // The library's own errors are about the request: its variables, arguments, or the operation that it names.
  throw originalError === undefined || originalError instanceof graphql.GraphQLError
    ? refused(message)
    : error
}

/** A refusal as a GraphQL answer. */
export function graphqlError({ status, message, path }: GraphqlRefusal, now: number): HttpResponse {
  const error = { message, path, extensions: { timestamp: new Date(now).toISOString() } }
  return graphqlAnswer(status, { data: null, errors: [error] })
}

function requestOf(request: HttpRequest): GraphqlRequest {
  const value = parsedJson(text(request.body))
  if (value === undefined) throw new GraphqlRefusal(400, 'error parsing request: the body is not JSON')
  const given = (typeof value === 'object' && value !== null ? value : {}) as { [name: string]: unknown }
  const { query, variables, operationName } = given
  if (typeof query !== 'string') throw new GraphqlRefusal(400, 'error parsing request: there is no query')
  return {
    query,
    variables: isJsonObject(variables) ? (variables as GraphqlRequest['variables']) : {},
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
  }
}

/** Answers a GraphQL query for security events. Its answers have no envelope. */
export async function answerGraphql(
  request: HttpRequest,
  at: Reachable,
  refused: (refusal: GraphqlRefusal) => void,
): Promise<HttpResponse> {
  try {
    const data = await executeQuery(requestOf(request), at)
    return graphqlAnswer(200, { data, errors: null })
  } catch (error) {
    if (!(error instanceof GraphqlRefusal)) throw error
    refused(error)
    return graphqlError(error, at.now())
  }
}

/** The parts of the library that the rule works with. */
interface TypeTests {
  readonly getNamedType: (type: GraphQLOutputType) => GraphQLNamedType
  readonly getNullableType: (type: GraphQLOutputType) => GraphQLOutputType
  readonly isLeafType: (type: unknown) => boolean
  readonly isListType: (type: unknown) => boolean
}

/** A rule of validation with the service's text: fields exist, objects have selections, scalars have no selection. */
function knownFields(types: TypeTests): (context: ValidationContext) => ASTVisitor {
  return context => {
    const path: string[][] = []
    return {
      Field: {
        enter({ name: { value: name }, alias, selectionSet }) {
          const own = [alias?.value ?? name]
          path.push(own)
          const refuse = (message: string) => new GraphqlRefusal(400, message, path.flat())
          // An operation that the schema does not have is refused when it runs.
          if (!context.getParentType()) return
          const type = context.getFieldDef()?.type
          if (type === undefined) throw refuse(`unknown field "${name}"`)
          const isLeaf = types.isLeafType(types.getNamedType(type))
          if (isLeaf && selectionSet) throw refuse('scalar fields must have no selections')
          if (!isLeaf && !selectionSet) throw refuse('object field must have selections')
          // The service names the first item of a list.
          if (types.isListType(types.getNullableType(type))) own.push('0')
        },
        leave() {
          path.pop()
        },
      },
    }
  }
}

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
function checkLimits({ definitions }: DocumentNode): void {
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
