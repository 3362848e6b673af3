import type { DocumentNode, GraphQLSchema, NamedTypeNode, TypeNode } from 'graphql'
import { knownFields } from './known-fields.js'
import { checkLimits } from './limits.js'
import { GraphqlRefusal } from './refusal.js'
import { makeSchema, type Reachable } from './schema.js'

/** A request as clients send it. */
export interface GraphqlRequest {
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
export async function executeQuery(request: GraphqlRequest, at: Reachable): Promise<unknown> {
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
