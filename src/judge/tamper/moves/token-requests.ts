import { answerMembers } from '../../../flows/answers/answer-members.js'
import { type FormPairs, parseForm } from '../../../protocol/http/form.js'
import { text } from '../../../protocol/http/message.js'
import { parseScope } from '../../../protocol/oauth/scope.js'
import { alterToken, selfSignedToken, unsignedToken } from '../forged-tokens.js'
import {
  altered,
  asClient,
  valueIn,
  withNameAlone,
  without,
  withoutCredentials,
  withoutHeader,
  withQuery,
  withValue,
} from '../messages.js'
import { atEndpoint, backchannelTable, type Limits, type Made, tokenTable } from '../move.js'
import { isPublic, type Situation } from '../situation.js'
import { NO_SUCH_SCOPE, needsDetailTypes, needsPkce, needsResources } from './authorization.js'

const expects = [atEndpoint('invalid_grant')] as const

/** Changes one character in the value of a parameter. */
const altering = (name: string) => (pairs: FormPairs) => withValue(pairs, name, altered)

/** Wrong token requests with a code. */
export const codeMoves = tokenTable({ grants: ['code'], expects }, [
  {
    name: 'reuse-code',
    does: 'redeems the code a second time',
    risk: 'anyone who finds a used code in a log or a history has a token',
    rule: 'RFC 6749 §4.1.2',
    again: 'anew',
  },
  {
    name: 'guessed-code',
    does: 'redeems a code that the server never issued',
    risk: 'codes can be made up',
    rule: 'RFC 6749 §5.2',
    pairs: altering('code'),
  },
  {
    name: 'other-client-code',
    does: 'redeems the code as another client',
    risk: 'one client gets the tokens that a person meant for another',
    rule: 'RFC 6749 §4.1.3',
    as: 'other',
  },
  {
    name: 'wrong-redirect-uri',
    does: 'redeems the code with another redirect_uri than the code was sent to',
    risk: 'a code that was lured to another address can be injected into the client',
    rule: 'RFC 6749 §4.1.3',
    pairs: pairs => withValue(pairs, 'redirect_uri', uri => `${uri}/elsewhere`),
  },
  {
    name: 'missing-redirect-uri',
    does: 'leaves the redirect_uri out, though the authorization request had one',
    risk: 'a code that was lured to another address can be injected into the client',
    rule: 'RFC 6749 §4.1.3',
    expects: [atEndpoint('invalid_grant', 'invalid_request')],
    pairs: pairs => without(pairs, 'redirect_uri'),
  },
  {
    name: 'wrong-verifier',
    does: 'redeems the code with another code_verifier',
    risk: 'a stolen code can be redeemed by somebody who did not start the flow',
    rule: 'RFC 7636 §4.6',
    notHere: needsPkce,
    pairs: altering('code_verifier'),
  },
  {
    name: 'missing-verifier',
    does: 'redeems the code without its code_verifier',
    risk: 'a stolen code can be redeemed by somebody who did not start the flow',
    rule: 'RFC 9700 §4.8.2',
    expects: [atEndpoint('invalid_grant', 'invalid_request')],
    notHere: needsPkce,
    pairs: pairs => without(pairs, 'code_verifier'),
  },
  {
    name: 'unauthorized-resource',
    does: 'asks for a token for a resource that the authorization request did not name',
    risk: 'a client gets a token for an API that the person never saw it ask for',
    rule: 'RFC 8707 §2.2',
    expects: [atEndpoint('invalid_target', 'invalid_grant')],
    notHere: needsResources,
    // RFC 8707 §2.2: the policy of the server "may limit" the resources to those that were granted.
    harmless: () => 'RFC 8707 §2.2 lets the server decide',
    authorize: pairs => without(pairs, 'resource'),
    pairs: (pairs, { knownResources = [] }) => [
      ...without(pairs, 'resource'),
      ...knownResources.slice(0, 1).map(each => ['resource', each] as const),
    ],
  },
  {
    name: 'unauthorized-details',
    does: 'asks for authorization details that the authorization request did not have',
    risk: 'a client gets a token for a payment that the person never saw',
    rule: 'RFC 9396 §6',
    expects: [atEndpoint('invalid_authorization_details', 'invalid_grant')],
    notHere: needsDetailTypes,
    authorize: pairs => without(pairs, 'authorization_details'),
    pairs: (pairs, { detailTypes = [] }) => [
      ...without(pairs, 'authorization_details'),
      ['authorization_details', JSON.stringify(detailTypes.slice(0, 1).map(type => ({ type })))],
    ],
  },
  {
    name: 'expired-code',
    does: 'waits until the code has expired, by the server’s clock',
    risk: 'a code that leaks later is still good',
    rule: 'RFC 6749 §4.1.2',
    wait: 'code',
  },
  {
    name: 'repeated-code',
    does: 'sends two codes in one request',
    risk: 'one part of the server checks the first and another uses the second',
    rule: 'RFC 6749 §3.2',
    expects: [atEndpoint('invalid_request', 'invalid_grant')],
    pairs: pairs =>
      pairs.flatMap(pair => (pair[0] === 'code' ? [pair, ['code', altered(pair[1])] as const] : [pair])),
  },
])

