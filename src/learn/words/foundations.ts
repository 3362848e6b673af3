import type { Word } from './word.js'

/** Words of the lessons 0 to 6: the four roles, one login, and what protects it. */
export const foundationWords: readonly Word[] = [
  {
    term: 'access token',
    explanation: [
      'A text that the client shows to the resource server, which opens the data that the text stands for.',
      'It replaces the password: it is good for little, for a short time, and it can be taken back.',
    ],
    rule: 'RFC 6749 §1.4',
    lesson: 0,
  },
  {
    term: 'client',
    explanation: [
      'The program that wants to use somebody’s data, such as a printing service or an app on a phone.',
      'In OAuth the client is the program, never the person in front of it.',
    ],
    rule: 'RFC 6749 §1.1',
    lesson: 0,
  },
  {
    term: 'password grant',
    also: ['resource owner password credentials'],
    explanation: [
      'The old way: you give the client your password, and it logs in as you.',
      'The client can then do everything that you can, so nobody should use it any more.',
    ],
    rule: 'RFC 9700 §2.4',
    lesson: 0,
  },
  {
    term: 'scope',
    explanation: [
      'A list of words that says how far a permission goes, such as records:read.',
      'It limits what the client may do; what you yourself may do is decided elsewhere.',
    ],
    rule: 'RFC 6749 §3.3',
    lesson: 0,
  },
  {
    term: 'resource owner',
    explanation: [
      'The person whose data it is about, and who can allow others to use it.',
      'In these lessons that is alice: she decides, and no program can decide for her.',
    ],
    rule: 'RFC 6749 §1.1',
    lesson: 1,
  },
  {
    term: 'authorization server',
    explanation: [
      'The server that knows your password, asks you whether you agree, and issues tokens.',
      'It is the only one that ever sees the password.',
    ],
    rule: 'RFC 6749 §1.1',
    lesson: 0,
  },
  {
    term: 'resource server',
    also: ['API'],
    explanation: [
      'The server that has the data, and gives it to anyone who brings a good access token.',
      'It believes the authorization server, so that it needs no passwords of its own.',
    ],
    rule: 'RFC 6749 §1.1',
    lesson: 1,
  },
  {
    term: 'user agent',
    explanation: [
      'The program that acts for the person on the web: usually the browser.',
      'It carries messages between client and authorization server, and all that it carries can be seen or changed on its way.',
    ],
    rule: 'RFC 6749 §4.1',
    lesson: 1,
  },
  {
    term: 'grant',
    also: ['grant_type'],
    explanation: [
      'A way of getting a token, such as the code grant or the device grant.',
      'Each one proves in another way that somebody agreed.',
    ],
    rule: 'RFC 6749 §1.3',
    lesson: 0,
  },
  {
    term: 'authorization code',
    explanation: [
      'A short-lived text that the browser brings to the client after you agreed.',
      'It opens nothing by itself: the client changes it for a token, directly at the authorization server, once.',
    ],
    rule: 'RFC 6749 §4.1',
    lesson: 1,
  },
  {
    term: 'authorization endpoint',
    also: ['/authorization'],
    explanation: [
      'The address of the authorization server at which people log in and agree, with a browser.',
      'A request to it is a plain link, so anybody can write one.',
    ],
    rule: 'RFC 6749 §3.1',
    lesson: 1,
  },
  {
    term: 'token endpoint',
    also: ['/token'],
    explanation: [
      'The address of the authorization server at which programs change a code for tokens.',
      'No browser is involved, so a client can prove there who it is.',
    ],
    rule: 'RFC 6749 §3.2',
    lesson: 1,
  },
  {
    term: 'client_id',
    explanation: [
      'The name under which the authorization server knows a client.',
      'It stands in every link that the client makes, so it is no secret and proves nothing.',
    ],
    rule: 'RFC 6749 §2.2',
    lesson: 1,
  },
  {
    term: 'TLS',
    also: ['https'],
    explanation: [
      'The encryption of connections that the s in https stands for.',
      'It keeps others from reading along; it does not say whether the one at the other end means well.',
    ],
    rule: 'RFC 6749 §10.9',
    lesson: 1,
  },
  {
    term: 'authentication',
    explanation: [
      'Finding out who somebody is, for example by a password.',
      'OAuth itself does not do that for the client: it hands over permissions.',
    ],
    rule: 'OpenID Connect Core §3.1.2.3',
    lesson: 2,
  },
  {
    term: 'authorization',
    explanation: [
      'Allowing somebody to do something.',
      'That is what OAuth is about: a token says what may be done, and not who is there.',
    ],
    rule: 'RFC 6749 §10.16',
    lesson: 1,
  },
  {
    term: 'consent',
    explanation: [
      'Your yes to what a client wants to do, on a page of the authorization server.',
      'It says what you allow; the client does not learn from it who you are.',
    ],
    rule: 'OpenID Connect Core §3.1.2.4',
    lesson: 2,
  },
  {
    term: 'ID token',
    also: ['id_token'],
    explanation: [
      'A signed statement for the client that says who logged in, when, and at which server.',
      'It is made for one client, which checks it; the resource server gets the access token instead.',
    ],
    rule: 'OpenID Connect Core §2',
    lesson: 2,
  },
  {
    term: 'redirect_uri',
    also: ['redirect URI', 'redirect address', 'callback'],
    explanation: [
      'The address of the client to which the browser brings the code.',
      'The server sends codes only to addresses that were registered before, or anybody could have them sent home.',
    ],
    rule: 'RFC 6749 §3.1.2',
    lesson: 0,
  },
  {
    term: 'open redirector',
    explanation: [
      'A page that sends a browser on to any address that a link names.',
      'A link that looks like a site you trust then ends at an attacker’s, and takes codes along.',
    ],
    rule: 'RFC 6749 §10.15',
    lesson: 3,
  },
  {
    term: 'state',
    explanation: [
      'A random text that the client sends with its request and gets back with the answer.',
      'If it is another one, the answer does not belong to this browser, and the client refuses it.',
    ],
    rule: 'RFC 6749 §10.12',
    lesson: 4,
  },
  {
    term: 'CSRF',
    also: ['cross-site request forgery', 'login CSRF'],
    explanation: [
      'A foreign page makes your browser send a request that you never meant to send.',
      'With a login it means that you work in the account of the attacker, without noticing.',
    ],
    rule: 'RFC 9700 §4.7',
    lesson: 4,
  },
  {
    term: 'PKCE',
    explanation: [
      'A secret that a client makes for one login: it sends a hash first, and the secret itself with the code.',
      'A stolen code is useless then, because the thief does not know the secret.',
    ],
    rule: 'RFC 7636 §1.1',
    lesson: 4,
  },
  {
    term: 'code_verifier',
    also: ['verifier'],
    explanation: [
      'The secret of PKCE: a long random text, new for each login.',
      'It never travels through the browser, only with the code to the token endpoint.',
    ],
    rule: 'RFC 7636 §4.1',
    lesson: 4,
  },
  {
    term: 'code_challenge',
    also: ['challenge'],
    explanation: [
      'The hash of the code_verifier, which the client sends with the first request.',
      'Anybody may see it, since nobody can get back from a hash to the secret.',
    ],
    rule: 'RFC 7636 §4.2',
    lesson: 4,
  },
  {
    term: 'replay',
    explanation: [
      'Sending something again that was used before, such as a code or a token.',
      'What is good once cannot be replayed, and a second attempt shows the server that something is wrong.',
    ],
    rule: 'RFC 6749 §10.5',
    lesson: 6,
  },
]
