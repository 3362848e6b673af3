import type { Word } from './word.js'

/** Words of the lessons 21 to 27: stronger ways, and the labs. */
export const strongerWords: readonly Word[] = [
  {
    term: 'DPoP',
    explanation: [
      'A way to bind a token to a key of the client, which signs a small proof for each request.',
      'A thief who has the token and not the key can do nothing with it.',
    ],
    rule: 'RFC 9449 §4.2',
    lesson: 12,
  },
  {
    term: 'sender-constrained token',
    also: ['bound token', 'proof of possession'],
    explanation: [
      'A token that works only together with a key or a certificate of its client.',
      'It is the opposite of a bearer token.',
    ],
    rule: 'RFC 9700 §4.10.1',
    lesson: 21,
  },
  {
    term: 'mutual TLS',
    also: ['mTLS'],
    explanation: [
      'A TLS connection in which the client shows a certificate as well.',
      'It can authenticate the client, and bind tokens to the certificate.',
    ],
    rule: 'RFC 8705 §3',
    lesson: 21,
  },
  {
    term: 'pushed authorization request',
    also: ['PAR', 'request_uri'],
    explanation: [
      'The client sends its request to the server first, directly, and gets a short reference for the browser.',
      'Nobody can change the request on its way, and nobody reads it in the address.',
    ],
    rule: 'RFC 9126 §2',
    lesson: 22,
  },
  {
    term: 'request object',
    also: ['JAR'],
    explanation: [
      'An authorization request as a signed JWT.',
      'The signature shows which client made it, and that nothing was changed.',
    ],
    rule: 'RFC 9101 §4',
    lesson: 22,
  },
  {
    term: 'token exchange',
    explanation: [
      'Changing one token for another, for example for another audience or with less scope.',
      'A service uses it to call the next service, in place of passing on the token that it was given.',
    ],
    rule: 'RFC 8693 §2.1',
    lesson: 23,
  },
  {
    term: 'delegation',
    also: ['act', 'actor'],
    explanation: [
      'A service acts for a user, and the token names both of them.',
      'Everybody can see later who did it, and for whom.',
    ],
    rule: 'RFC 8693 §4.1',
    lesson: 23,
  },
  {
    term: 'impersonation',
    explanation: [
      'A service gets a token in which only the user is named, as if the user were there.',
      'Nobody can distinguish the two any more, which is why delegation is better.',
    ],
    rule: 'RFC 8693 §1.1',
    lesson: 23,
  },
  {
    term: 'service account',
    explanation: [
      'An account for a program, without a person behind it.',
      'In a cluster its token is short-lived, names its audience, and is renewed by itself.',
    ],
    rule: 'RFC 6749 §4.4',
    lesson: 24,
  },
  {
    term: 'HMAC',
    also: ['HS256'],
    explanation: [
      'A signature with one secret, which the signer and every verifier share.',
      'Anyone who can verify it can also make it, so it proves nothing to a third party.',
    ],
    rule: 'RFC 7518 §3.1',
    lesson: 25,
  },
  {
    term: 'content coding',
    also: ['Content-Encoding', 'gzip'],
    explanation: [
      'A compression of an answer on its way, such as gzip.',
      'The length of the answer then says something about its content, also when it is encrypted.',
    ],
    rule: 'RFC 9110 §8.4',
    lesson: 26,
  },
  {
    term: 'downgrade',
    explanation: [
      'Making both sides use something weaker than they could, by removing the stronger from a message.',
      'It is stopped by a side that insists on what it knows of the other.',
    ],
    rule: 'RFC 9700 §4.8',
    lesson: 27,
  },
  {
    term: 'token review',
    explanation: [
      'A question to a Kubernetes cluster: whose is this token, and is it good for this audience.',
      'It is to service accounts what introspection is to an authorization server.',
    ],
    rule: 'RFC 7519 §4.1.3',
    lesson: 24,
  },
]
