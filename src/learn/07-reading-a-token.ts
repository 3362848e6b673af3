import { ALICE, authorizeLines, callResource, DEMO, tokenLines } from './curl-lines.js'
import { answered, answeredByEvent, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

/** Puts carol into the payload of `$token`, and leaves the signature as it was. */
const ALTER = [
  'head=$(printf "%s" "$token" | cut -d. -f1); body=$(printf "%s" "$token" | cut -d. -f2)',
  'claims=$(printf "%s==" "$body" | tr "_-" "/+" | base64 -d 2>/dev/null | sed "s/alice/carol/")',
  'body=$(printf "%s" "$claims" | base64 | tr -d "=\\n" | tr "/+" "_-")',
  'token="$head.$body.$(printf "%s" "$token" | cut -d. -f3)"',
]

/** A token from a flow, in `$token`. */
const FLOW = [
  'token=$(oauth-lab flow code --client {client} --user {user} --json --show-secrets | tail -1 \\',
  '  | sed \'s/.*"access_token":"\\([^"]*\\)".*/\\1/\')',
]

/** Writes the claims of `$token`, without any key. */
const READ = `printf %s "$token" | cut -d. -f2 | tr _- /+ | base64 -d 2>/dev/null`

/** Reads the jti of `$token`, and answers with it. */
const ANSWER_JTI = [
  `jti=$(${READ} | sed 's/.*"jti":"\\([^"]*\\)".*/\\1/')`,
  'oauth-lab learn check --answer "$jti"',
]

export const lesson: Lesson = {
  name: '07-reading-a-token',
  title: 'Reading a token, and why your client never does',
  minutes: 7,
  after: ['06-one-use'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'The access tokens of this lab are JWTs: a header, claims and a signature, in Base64url with dots between them. Base64url is a way of writing, so everybody who holds a token can read it. The signature covers header and claims.',
  ],
  prediction: {
    question:
      'Somebody changes the user in the claims of a token, and sends it to the resource server. What happens?',
    options: [
      {
        text: 'It cannot be changed, because the claims are encrypted.',
        misconception: 'jwt-is-encrypted',
        reply: 'They are only written in another alphabet. Anybody can read them, and write others.',
      },
      {
        text: 'The server decodes it, and answers with the records of that user.',
        misconception: 'decode-is-verify',
        reply:
          'A server that only decodes would. To verify means to check the signature with the key of the issuer.',
      },
      {
        text: 'The server refuses it, because the signature no longer fits.',
        reply: 'The signature was made over the old claims. Nobody but the issuer can make a new one.',
      },
    ],
  },
  tasks: [
    {
      name: 'altered',
      say: [
        'Change one character of the claims of a good token, and show it to the resource server:',
        '  oauth-lab flow resource --client {client} --user {user} --tamper altered-token',
      ],
      check: seen({
        event: 'resource.refused',
        where: { error: 'invalid_token', description: { includes: 'signature' } },
        anyone: true,
        why: 'The resource server has not seen a token with changed claims yet.',
      }),
      mistakes: [
        {
          event: 'resource.accepted',
          why: 'The resource server took that token: nothing in it was changed.',
          again: 'Again a token as it was issued. Add --tamper altered-token to the flow resource.',
        },
        {
          event: 'resource.refused',
          where: { rule: 'RFC 6750 §3.1' },
          anyone: true,
          why: 'That request had no token at all, so there was nothing to verify.',
          again: 'Still no token. It belongs into the header Authorization, after the word Bearer.',
        },
      ],
      hints: {
        question: 'Which part of a JWT says who the user is, and which part protects it?',
        place: 'The last step, GET /resource: the middle part of the token behind Authorization: Bearer.',
        line: 'oauth-lab flow resource --client {client} --user {user} --tamper altered-token',
      },
      solutions: {
        cli: ['oauth-lab flow resource --client {client} --user {user} --tamper altered-token'],
        curl: [...authorizeLines(ALICE), ...tokenLines(DEMO), ...ALTER, callResource],
      },
      nearMisses: [
        {
          name: 'an honest token',
          lines: ['oauth-lab flow resource --client demo --user alice'],
          why: 'The resource server took that token: nothing in it was changed.',
        },
        {
          name: 'no token',
          lines: ['curl -s --cacert "$CA" "$RESOURCE/resource"'],
          why: 'That request had no token at all, so there was nothing to verify.',
        },
      ],
    },
    {
      name: 'readable',
      say: [
        'Be somebody who found a token in a log, and has no key at all:',
        ...FLOW.map(line => `  ${line}`),
        `  ${READ}`,
        'Every token has a name of its own, the claim jti, which the server wrote into it. Answer with its value:',
        '  oauth-lab learn check --answer VALUE',
      ],
      check: answeredByEvent({
        event: 'token.issued',
        member: 'jti',
        why: 'There is no answer yet.',
        otherwise: 'No token that {client} got for {user} in this lesson has that jti. Copy it whole.',
        wrong: [{ when: ['jti'], why: 'That is the name of the claim. Its value stands behind the colon.' }],
      }),
      mistakes: [],
      hints: {
        question: 'Which of the three parts holds the claims, and in which alphabet?',
        place: 'The second part of the token, by Base64url. One of its claims is jti.',
        line: READ,
      },
      solutions: {
        cli: [...FLOW, ...ANSWER_JTI],
        curl: [...authorizeLines(ALICE), ...tokenLines(DEMO), ...ANSWER_JTI],
      },
      nearMisses: [
        {
          name: 'the name of the claim',
          lines: ['oauth-lab learn check --answer jti'],
          why: 'That is the name of the claim. Its value stands behind the colon.',
        },
        {
          name: 'the jti of another person’s token',
          lines: [...FLOW.map(line => line.replace('{user}', 'bob')), ...ANSWER_JTI],
          why: 'No token that demo got for alice in this lesson has that jti. Copy it whole.',
        },
      ],
    },
    {
      name: 'audience',
      say: [
        'The program reads more comfortably:',
        '  oauth-lab flow code --json --show-secrets | tail -1 | oauth-lab jwt decode -',
        'Which claim names the one who may accept this token? Answer with its name: oauth-lab learn check --answer NAME',
      ],
      check: answered({
        right: ['aud', 'audience', 'aud claim', 'claim aud'],
        why: 'There is no answer yet.',
        otherwise: 'Look for a claim of three letters. It stands for audience, the readers of the token.',
        wrong: [
          {
            when: ['iss', 'issuer'],
            why: 'iss names the server that wrote the token. The question is who may accept it.',
          },
          { when: ['sub', 'subject'], why: 'sub names the one that the token speaks of: {user}.' },
          {
            when: ['client_id', 'azp'],
            why: 'client_id names the client that got the token. It carries the token, and accepts none.',
          },
        ],
      }),
      mistakes: [],
      hints: {
        question: 'A letter has a writer, a subject and a reader. Which claim is the reader?',
        place: 'The claims of the token, between header and signature.',
        line: 'oauth-lab learn check --answer aud',
      },
      solutions: { cli: ['oauth-lab learn check --answer aud'], curl: [] },
      nearMisses: [
        {
          name: 'the issuer',
          lines: ['oauth-lab learn check --answer iss'],
          why: 'iss names the server that wrote the token. The question is who may accept it.',
        },
        {
          name: 'the subject',
          lines: ['oauth-lab learn check --answer sub'],
          why: 'sub names the one that the token speaks of: alice.',
        },
      ],
    },
  ],
  explanation: [
    'The resource server fetched the public key of the issuer, and computed that this signature does not belong to these claims. Your client does neither. The token is not for it: the authorization server may write it in another way tomorrow, or hand out a random text that only it can look up. A client that needs facts about {user} asks for an ID token, or for userinfo.',
  ],
  remember: [
    'A JWT is signed and readable. Put nothing into it that its holder must not see.',
    'To decode is to read. To verify is to check signature, issuer, audience and time.',
    'An access token is a sealed letter to the resource server. The client is its carrier.',
  ],
  rule: 'RFC 9068 §6',
  stretch: [
    'Try the moves alg-none, hmac-with-public-key and foreign-key of the same flow. Each is another way to a signature that fits; which check refuses each?',
  ],
}
