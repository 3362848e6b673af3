import { type HttpRequest, type HttpResponse, jsonResponse, text } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import type { TokenErrorCode } from '../../../protocol/oauth/oauth-error.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { jsonError, NOT_STORED } from '../endpoints/client-endpoint.js'
import { type Context, type Publish, refusal } from '../events.js'
import type { ReferenceCodes } from './codes.js'
import { referenceParameters } from './parameters.js'
import { EXPIRES_IN, type IssueReferenceToken } from './tokens.js'

/** The parts that the endpoint uses. */
export interface ReferenceTokenEndpointParts {
  readonly codes: ReferenceCodes
  readonly issueToken: IssueReferenceToken
}

/** `/token` of the reference. It issues a token for any known code, to any client, any number of times. */
export function referenceTokenEndpoint({ codes, issueToken }: ReferenceTokenEndpointParts): Route {
  function refuse(publish: Publish, error: OAuthError<TokenErrorCode>): HttpResponse {
    publish({ type: 'token.refused', status: 400, ...refusal(error) })
    return jsonError(error, 400)
  }

  const answer = async (http: HttpRequest, { publish }: Context) => {
    const sent = referenceParameters(text(http.body))
    const rule = 'RFC 6749 §5.2'
    if (sent.get('grant_type') !== 'authorization_code') {
      const description = 'grant_type must be authorization_code'
      return refuse(publish, new OAuthError('unsupported_grant_type', { description, rule }))
    }
    const record = codes.find(sent.get('code') ?? '')
    if (record === undefined) {
      return refuse(publish, new OAuthError('invalid_grant', { description: 'the code is unknown', rule }))
    }
    const clientId = sent.get('client_id') ?? record.client_id
    const token = await issueToken(record.username, clientId, 'authorization_code', publish)
    const body = { access_token: token, token_type: 'Bearer', expires_in: EXPIRES_IN }
    return jsonResponse(200, body, NOT_STORED)
  }
  return { path: '/token', methods: { POST: answer } }
}