/** A scope that was not granted before: one that the server knows, where there is one. */
function wider({ knownScopes = [] }: Situation, { scope }: Limits): string {
  const granted = parseScope(scope ?? '') ?? []
  return knownScopes.find(each => !granted.includes(each)) ?? NO_SUCH_SCOPE
}

/** True where nothing but rotation stops a thief (RFC 9700 §2.2.2): the client is public, and the token bound to no key. */
const needsRotation = ({ client, bound }: Situation) => isPublic(client) && !bound

/** Wrong requests with a refresh token, or with a token that is exchanged. */
export const refreshMoves = tokenTable({ grants: ['refresh'], expects }, [
  {
    name: 'reuse-refresh-token',
    does: 'uses a refresh token a second time',
    risk: 'a stolen refresh token stays good, and nobody notices',
    rule: 'RFC 9700 §4.14.2',
    again: 'anew',
    harmless: situation =>
      needsRotation(situation)
        ? undefined
        : 'a thief is stopped all the same: the client proves who it is, or the token is bound to its key',
    notAgain: (request, first, situation) => {
      const { refresh_token: next } = answerMembers(first)
      const isRotated = next !== undefined && next !== valueIn(parseForm(text(request.body)), 'refresh_token')
      return needsRotation(situation) || isRotated
        ? undefined
        : 'the server does not rotate, and need not: the client proves who it is, or the token is bound to its key'
    },
  },
  {
    name: 'guessed-refresh-token',
    does: 'uses a refresh token that the server never issued',
    risk: 'refresh tokens can be made up',
    rule: 'RFC 6749 §10.4',
    pairs: altering('refresh_token'),
  },
  {
    name: 'other-client-refresh-token',
    does: 'uses the refresh token as another client',
    risk: 'one client gets the tokens that a person meant for another',
    rule: 'RFC 6749 §6',
    expects: [atEndpoint('invalid_grant', 'unauthorized_client')],
    as: 'other',
  },
  {
    name: 'widened-scope',
    grants: ['refresh', 'token-exchange'],
    does: 'asks for more scope than was granted before',
    risk: 'a token grows beyond what the person allowed',
    rule: 'RFC 6749 §6',
    expects: [atEndpoint('invalid_scope')],
    forbids: wider,
    pairs: (pairs, situation, limits) =>
      withValue(pairs, 'scope', () => `${limits.scope ?? ''} ${wider(situation, limits)}`.trim()),
  },
  {
    name: 'expired-refresh-token',
    does: 'waits until the refresh token has expired, by the server’s clock',
    risk: 'a refresh token that leaks once is good for ever',
    rule: 'RFC 6749 §5.2',
    wait: 'refreshToken',
  },
])

const passwordMoves = tokenTable({ grants: ['password'], expects }, [
  {
    name: 'wrong-password',
    does: 'sends a wrong password',
    risk: 'everybody can log in as the person',
    rule: 'RFC 6749 §5.2',
    pairs: altering('password'),
  },
  {
    name: 'missing-password',
    does: 'leaves the password out',
    risk: 'everybody can log in as the person',
    rule: 'RFC 6749 §4.3.2',
    expects: [atEndpoint('invalid_request', 'invalid_grant')],
    pairs: pairs => without(pairs, 'password'),
  },
])

const clientMoves = tokenTable(
  { grants: ['client-credentials'], expects: [atEndpoint('unauthorized_client', 'invalid_client')] },
  [
    {
      name: 'public-client',
      does: 'asks in the name of a public client, which can prove nothing',
      risk: 'everybody has the rights of that client',
      rule: 'RFC 6749 §4.4',
      as: 'publicClient',
    },
  ],
)

