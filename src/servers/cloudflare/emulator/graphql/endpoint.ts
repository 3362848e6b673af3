import { type HttpRequest, type HttpResponse, text } from '../../../../protocol/http/message.js'
import { isJsonObject } from '../../../../protocol/values.js'
import { graphqlAnswer } from '../envelope.js'
import { executeQuery, type GraphqlRequest } from './execute.js'
import { GraphqlRefusal } from './refusal.js'
import type { Reachable } from './schema.js'

/** A refusal as a GraphQL answer. */
export function graphqlError({ status, message, path }: GraphqlRefusal, now: number): HttpResponse {
  const error = { message, path, extensions: { timestamp: new Date(now).toISOString() } }
  return graphqlAnswer(status, { data: null, errors: [error] })
}

function requestOf(request: HttpRequest): GraphqlRequest {
  let value: unknown
  try {
    value = JSON.parse(text(request.body))
  } catch {
    throw new GraphqlRefusal(400, 'error parsing request: the body is not JSON')
  }
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
