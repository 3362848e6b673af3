import { ALICE, authorizeLines, CURL, callResource, DEMO, HERE, tokenLines } from './curl-lines.js'
import { inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

const TOKEN = [...authorizeLines(ALICE), ...tokenLines(DEMO)]

/** A token from a flow, in `$token`, and the addresses of the lab. */
const FLOW = [
  HERE,
  'token=$(oauth-lab flow code --client demo --user alice --json --show-secrets | tail -1 \\',
  '  | sed \'s/.*"access_token":"\\([^"]*\\)".*/\\1/\')',
]

const REVOKE = `${CURL} -u ${DEMO} -d "token=$token" "$LAB/revocation"`

const ASK = `${CURL} -u ${DEMO} -d "token=$token" "$LAB/introspection"`

export const lesson: Lesson = {
  name: '13-revocation',
  title: 'Revocation: how long a JWT lives',
  minutes: 8,
  after: ['10-resource-server', '12-refresh'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'A client that needs its token no longer sends it to /revocation. A server that wants to know whether a token is still good asks /introspection. The resource server of this lab does not ask: it checks the signature and the time by itself.',
  ],
  prediction: {
    question: 'The client revokes its access token. A minute later the token comes to the resource server.',
    options: [
      {
        text: 'It is refused: revoked is revoked.',
        misconception: 'signed-means-valid',
        reply:
          'The JWT has not changed, and nobody asked the server that knows. The check of its signature passes.',
      },
      {
        text: 'It is accepted, until it expires.',
        reply: 'The resource server reads the JWT alone. Nothing in it says that it was revoked.',
      },
      {
        text: 'It is refused, because {user} has to log in again.',
        misconception: 'own: revoking a token ends the login of the user',
        reply: 'The login of {user} and the token of a client are two things. Neither ends the other.',
      },
    ],
  },
  tasks: [
    {
      name: 'revoke',
      say: [
        'Get a token (oauth-lab ca env sets the CA for curl), revoke it, and ask about it:',
        '  oauth-lab flow code --client {client} --user {user} --show-secrets',
        '  curl -u {client}:SECRET -d token=TOKEN {lab}/revocation',
        '  curl -u {client}:SECRET -d token=TOKEN {lab}/introspection',
      ],
      check: inOrder(
        { event: 'token.issued', why: '{client} has no token yet that could be revoked.' },
        { event: 'token.revoked', why: 'The token is there. Nobody has sent it to /revocation yet.' },
        {
          event: 'token.introspected',
          where: { active: false },
          why: 'The token was revoked. Nobody has asked /introspection about it since.',
        },
      ),
      mistakes: [
        {
          event: 'token.introspected',
          where: { active: true },
          why: 'The server says that the token is active. Revoke it first.',
          again: 'Still active. /revocation wants the token as the parameter token.',
        },
        {
          event: 'revocation.refused',
          anyone: true,
          why: 'The server refused to revoke: it does not believe that this is {client}.',
          again: 'Refused again. /revocation wants the credentials of the client, as /token does.',
        },
      ],
      hints: {
        question: 'Which endpoint ends a token, and which one says whether it is good?',
        place: 'POST /revocation and then POST /introspection, both with token and the secret of {client}.',
        line: 'curl -u {client}:SECRET -d token=TOKEN {lab}/revocation',
      },
      solutions: { cli: [...FLOW, REVOKE, ASK], curl: [...TOKEN, REVOKE, ASK] },
      nearMisses: [
        {
          name: 'a question without a revocation',
          lines: [...TOKEN, ASK],
          why: 'The server says that the token is active. Revoke it first.',
        },
        {
          name: 'a revocation without a question',
          lines: [...TOKEN, REVOKE],
          why: 'The token was revoked. Nobody has asked /introspection about it since.',
        },
        {
          name: 'a wrong secret',
          lines: [...TOKEN, REVOKE.replace(DEMO, 'demo:guess')],
          why: 'The server refused to revoke: it does not believe that this is demo.',
        },
      ],
    },
    {
      name: 'lives-on',
      say: [
        'Now show a revoked token to the resource server:',
        '  curl -H "Authorization: Bearer TOKEN" https://localhost:8444/resource',
      ],
      check: inOrder(
        { event: 'token.issued', why: '{client} has no token yet that could be revoked.' },
        { event: 'token.revoked', why: 'No token was revoked yet.' },
        {
          event: 'resource.accepted',
          why: 'The token was revoked. Nobody has shown it to the resource server since.',
        },
      ),
      mistakes: [
        {
          event: 'resource.accepted',
          why: 'The resource server accepted that token, and it was not revoked before.',
          again: 'Accepted again, and not revoked. First /revocation, and then the resource server.',
        },
      ],
      hints: {
        question: 'Which server knows that the token was revoked, and which one decides?',
        place: 'GET /resource with the token that you sent to /revocation.',
        line: 'curl -H "Authorization: Bearer TOKEN" https://localhost:8444/resource',
      },
      solutions: { cli: [...FLOW, REVOKE, callResource], curl: [...TOKEN, REVOKE, callResource] },
      nearMisses: [
        {
          name: 'a token that was not revoked',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'The resource server accepted that token, and it was not revoked before.',
        },
        {
          name: 'a revoked token that stays at home',
          lines: [...TOKEN, REVOKE],
          why: 'The token was revoked. Nobody has shown it to the resource server since.',
        },
      ],
    },
  ],
  explanation: [
    'A JWT is checked without its issuer, which makes it fast, and deaf to a revocation. Two ways out: short lives, such as five minutes with a refresh token behind them, or a resource server that asks /introspection about each token.',
    'Revoke the refresh token above all: it would bring new access tokens for weeks.',
  ],
  remember: [
    'Revoking a JWT does not stop a server that only checks its signature.',
    'A short life of access tokens limits what a stolen one is worth.',
  ],
  rule: 'RFC 7009 §3',
  weak: { mode: 'no-expiry', line: 'oauth-lab attack run expired-token' },
  stretch: [
    'Send a guessed token to /revocation. What does the server answer, and why does it not say “unknown”?',
  ],
}
