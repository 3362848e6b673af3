import { ALICE, authorizeLines, CURL, callResource, DEMO, redeemLines, tokenLines } from './curl-lines.js'
import { inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

/** Lines that make an RSA key, and the function `proof METHOD ADDRESS [TOKEN]`, with openssl alone. */
const PROOF = [
  "b64() { openssl base64 -A | tr '+/' '-_' | tr -d =; }",
  'key=$(mktemp); openssl genrsa -out "$key" 2048 2>/dev/null',
  '# The modulus stands before the last 5 bytes of the public key.',
  'n=$(openssl rsa -in "$key" -pubout -outform DER 2>/dev/null | tail -c 261 | head -c 256 | b64)',
  'proof() {',
  '  head=$(printf \'{"typ":"dpop+jwt","alg":"RS256","jwk":{"kty":"RSA","e":"AQAB","n":"%s"}}\' "$n" | b64)',
  '  ath=; [ -z "$3" ] || ath=$(printf \',"ath":"%s"\' "$(printf %s "$3" | openssl dgst -sha256 -binary | b64)")',
  '  id=$(openssl rand -hex 16)',
  '  body=$(printf \'{"jti":"%s","htm":"%s","htu":"%s","iat":%s%s}\' "$id" "$1" "$2" "$(date +%s)" "$ath" | b64)',
  '  printf %s "$head.$body.$(printf %s "$head.$body" | openssl dgst -sha256 -sign "$key" | b64)"',
  '}',
]

/** A bound token by curl, in `$token`. */
const BOUND_BY_CURL = [
  ...PROOF,
  ...authorizeLines(ALICE),
  `answer=$(${redeemLines(DEMO, ' -H "DPoP: $(proof POST "$LAB/token")"').join('\n')})`,
  'token=$(printf "%s" "$answer" | sed \'s/.*"access_token":"\\([^"]*\\)".*/\\1/\')',
]

/** Uses `$token` with a proof for the resource server. */
const USE = [
  'resource="$RESOURCE/resource"',
  `${CURL} -H "Authorization: DPoP $token" -H "DPoP: $(proof GET "$resource" "$token")" "$resource"`,
]

export const lesson: Lesson = {
  name: '21-dpop',
  title: 'DPoP: a token that needs a key',
  minutes: 7,
  after: ['10-resource-server', '12-refresh'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'A bearer token works for anyone who has it. With DPoP the client makes a key, and sends a small signed proof with each request: for this method, this address, this moment. The server writes the fingerprint of the key into the token.',
  ],
  prediction: {
    question: 'A thief copies such a token from a log, and sends it from another computer. What happens?',
    options: [
      {
        text: 'It is refused, as every token from another computer is.',
        misconception: 'bearer-is-bound',
        reply: 'No server compares computers. A plain bearer token would have been accepted.',
      },
      {
        text: 'It is accepted: the signature is right, and it has not expired.',
        misconception: 'signed-means-valid',
        reply: 'The token names a key. Without a proof by that key, its signature is not enough.',
      },
      {
        text: 'It is refused: the thief has the token, and not the key.',
        reply: 'The key never left the client. A copied proof is good once, and for one request.',
      },
    ],
  },
  tasks: [
    {
      name: 'bound',
      say: [
        'Get a token that is bound to a key, and use it with a proof:',
        '  oauth-lab flow code --client {client} --user {user} --dpop',
      ],
      check: inOrder(
        {
          event: 'token.issued',
          where: { token_type: 'DPoP' },
          why: '{client} has no token that is bound to a key yet.',
        },
        {
          event: 'resource.accepted',
          where: { scheme: 'DPoP' },
          why: 'The bound token is there. Nobody has used it with a proof yet.',
        },
      ),
      mistakes: [
        {
          event: 'token.issued',
          where: { token_type: 'Bearer' },
          why: 'That is a bearer token: the request to /token had no proof in its header DPoP.',
          again: 'A bearer token again. Add --dpop.',
        },
        {
          event: 'resource.refused',
          where: { rule: 'RFC 9449 §7.1' },
          anyone: true,
          why: 'The proof was made with another key than the one in the token.',
          again: 'Still another key. One key makes the proofs for /token and for the resource server.',
        },
      ],
      hints: {
        question: 'Which header carries the proof, and what does Authorization begin with?',
        place: 'POST /token with a header DPoP; then Authorization: DPoP at the resource server.',
        line: 'oauth-lab flow code --client {client} --user {user} --dpop',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user} --dpop'],
        curl: [...BOUND_BY_CURL, ...USE],
      },
      nearMisses: [
        {
          name: 'a bearer token',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'That is a bearer token: the request to /token had no proof in its header DPoP.',
        },
        {
          name: 'a bound token that nobody uses',
          lines: BOUND_BY_CURL,
          why: 'The bound token is there. Nobody has used it with a proof yet.',
        },
        {
          name: 'a proof by another key',
          lines: ['oauth-lab flow code --client demo --user alice --dpop --tamper proof-of-another-key'],
          why: 'The proof was made with another key than the one in the token.',
        },
      ],
    },
    {
      name: 'thief',
      say: [
        'Be the thief: send the bound token as a bearer token, without a proof.',
        '  oauth-lab flow code --client {client} --user {user} --dpop --tamper bound-token-as-bearer',
      ],
      check: inOrder(
        {
          event: 'token.issued',
          where: { token_type: 'DPoP' },
          why: '{client} has no token that is bound to a key yet.',
        },
        {
          event: 'resource.refused',
          where: { rule: 'RFC 9449 §7.2' },
          anyone: true,
          why: 'The bound token is there. Nobody has sent it as a bearer token yet.',
        },
      ),
      mistakes: [
        {
          event: 'resource.accepted',
          where: { scheme: 'Bearer' },
          why: 'That was a plain bearer token. It works for every thief.',
          again: 'A plain bearer token again. The one of this task comes from a flow with --dpop.',
        },
        {
          event: 'resource.accepted',
          where: { scheme: 'DPoP' },
          why: 'The proof came along, so that was the client and no thief.',
          again: 'With a proof again. The thief has none: let --tamper leave it out.',
        },
      ],
      hints: {
        question: 'What does the thief lack?',
        place: 'Authorization: Bearer in the last request, and no header DPoP.',
        line: 'oauth-lab flow code --client {client} --user {user} --dpop --tamper bound-token-as-bearer',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user} --dpop --tamper bound-token-as-bearer'],
        curl: [...BOUND_BY_CURL, callResource],
      },
      nearMisses: [
        {
          name: 'a plain bearer token',
          lines: [...authorizeLines(ALICE), ...tokenLines(DEMO), callResource],
          why: 'That was a plain bearer token. It works for every thief.',
        },
        {
          name: 'the client itself',
          lines: ['oauth-lab flow code --client demo --user alice --dpop'],
          why: 'The proof came along, so that was the client and no thief.',
        },
      ],
    },
  ],
  explanation: [
    'The claim cnf of the token holds the fingerprint of the key. The resource server refuses the token without a proof, with a proof by another key, for another address, and with one that it has seen before. A log, a backup or a curious server gets nothing that it could use.',
    'A script inside the page of the client can still ask the client to sign. DPoP stops the theft of tokens; it does not stop somebody who sits inside.',
  ],
  remember: [
    'A bearer token works for everybody who has it.',
    'A bound token needs the key as well, once more for each request.',
  ],
  rule: 'RFC 9449 §7.2',
  weak: { mode: 'bearer-for-dpop', line: 'oauth-lab attack run replayed-bearer' },
  stretch: [
    'Try --tamper replayed-proof. Which member of the proof does the server remember, and for how long must it?',
  ],
}
