import { attackTask, logTask } from './attack-tasks.js'
import { ALICE, authorizeLines, CURL, callResource, DEMO, tokenLines } from './curl-lines.js'
import { answered, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

export const lesson: Lesson = {
  name: '10-resource-server',
  title: 'What a resource server checks',
  minutes: 9,
  after: ['09-scopes-and-consent'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'The resource server never saw {user}’s password, and has no list of tokens. A text arrives behind the word Bearer, and it has to decide. In a login with OpenID Connect the client holds two signed JWTs: an access token and an ID token.',
  ],
  prediction: {
    question:
      'The client sends the ID token of {user} to the resource server. It is signed by the right server and names {user}. What happens?',
    options: [
      {
        text: 'It is accepted: a right signature makes a token valid.',
        misconception: 'signed-means-valid',
        reply: 'The signature is one check of ten. It says who wrote the token, not what it is for.',
      },
      {
        text: 'It is refused: an ID token is for the client.',
        reply: 'It is a report about a login. It carries no scope, and its type is not at+jwt.',
      },
      {
        text: 'It is accepted: it proves that {user} has logged in.',
        misconception: 'oauth-is-login',
        reply: 'It does prove that, to the client. The resource server asks what the client may do.',
      },
    ],
  },
  tasks: [
    {
      name: 'id-token',
      say: [
        'Show the ID token where an access token belongs:',
        '  oauth-lab flow resource --user {user} --tamper id-token-as-access-token',
      ],
      check: seen({
        event: 'resource.refused',
        where: { description: { includes: 'id_token' } },
        anyone: true,
        why: 'The resource server has not seen an ID token yet.',
      }),
      mistakes: [
        {
          event: 'resource.accepted',
          why: 'That was the access token, and the resource server took it.',
          again: 'The access token again. The ID token is the other one of the answer, the member id_token.',
        },
        {
          event: 'resource.refused',
          where: { description: { includes: 'signature' } },
          anyone: true,
          why: 'The resource server did not even read that token: its signature does not fit.',
          again: 'Again a token that was changed. Send the ID token as it came.',
        },
      ],
      hints: {
        question: 'Which member of the answer of /token is meant for the client itself?',
        place: 'The last step, GET /resource: the value behind Bearer is id_token.',
        line: 'oauth-lab flow resource --client {client} --user {user} --tamper id-token-as-access-token',
      },
      solutions: {
        cli: ['oauth-lab flow resource --client {client} --user {user} --tamper id-token-as-access-token'],
        curl: [
          ...authorizeLines({ ...ALICE, more: '&scope=openid' }),
          ...tokenLines(DEMO),
          'token=$(printf "%s" "$answer" | sed \'s/.*"id_token":"\\([^"]*\\)".*/\\1/\')',
          callResource,
        ],
      },
      nearMisses: [
        {
          name: 'the access token',
          lines: ['oauth-lab flow resource --client demo --user alice --scope openid'],
          why: 'That was the access token, and the resource server took it.',
        },
        {
          name: 'a changed token',
          lines: ['oauth-lab flow resource --client demo --user alice --tamper altered-token'],
          why: 'The resource server did not even read that token: its signature does not fit.',
        },
        {
          name: 'no token',
          lines: [`${CURL} "$RESOURCE/resource"`],
          why: 'The resource server has not seen an ID token yet.',
        },
      ],
    },
    {
      name: 'key',
      say: [
        'The server accepts a good token. Watch one more time:',
        '  oauth-lab flow resource --client {client} --user {user}',
        'From which path of the authorization server did it get the key that it verifies with? Answer with the path:',
        '  oauth-lab learn check --answer PATH',
      ],
      check: answered({
        right: [
          '/.well-known/jwks.json',
          'jwks.json',
          '{lab}/.well-known/jwks.json',
          '.well-known/jwks.json',
        ],
        why: 'There is no answer yet.',
        otherwise: 'The keys of a server are published as a JWK set. Look for that word among the steps.',
        wrong: [
          {
            when: ['/token', 'token'],
            why: '/token issues tokens to clients. The resource server is not one, and asks for no token.',
          },
          {
            when: ['/introspection', 'introspection'],
            why: 'Introspection asks about one token, each time. This server verifies by itself, with a public key.',
          },
        ],
      }),
      mistakes: [],
      hints: {
        question: 'With RS256 one key signs and another verifies. Where is the second one published?',
        place: 'The step before the last one: GET of the keys, and jwks_uri in the metadata.',
        line: 'oauth-lab learn check --answer /.well-known/jwks.json',
      },
      solutions: { cli: ['oauth-lab learn check --answer /.well-known/jwks.json'], curl: [] },
      nearMisses: [
        {
          name: 'the token endpoint',
          lines: ['oauth-lab learn check --answer /token'],
          why: '/token issues tokens to clients. The resource server is not one, and asks for no token.',
        },
        {
          name: 'introspection',
          lines: ['oauth-lab learn check --answer /introspection'],
          why: 'Introspection asks about one token, each time. This server verifies by itself, with a public key.',
        },
      ],
    },
    attackTask(
      'algorithm-confusion',
      'You showed a token that is for somebody else. See an attacker write one, at a resource server that lets the token choose its algorithm, and at a strict one:',
    ),
    logTask({
      logs: [
        [
          'resource.accepted client_id=demo sub=alice alg=RS256',
          'login.succeeded client_id=demo-native username=bob',
          'token.issued client_id=demo-native sub=bob',
          'resource.accepted client_id=demo-native sub=alice alg=none',
        ],
        [
          'resource.accepted client_id=demo sub=alice alg=RS256',
          'login.failed client_id=demo-native username=bob reason=credentials',
          'login.succeeded client_id=demo-native username=bob',
          'token.issued client_id=demo-native sub=bob',
          'resource.refused path=/records error=invalid_token',
        ],
      ],
      defended: 'B',
      lines: [5],
      fooled:
        'In log A bob got a token for himself, and then a token about alice was taken. No key signed it: alg=none.',
      question: 'Who logged in, and about whom is the token of the last line?',
    }),
  ],
  explanation: [
    'Ten checks in this lab: the signature with a published key, the type, the issuer, the audience, the times, the kind of token, and at last the scope. Each one alone can be passed by some genuine token that was made for something else. A resource server does them all, in a library that somebody maintains.',
  ],
  remember: [
    'Verify signature, type, issuer, audience and time, then the scope.',
    'Keys come from the metadata of an issuer that you configured, never from the token.',
  ],
  rule: 'RFC 9068 §4',
  weak: { mode: 'alg-none', line: 'oauth-lab attack run algorithm-confusion --weak alg-none' },
  stretch: [
    'oauth-lab tamper list shows the moves of the flow resource. Which check answers alg-none, embedded-key and expired-token?',
  ],
}