const deviceMoves = tokenTable(
  { grants: ['device'], expects: [atEndpoint('invalid_grant', 'expired_token')] },
  [
    {
      name: 'guessed-device-code',
      does: 'asks with a device_code that the server never issued',
      risk: 'the tokens of another device can be had by guessing',
      rule: 'RFC 6749 §5.2',
      pairs: altering('device_code'),
    },
    {
      name: 'other-client-device-code',
      does: 'asks with the device_code as another client',
      risk: 'one client gets the tokens that a person meant for another',
      rule: 'RFC 8628 §3.4',
      expects: [atEndpoint('invalid_grant', 'unauthorized_client')],
      as: 'other',
    },
    {
      name: 'reuse-device-code',
      does: 'redeems the device_code a second time',
      risk: 'anyone who finds a used device_code has a token',
      rule: 'RFC 6749 §5.2',
      again: 'anew',
    },
    {
      name: 'expired-device-code',
      does: 'waits until the device_code has expired, by the server’s clock',
      risk: 'somebody has long to trick a person into letting a device in',
      rule: 'RFC 8628 §3.5',
      expects: [atEndpoint('expired_token', 'invalid_grant')],
      wait: 'deviceCode',
    },
  ],
)

/** Forges the subject token. An opaque one cannot be forged, so one of its characters is changed. */
async function forged(pairs: FormPairs, forge: (token: string) => Made<string>): Promise<FormPairs> {
  const token = valueIn(pairs, 'subject_token')
  const made = await forge(token)
  return withValue(pairs, 'subject_token', () => (typeof made === 'string' ? made : altered(token)))
}

const exchangeMoves = tokenTable(
  // RFC 8693 §2.2.2 says invalid_request; some servers take a subject token for a grant.
  { grants: ['token-exchange'], expects: [atEndpoint('invalid_request', 'invalid_grant')] },
  [
    {
      name: 'altered-subject-token',
      does: 'changes the subject in the token that it exchanges, and keeps the signature',
      risk: 'everybody gets tokens about everybody',
      rule: 'RFC 8693 §2.2.2',
      pairs: pairs => withValue(pairs, 'subject_token', alterToken),
    },
    {
      name: 'unsigned-subject-token',
      does: 'takes the signature off the token that it exchanges, and says alg: none',
      risk: 'everybody gets tokens about everybody',
      rule: 'RFC 8725 §3.2',
      change: async message => ({ ...message, pairs: await forged(message.pairs, unsignedToken) }),
    },
    {
      name: 'foreign-subject-token',
      does: 'signs the token that it exchanges with a key of its own',
      risk: 'everybody gets tokens about everybody',
      rule: 'RFC 8693 §2.2.2',
      change: async message => ({ ...message, pairs: await forged(message.pairs, selfSignedToken) }),
    },
    {
      name: 'expired-subject-token',
      does: 'waits until the token that it exchanges has expired, by the server’s clock',
      risk: 'a token that leaks once is made new for ever',
      rule: 'RFC 8693 §2.2.2',
      wait: 'accessToken',
    },
  ],
)

/** Wrong token requests of one grant each. */
export const grantMoves = [...passwordMoves, ...clientMoves, ...deviceMoves, ...exchangeMoves]

function needsProof({ client }: Situation): string | undefined {
  // Another move leaves the certificate out.
  if (client.proof === 'certificate') return 'the client has a certificate, and no secret'
  return isPublic(client) ? 'the client is public: it has no secret' : undefined
}

function needsSecret(situation: Situation): string | undefined {
  return situation.client.proof === 'key' ? 'the client has a key, and no secret' : needsProof(situation)
}

