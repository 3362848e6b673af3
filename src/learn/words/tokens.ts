import type { Word } from './word.js'

/** Words of the lessons 7 to 13: tokens, and who checks what about them. */
export const tokenWords: readonly Word[] = [
  {
    term: 'JWT',
    also: ['JSON Web Token'],
    explanation: [
      'A token of three parts with dots between them: a header, claims as JSON, and a signature.',
      'Anybody can read it; only the holder of the key can make one that passes the check.',
    ],
    rule: 'RFC 7519 §7.2',
    lesson: 2,
  },
  {
    term: 'claim',
    explanation: [
      'A statement in a token, such as sub (about whom) or exp (until when).',
      'It is worth as much as the signature over it, and as the one who signed.',
    ],
    rule: 'RFC 7519 §4.1.3',
    lesson: 2,
  },
  {
    term: 'signature',
    explanation: [
      'A value that only the holder of a key can compute, and that everybody can check.',
      'It shows that nobody changed the token since; it says nothing about for whom the token is, or whether it is still good.',
    ],
    rule: 'RFC 7515 §5.2',
    lesson: 6,
  },
  {
    term: 'issuer',
    also: ['iss'],
    explanation: [
      'The server that made a token, named by an https address.',
      'Clients compare it letter by letter, because an attacker’s server may have almost the same name.',
    ],
    rule: 'RFC 7519 §4.1.1',
    lesson: 2,
  },
  {
    term: 'JWK Set',
    also: ['JWKS', 'jwks_uri'],
    explanation: [
      'A list of public keys as JSON, which a server publishes at its jwks_uri.',
      'With it everybody can check the signatures of that server, and nobody can make any.',
    ],
    rule: 'RFC 7517 §5',
    lesson: 7,
  },
  {
    term: 'kid',
    explanation: [
      'A name in the header of a token that says which key signed it.',
      'It comes from anyone who wrote the token, so a server looks it up in its own list of keys and nowhere else.',
    ],
    rule: 'RFC 7517 §4.5',
    lesson: 7,
  },
  {
    term: 'opaque token',
    explanation: [
      'A token that is a random text, with nothing in it to read.',
      'The resource server has to ask the authorization server what it stands for.',
    ],
    rule: 'RFC 7662 §2.1',
    lesson: 7,
  },
  {
    term: 'public client',
    explanation: [
      'A client that cannot keep a secret, such as an app on a phone or a page in a browser.',
      'Whatever ships with it can be read by everybody who has it, so it gets no password of its own.',
    ],
    rule: 'RFC 6749 §2.1',
    lesson: 5,
  },
  {
    term: 'confidential client',
    explanation: [
      'A client on a server of its own, which can keep a secret.',
      'It proves at the token endpoint that it is that client, so a stolen code is not enough.',
    ],
    rule: 'RFC 6749 §2.1',
    lesson: 5,
  },
  {
    term: 'client_secret',
    also: ['client secret'],
    explanation: [
      'The password of a client, which only the client and the authorization server know.',
      'A secret inside an app or a page is known to everybody, and proves nothing.',
    ],
    rule: 'RFC 6749 §2.3.1',
    lesson: 0,
  },
  {
    term: 'client authentication',
    explanation: [
      'The proof of a client at the token endpoint that it is the one that it says.',
      'The ways go from a password to a signature with a key that never leaves the client.',
    ],
    rule: 'RFC 6749 §2.3',
    lesson: 8,
  },
  {
    term: 'private_key_jwt',
    also: ['client assertion'],
    explanation: [
      'A way to authenticate a client: it signs a short JWT with its own key.',
      'The key is never sent, so a server that is broken into cannot give it away.',
    ],
    rule: 'RFC 7523 §3',
    lesson: 8,
  },
  {
    term: 'bearer token',
    also: ['Bearer'],
    explanation: [
      'A token that works for anyone who has it, like money.',
      'That is simple, and the reason why it is kept secret and short-lived.',
    ],
    rule: 'RFC 6750 §5.3',
    lesson: 0,
  },
  {
    term: 'WWW-Authenticate',
    also: ['401'],
    explanation: [
      'The header in which a resource server says what is missing: no token, a bad one, or too little scope.',
      'It comes with 401 for a missing or bad token, and with 403 for a good one that is not enough.',
    ],
    rule: 'RFC 6750 §3',
    lesson: 9,
  },
  {
    term: 'audience',
    also: ['aud'],
    explanation: [
      'The one for whom a token was made, named in its claim aud.',
      'A server that is not named refuses the token, or a token for one server would open all of them.',
    ],
    rule: 'RFC 7519 §4.1.3',
    lesson: 2,
  },
  {
    term: 'resource indicator',
    also: ['resource'],
    explanation: [
      'A parameter with which a client says for which resource server it wants the token.',
      'The token then names that server as its audience, and is no use at any other.',
    ],
    rule: 'RFC 8707 §2',
    lesson: 11,
  },
  {
    term: 'refresh token',
    explanation: [
      'A longer-lived text with which the client gets new access tokens, without asking you again.',
      'It goes to the authorization server only, and never to a resource server.',
    ],
    rule: 'RFC 6749 §1.5',
    lesson: 6,
  },
  {
    term: 'rotation',
    explanation: [
      'Every use of a refresh token gives a new one, and ends the old one.',
      'If the old one comes again, either the client or a thief is too late, and all of them end.',
    ],
    rule: 'RFC 9700 §4.14.2',
    lesson: 12,
  },
  {
    term: 'revocation',
    explanation: [
      'Taking a token back before it expires.',
      'A resource server that reads tokens by itself does not hear of it, so access tokens are kept short.',
    ],
    rule: 'RFC 7009 §2',
    lesson: 6,
  },
  {
    term: 'introspection',
    explanation: [
      'Asking the authorization server whether a token is still good, and what it stands for.',
      'It costs a request each time, and in return it knows of every revocation.',
    ],
    rule: 'RFC 7662 §2.2',
    lesson: 13,
  },
]
