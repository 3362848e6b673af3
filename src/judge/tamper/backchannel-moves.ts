import { parseScope } from '../../protocol/oauth/scope.js'
import { altered, asClient, without, withoutCredentials, withValue } from './messages.js'
import { isPublic, type Move, type TokenMove } from './move.js'

/** The parameters that name the person (OpenID Connect CIBA Core §7.1). */
const HINTS = ['login_hint', 'id_token_hint', 'login_hint_token']

const REQUEST_RULE = 'OpenID Connect CIBA Core §7.1'

const GUESSED = 'the tokens of another request can be had by guessing'

type BackchannelMove = Extract<Move, { readonly at: 'backchannel_authentication_request' }>

/** Wrong backchannel authentication requests. */
const requestMoves: readonly BackchannelMove[] = [
  {
    name: 'two-hints',
    at: 'backchannel_authentication_request',
    does: 'names the person by two hints',
    risk: 'client and server may mean different persons',
    rule: REQUEST_RULE,
    expects: [{ by: 'token', errors: ['invalid_request'] }],
    change: message => {
      const [, value = 'alice'] = message.pairs.find(([name]) => HINTS.includes(name)) ?? []
      return { ...message, pairs: [...message.pairs, ['login_hint_token', value]] }
    },
  },
  {
    name: 'no-hint',
    at: 'backchannel_authentication_request',
    does: 'names nobody',
    risk: 'the server asks a person whom the client did not mean',
    rule: REQUEST_RULE,
    expects: [{ by: 'token', errors: ['invalid_request'] }],
    change: message => ({ ...message, pairs: without(message.pairs, ...HINTS) }),
  },
  {
    name: 'no-openid-scope',
    at: 'backchannel_authentication_request',
    does: 'leaves openid out of the scope',
    risk: 'the client gets an access token, and takes it for a login',
    rule: REQUEST_RULE,
    expects: [{ by: 'token', errors: ['invalid_scope', 'invalid_request'] }],
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'scope', scope => {
        const others = (parseScope(scope) ?? []).filter(each => each !== 'openid')
        return others.length === 0 ? 'profile' : others.join(' ')
      }),
    }),
  },
  {
    name: 'unauthenticated-backchannel-request',
    at: 'backchannel_authentication_request',
    does: 'asks in the name of a confidential client, and shows no credentials',
    risk: 'everybody can send people requests that seem to come from the client',
    rule: 'OpenID Connect CIBA Core §7',
    expects: [{ by: 'token', errors: ['invalid_client'] }],
    notHere: ({ client }) =>
      client.proof === 'certificate'
        ? 'the client has a certificate, and no secret'
        : isPublic(client)
          ? 'the client is public: it has no secret'
          : undefined,
    change: (message, { clientId }) => {
      const bare = withoutCredentials(message)
      return { ...bare, pairs: [...bare.pairs, ['client_id', clientId]] }
    },
  },
]

/** Wrong token requests with an auth_req_id. */
const pollMoves: readonly TokenMove[] = [
  {
    name: 'guessed-auth-req-id',
    at: 'token_request',
    grants: ['ciba'],
    does: 'asks with an auth_req_id that the server never issued',
    risk: GUESSED,
    rule: 'OpenID Connect CIBA Core §11',
    expects: [{ by: 'token', errors: ['invalid_grant', 'expired_token'] }],
    change: message => ({ ...message, pairs: withValue(message.pairs, 'auth_req_id', altered) }),
  },
  {
    name: 'other-client-auth-req-id',
    at: 'token_request',
    grants: ['ciba'],
    does: 'asks with the auth_req_id as another client',
    risk: 'one client gets the tokens that a person meant for another',
    rule: 'OpenID Connect CIBA Core §11',
    expects: [{ by: 'token', errors: ['invalid_grant', 'unauthorized_client'] }],
    needs: 'other',
    change: (message, { other }) => (other ? asClient(message, other) : message),
  },
  {
    name: 'reuse-auth-req-id',
    at: 'token_request',
    grants: ['ciba'],
    does: 'redeems the auth_req_id a second time',
    risk: 'anyone who finds a used auth_req_id has a token',
    rule: 'OpenID Connect CIBA Core §10.1.1',
    expects: [{ by: 'token', errors: ['invalid_grant', 'expired_token'] }],
    again: 'anew',
    change: message => message,
  },
  {
    name: 'expired-auth-req-id',
    at: 'token_request',
    grants: ['ciba'],
    does: 'waits until the auth_req_id has expired, by the server’s clock',
    risk: 'somebody has long to trick a person into an approval',
    rule: 'OpenID Connect CIBA Core §11',
    expects: [{ by: 'token', errors: ['expired_token', 'invalid_grant'] }],
    wait: 'authReqId',
    change: message => message,
  },
]

/** Wrong moves of a backchannel authentication. */
export const backchannelMoves: readonly (BackchannelMove | TokenMove)[] = [...requestMoves, ...pollMoves]