/** Wrong token requests of any grant. */
export const requestMoves = tokenTable({ expects: [atEndpoint('invalid_request', 'invalid_client')] }, [
  {
    name: 'both-credentials',
    does: 'authenticates in the header and in the body at once',
    risk: 'one part of the server checks the first and another uses the second',
    rule: 'RFC 6749 §2.3',
    notHere: needsSecret,
    change: (message, { client }) => asClient(message, client, ['client_secret_basic', 'client_secret_post']),
  },
  {
    name: 'no-credentials',
    does: 'names a confidential client and shows no credentials',
    risk: 'everybody can act as the client',
    rule: 'RFC 6749 §3.2.1',
    expects: [atEndpoint('invalid_client')],
    notHere: needsProof,
    change: (message, { client }) => withNameAlone(message, client),
  },
  {
    name: 'wrong-secret',
    does: 'authenticates with a wrong secret',
    risk: 'everybody can act as the client',
    rule: 'RFC 6749 §5.2',
    expects: [atEndpoint('invalid_client')],
    notHere: needsSecret,
    change: (message, { client }) =>
      asClient(message, { ...client, clientSecret: altered(client.clientSecret ?? 'secret') }),
  },
  {
    name: 'credentials-in-query',
    does: 'puts the client credentials into the address',
    risk: 'the secret ends up in logs and histories',
    rule: 'RFC 6749 §2.3.1',
    notHere: needsSecret,
    change: (message, { client: { clientId, clientSecret } }) => ({
      ...withoutCredentials(message),
      url: withQuery(message.url, [
        ['client_id', clientId],
        ['client_secret', clientSecret],
      ]),
    }),
  },
  {
    name: 'get-token-request',
    does: 'sends the token request with GET',
    risk: 'what is traded for the token ends up in logs and histories',
    rule: 'RFC 6749 §3.2',
    expects: [{ by: 'token', status: [400, 404, 405, 501], errors: [] }],
    change: message => ({
      ...message,
      method: 'GET',
      url: withQuery(message.url, message.pairs),
      headers: withoutHeader(message.headers, 'content-type'),
      pairs: [],
    }),
  },
  {
    name: 'unknown-grant-type',
    does: 'names a grant_type that does not exist',
    risk: 'the server guesses what the client wanted',
    rule: 'RFC 6749 §5.2',
    expects: [atEndpoint('unsupported_grant_type')],
    pairs: pairs => withValue(pairs, 'grant_type', () => 'oauth-lab-no-such-grant'),
  },
  {
    name: 'unknown-scope',
    grants: ['password', 'client-credentials', 'assertion'],
    does: 'asks for a scope that does not exist',
    risk: 'a token claims rights that nobody defined',
    rule: 'RFC 6749 §3.3',
    expects: [atEndpoint('invalid_scope')],
    forbids: () => NO_SUCH_SCOPE,
    pairs: pairs => withValue(pairs, 'scope', scope => `${scope} ${NO_SUCH_SCOPE}`.trim()),
  },
])

/** The parameters that name the person (OpenID Connect CIBA Core §7.1). */
const HINTS = ['login_hint', 'id_token_hint', 'login_hint_token']

/** Wrong backchannel authentication requests. */
const beginMoves = backchannelTable(
  { rule: 'OpenID Connect CIBA Core §7.1', expects: [atEndpoint('invalid_request')] },
  [
    {
      name: 'two-hints',
      does: 'names the person by two hints',
      risk: 'client and server may mean different persons',
      change: message => {
        const [, value = 'alice'] = message.pairs.find(([name]) => HINTS.includes(name)) ?? []
        return { ...message, pairs: [...message.pairs, ['login_hint_token', value]] }
      },
    },
    {
      name: 'no-hint',
      does: 'names nobody',
      risk: 'the server asks a person whom the client did not mean',
      change: message => ({ ...message, pairs: without(message.pairs, ...HINTS) }),
    },
    {
      name: 'no-openid-scope',
      does: 'leaves openid out of the scope',
      risk: 'the client gets an access token, and takes it for a login',
      expects: [atEndpoint('invalid_scope', 'invalid_request')],
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
      does: 'asks in the name of a confidential client, and shows no credentials',
      risk: 'everybody can send people requests that seem to come from the client',
      rule: 'OpenID Connect CIBA Core §7',
      expects: [atEndpoint('invalid_client')],
      notHere: needsProof,
      change: withNameAlone,
    },
  ],
)

/** Wrong token requests with an auth_req_id. */
const pollMoves = tokenTable({ grants: ['ciba'], expects: [atEndpoint('invalid_grant', 'expired_token')] }, [
  {
    name: 'guessed-auth-req-id',
    does: 'asks with an auth_req_id that the server never issued',
    risk: 'the tokens of another request can be had by guessing',
    rule: 'OpenID Connect CIBA Core §11',
    pairs: altering('auth_req_id'),
  },
  {
    name: 'other-client-auth-req-id',
    does: 'asks with the auth_req_id as another client',
    risk: 'one client gets the tokens that a person meant for another',
    rule: 'OpenID Connect CIBA Core §11',
    expects: [atEndpoint('invalid_grant', 'unauthorized_client')],
    as: 'other',
  },
  {
    name: 'reuse-auth-req-id',
    does: 'redeems the auth_req_id a second time',
    risk: 'anyone who finds a used auth_req_id has a token',
    rule: 'OpenID Connect CIBA Core §10.1.1',
    again: 'anew',
  },
  {
    name: 'expired-auth-req-id',
    does: 'waits until the auth_req_id has expired, by the server’s clock',
    risk: 'somebody has long to trick a person into an approval',
    rule: 'OpenID Connect CIBA Core §11',
    expects: [atEndpoint('expired_token', 'invalid_grant')],
    wait: 'authReqId',
  },
])

/** Wrong moves of a backchannel authentication. */
export const backchannelMoves = [...beginMoves, ...pollMoves]
