import type { Word } from './word.js'

/** Words of the lessons 14 to 20: login, logout, and ways that are no longer taken. */
export const loginWords: readonly Word[] = [
  {
    term: 'OpenID Connect',
    also: ['OIDC', 'openid'],
    explanation: [
      'The layer on top of OAuth that logs people in, asked for with the scope openid.',
      'It adds the ID token, from which the client learns who is there.',
    ],
    rule: 'OpenID Connect Core §3.1.2.1',
    lesson: 2,
  },
  {
    term: 'relying party',
    also: ['RP'],
    explanation: [
      'The client that lets somebody else log its users in, and relies on the result.',
      'It checks the ID token itself; relying does not mean believing everything.',
    ],
    rule: 'OpenID Connect Core §3.1.3.7',
    lesson: 14,
  },
  {
    term: 'nonce',
    explanation: [
      'A random text of the client that comes back inside the ID token.',
      'It ties the token to this very login, so that a stolen one does not fit another.',
    ],
    rule: 'OpenID Connect Core §3.1.3.7',
    lesson: 14,
  },
  {
    term: 'userinfo',
    explanation: [
      'An endpoint that returns facts about the user, such as name and e-mail address, for an access token.',
      'Its answer counts only if its sub is the one of the ID token.',
    ],
    rule: 'OpenID Connect Core §5.3',
    lesson: 2,
  },
  {
    term: 'subject',
    also: ['sub'],
    explanation: [
      'The claim that names a user at one issuer, for ever.',
      'Issuer and subject together are the identity; an e-mail address can change hands.',
    ],
    rule: 'OpenID Connect Core §5.7',
    lesson: 2,
  },
  {
    term: 'at_hash',
    explanation: [
      'A hash of the access token, inside the ID token.',
      'It shows that both were issued together, so nobody can put another access token beside it.',
    ],
    rule: 'OpenID Connect Core §3.2.2.9',
    lesson: 14,
  },
  {
    term: 'single sign-on',
    also: ['SSO'],
    explanation: [
      'One login at the authorization server that counts for many clients.',
      'Your browser keeps a session there, so the next client need not ask for the password.',
    ],
    rule: 'OpenID Connect Core §3.1.2.3',
    lesson: 15,
  },
  {
    term: 'RP-initiated logout',
    also: ['logout', 'end_session_endpoint'],
    explanation: [
      'A client sends the browser to the authorization server to end the session there.',
      'Tokens that were issued before go on living until they expire or are revoked.',
    ],
    rule: 'OpenID Connect RP-Initiated Logout §2',
    lesson: 15,
  },
  {
    term: 'implicit grant',
    also: ['response_type=token'],
    explanation: [
      'An old way in which the browser itself gets the access token, in the address.',
      'Addresses end up in histories and logs, so the code grant has taken its place.',
    ],
    rule: 'RFC 9700 §2.1.2',
    lesson: 16,
  },
  {
    term: 'fragment',
    explanation: [
      'The part of an address after the #, which a browser does not send to the server.',
      'Scripts of the page read it, and so does anyone who can put a script there.',
    ],
    rule: 'RFC 6749 §4.2.2',
    lesson: 16,
  },
  {
    term: 'mix-up attack',
    also: ['mix-up'],
    explanation: [
      'A client that knows two authorization servers is made to believe that the answer came from the other one.',
      'It then sends the code of the honest server to the attacker’s.',
    ],
    rule: 'RFC 9700 §4.4',
    lesson: 18,
  },
  {
    term: 'discovery',
    also: ['metadata'],
    explanation: [
      'A document at a well-known address in which a server lists its endpoints, keys and abilities.',
      'A client needs only the issuer, and finds the rest there.',
    ],
    rule: 'RFC 8414 §3',
    lesson: 18,
  },
  {
    term: 'device grant',
    also: ['device_code'],
    explanation: [
      'A login for things without a keyboard: the television shows a code, and you type it on your phone.',
      'The device asks again and again until you have agreed.',
    ],
    rule: 'RFC 8628 §3.3',
    lesson: 19,
  },
  {
    term: 'user_code',
    also: ['user code'],
    explanation: [
      'The short code of the device grant that a person types.',
      'Anyone who sends you such a code gets what you agree to, so type only codes that you see on your own device.',
    ],
    rule: 'RFC 8628 §5.4',
    lesson: 19,
  },
  {
    term: 'phishing',
    explanation: [
      'Making somebody give a password or an agreement to the wrong one.',
      'A page of the attacker, a link in a mail or a code by telephone is enough.',
    ],
    rule: 'RFC 6749 §10.11',
    lesson: 19,
  },
  {
    term: 'Referer',
    explanation: [
      'A header in which a browser names to a site the page that its user comes from.',
      'A code in the address of that page is given away with it.',
    ],
    rule: 'RFC 9700 §4.2',
    lesson: 20,
  },
  {
    term: 'native app',
    explanation: [
      'A program that is installed on a computer or a phone.',
      'It opens the real browser for a login, so that it never sees the password.',
    ],
    rule: 'RFC 8252 §5',
    lesson: 20,
  },
  {
    term: 'loopback address',
    also: ['127.0.0.1'],
    explanation: [
      'An address that leads back to the same computer.',
      'A native app listens there for the answer, at any free port.',
    ],
    rule: 'RFC 8252 §7.3',
    lesson: 3,
  },
  {
    term: 'CORS',
    explanation: [
      'A rule of browsers about which pages may read the answers of a foreign server.',
      'It keeps pages apart, and stops no other program: curl does not know it.',
    ],
    rule: 'RFC 9700 §2.6',
    lesson: 20,
  },
]
