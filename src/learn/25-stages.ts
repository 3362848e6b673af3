import {
  ALICE,
  authorizeLines,
  CURL,
  callResource,
  DEMO,
  HERE,
  redeemLines,
  tokenLines,
} from './curl-lines.js'
import { all, inOrder, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

const FLOW = 'oauth-lab flow resource --client {client} --user {user}'
const FOREIGN = `${FLOW} --tamper foreign-key`
const ROTATE = 'oauth-lab keys rotate'

/** Lines that make a token with the secret in `$secret`, and put it into `$token`. */
const forgedLines = (scope: string): string[] => [
  "b64() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }; now=$(date +%s)",
  'header=$(printf \'{"alg":"HS256","typ":"JWT"}\' | b64)',
  `payload=$(printf '{"iss":"%s","sub":"alice","client_id":"demo","aud":"demo","scope":"${scope}","jti":"mine","iat":%s,"nbf":%s,"exp":%s}' \\`,
  '  "$LAB" $now $now $((now + 600)) | b64)',
  'token=$header.$payload.$(printf "%s" "$header.$payload" | openssl dgst -sha256 -hmac "$secret" -binary | b64)',
]

const SECRET = 'secret=$(oauth-lab keys export --secret)'

/** Lines that sign a token with HS256 and the public key as the secret, and show it. */
const PUBLIC_KEY_LINES = [
  'secret=$(oauth-lab keys export --pem)',
  ...forgedLines('records:read'),
  callResource,
]

const HONEST_LINES = [...authorizeLines(ALICE), ...tokenLines(DEMO), callResource]

const NOT_FORGED = 'The resource server has accepted no token with the scope everything yet.'
const NO_CODE = 'Nobody has logged in for {client} yet.'
const NOT_REDEEMED = 'The code is there. Nobody has taken it to /token yet.'
const NO_FORGERY = 'The resource server has refused no signature yet.'
const NO_HONEST = 'The forgery was refused. Now let the resource server accept a token of the server, too.'
const NOT_ROTATED =
  'The resource server has a key of the server. Now rotate, and show it a token of the new key.'
const NOT_FETCHED = 'There is a new key. No token that it signed has come to the resource server yet.'

export const lesson: Lesson = {
  name: '25-stages',
  title: 'Stages: who can sign, and who can only verify',
  minutes: 10,
  after: ['10-resource-server'],
  needs: { client: 'demo', user: 'alice', stage: 'login-only' },
  opening: [
    'A server is built in stages; so is this one. First it can only log people in. Then it signs tokens with one secret, which every resource server gets, too. Then with a private key, and at last it publishes the public one. Each task of this lesson has a lab at the next stage.',
  ],
  prediction: {
    question:
      'One secret signs the tokens of a server, and verifies them at three resource servers. Who can make a token for {user}?',
    options: [
      {
        text: 'The authorization server. The others have the secret only for verifying.',
        misconception: 'signed-means-valid',
        reply: 'HS256 knows no “only”: the same bytes sign and verify. A right signature has four authors.',
      },
      {
        text: 'Each of the four, and anyone who gets the secret from one of them.',
        reply: 'The secret is as safe as the worst of four computers.',
      },
      {
        text: 'Each of the four. It does no harm, because a token is encrypted with the secret.',
        misconception: 'jwt-is-encrypted',
        reply: 'A signed token is readable, and encryption would not say who wrote it.',
      },
    ],
  },
  tasks: [
    {
      name: 'login-only',
      stage: 'login-only',
      say: [
        'The first stage, login-only. Try to get a token:',
        '  oauth-lab flow code --client {client} --user {user}',
      ],
      check: inOrder(
        { event: 'code.issued', why: NO_CODE },
        { event: 'request.answered', where: { path: '/token', status: 500 }, why: NOT_REDEEMED },
      ),
      mistakes: [
        {
          event: 'login.failed',
          why: 'The login failed: that is not the password of {user}.',
          again: 'The login failed again. oauth-lab flow takes the password from the lab file.',
        },
      ],
      hints: {
        question: 'How far does the code flow come, when the login is all that there is?',
        place: 'Step 5, POST /token, and its status.',
        line: 'oauth-lab flow code --client {client} --user {user}',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user}'],
        curl: [...authorizeLines(ALICE), ...redeemLines(DEMO)],
      },
      nearMisses: [
        { name: 'a code that nobody redeems', lines: authorizeLines(ALICE), why: NOT_REDEEMED },
        {
          name: 'a wrong password',
          lines: authorizeLines({ ...ALICE, password: 'guess' }),
          why: 'The login failed: that is not the password of alice.',
        },
      ],
    },
    {
      name: 'forged',
      stage: 'shared-secret',
      say: [
        'The stage shared-secret. You run a resource server, so you were given the secret. In another terminal, make a token with the scope everything, which nobody ever gets, for {user} and {client}. s (solution) has the lines. The secret:',
        '  oauth-lab keys export --secret',
      ],
      check: seen({
        event: 'resource.accepted',
        where: { alg: 'HS256', keys: 'configured', scope: { has: 'everything' } },
        why: NOT_FORGED,
      }),
      mistakes: [
        {
          event: 'resource.refused',
          where: { description: { includes: 'signature' } },
          anyone: true,
          why: 'The signature does not fit: it was made with another secret, or over another text.',
          again:
            'The signature still does not fit. It is over header.payload, with the text of the secret as it is printed.',
        },
        {
          event: 'resource.accepted',
          why: 'Accepted, but the server may have issued that token itself. Give yours the scope everything.',
          again: 'Again a token without the scope everything. Write the claims yourself.',
        },
      ],
      hints: {
        question: 'What does a resource server need to verify HS256, and what to sign with it?',
        place: 'The third part of the token: HMAC-SHA-256 over the first two, with the secret.',
        line: 'openssl dgst -sha256 -hmac "$(oauth-lab keys export --secret)" -binary',
      },
      solutions: {
        cli: [
          HERE,
          SECRET,
          ...forgedLines('everything'),
          'printf %s "$token" | oauth-lab flow resource --token -',
        ],
        curl: [SECRET, ...forgedLines('everything'), callResource],
      },
      nearMisses: [
        {
          name: 'a token of the server',
          lines: ['oauth-lab flow resource --client demo --user alice'],
          why: 'Accepted, but the server may have issued that token itself. Give yours the scope everything.',
        },
        {
          name: 'a guessed secret',
          lines: ['secret=0123456789abcdef0123456789abcdef', ...forgedLines('everything'), callResource],
          why: 'The signature does not fit: it was made with another secret, or over another text.',
        },
      ],
    },
    {
      name: 'key-pair',
      stage: 'key-pair',
      say: [
        'The stage key-pair: RS256. You were given a file with the public key, and no more. Forge again, with a key of your own. Then show a token of the server:',
        `  ${FOREIGN}`,
        `  ${FLOW}`,
      ],
      check: all(
        seen({
          event: 'resource.refused',
          where: { description: { includes: 'signature' } },
          anyone: true,
          why: NO_FORGERY,
        }),
        seen({
          event: 'resource.accepted',
          where: { alg: 'RS256', keys: 'configured' },
          why: NO_HONEST,
        }),
      ),
      mistakes: [],
      hints: {
        question: 'What can somebody do who has the public key alone?',
        place: 'The last step, GET /resource: the check of the signature, and where the key came from.',
        line: FOREIGN,
      },
      solutions: { cli: [FOREIGN, FLOW], curl: [...PUBLIC_KEY_LINES, ...HONEST_LINES] },
      nearMisses: [
        { name: 'the forgery alone', lines: PUBLIC_KEY_LINES, why: NO_HONEST },
        { name: 'the honest token alone', lines: HONEST_LINES, why: NO_FORGERY },
      ],
    },
    {
      name: 'published-keys',
      stage: 'published-keys',
      say: [
        'The last stage, published-keys. Let the resource server accept a token, give the server a new key, and show a token of the new one. Nobody carries a file:',
        `  ${FLOW}`,
        `  ${ROTATE}`,
        `  ${FLOW}`,
      ],
      check: inOrder(
        {
          event: 'resource.accepted',
          where: { alg: 'RS256', keys: 'published' },
          why: 'The resource server of this stage has accepted no token yet.',
        },
        { event: 'key.rotated', anyone: true, why: NOT_ROTATED },
        { event: 'keys.fetched', where: { reason: 'unknown_kid' }, anyone: true, why: NOT_FETCHED },
        {
          event: 'resource.accepted',
          where: { alg: 'RS256', keys: 'published' },
          why: 'The resource server fetched the new key, and has accepted no token with it.',
        },
      ),
      mistakes: [
        {
          event: 'resource.refused',
          where: { evidence: { includes: 'no published key' } },
          anyone: true,
          why: 'An invented kid may not cause a request each time: the resource server asks again after 30 seconds. Wait, and show a new token.',
          again: 'Still within the 30 seconds. Count to 30, and run the flow once more.',
        },
      ],
      hints: {
        question: 'How does a verifier know that there is a key that it has not seen?',
        place: 'The header of the second token, kid; then the keys that the resource server fetches.',
        line: ROTATE,
      },
      solutions: {
        cli: [FLOW, ROTATE, FLOW],
        curl: [...HONEST_LINES, ROTATE, 'sleep 1', ...HONEST_LINES],
      },
      nearMisses: [
        { name: 'no new key', lines: [FLOW, FLOW], why: NOT_ROTATED },
        { name: 'a new key that nobody has seen', lines: [FLOW, ROTATE], why: NOT_ROTATED },
        {
          name: 'a new key that signs nothing',
          lines: [FLOW, ROTATE, `${CURL} -o /dev/null "$LAB/.well-known/jwks.json"`],
          why: NOT_FETCHED,
        },
      ],
    },
  ],
  explanation: [
    'With one shared secret (HMAC), everybody who verifies can sign. With a key pair, only the server can sign; but the public key is a file, and each new key has to be carried to every resource server. Published keys (JWK Set) end that: a kid that the resource server does not know makes it ask the issuer that it was configured with. So keys can change at any time, and a stolen one can be replaced at once.',
    'curl (solution) forged with the public key as if it were a secret. That failed because a key is for one algorithm: a resource server that lets the token choose would have taken it.',
  ],
  remember: [
    'Who can verify with a shared secret can sign. Use a key pair where signer and verifier are not the same.',
    'Publish the public keys, name them by kid, and rotate.',
  ],
  rule: 'RFC 8725 §3.1',
  weak: { mode: 'hs-rs', line: 'oauth-lab attack run algorithm-confusion --weak hs-rs' },
  stretch: [
    'oauth-lab serve --stage shared-secret --explain says what else a stage leaves out. Which of its lines would a client notice first?',
  ],
}
