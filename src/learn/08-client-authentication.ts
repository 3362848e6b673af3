import { ALICE, authorizeLines, CURL, DEMO, redeemLines } from './curl-lines.js'
import { inOrder, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

// The pair of RFC 7636, appendix B.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = '&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256'

const NATIVE = { client: 'demo-native', user: 'alice', password: 'wonderland', more: CHALLENGE }

/** Redeems `$code` as the native client, which has no secret. */
const redeemNative = (verifier: string) => [
  `${CURL} -d grant_type=authorization_code -d client_id=demo-native -d "code=$code" \\`,
  `  -d redirect_uri=http://127.0.0.1/callback${verifier} "$LAB/token"`,
]

export const lesson: Lesson = {
  name: '08-client-authentication',
  title: 'Client authentication: who redeems the code',
  minutes: 6,
  after: ['07-reading-a-token'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'At /token the server asks the client who it is. {client} runs on a server and has a secret: it is a confidential client. demo-native is an application on the telephone of everybody who installs it: a public client.',
  ],
  prediction: {
    question: 'The makers of an application put a client secret into its program file. What is it worth?',
    options: [
      {
        text: 'It keeps imitators out, as long as the file is not open source.',
        misconception: 'secret-in-the-app-is-secret',
        reply: 'Everybody who has the application has the file, and a tool that prints its texts is enough.',
      },
      {
        text: 'Nothing: it is no secret. The code has to be protected in another way.',
        reply: 'PKCE does it: a new secret for each request, made on the spot and used once.',
      },
      {
        text: 'Enough, because it travels over https only.',
        misconception: 'https-is-enough',
        reply: 'https protects the way. The secret is taken at its start, from the file.',
      },
    ],
  },
  tasks: [
    {
      name: 'wrong-secret',
      say: [
        'A stranger has a code, and claims at /token to be {client}. He does not know the secret:',
        '  oauth-lab flow code --client {client} --user {user} --tamper wrong-secret',
      ],
      check: inOrder(
        { event: 'code.issued', why: 'There is no code of {client} yet.' },
        {
          event: 'token.refused',
          where: { error: 'invalid_client' },
          anyone: true,
          why: 'The code is there. Now redeem it with a wrong secret.',
        },
      ),
      mistakes: [
        {
          event: 'token.issued',
          why: 'The server knew the client: that secret was right.',
          again: 'Right again. Add --tamper wrong-secret, or change the text after the colon of curl -u.',
        },
        {
          event: 'login.failed',
          why: 'The password of {user} was wrong. The secret of the client is meant, and that comes later.',
          again: 'Again the password of {user}. Leave it as it is, and change the secret at /token.',
        },
      ],
      hints: {
        question: 'Which message carries the secret of the client?',
        place: 'POST /token, the header Authorization: Basic, client and secret with a colon between.',
        line: 'oauth-lab flow code --client {client} --user {user} --tamper wrong-secret',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user} --tamper wrong-secret'],
        curl: [...authorizeLines(ALICE), ...redeemLines('demo:guess')],
      },
      nearMisses: [
        {
          name: 'the right secret',
          lines: [...authorizeLines(ALICE), ...redeemLines(DEMO)],
          why: 'The server knew the client: that secret was right.',
        },
        {
          name: 'a wrong password of the user',
          lines: ['oauth-lab flow code --client demo --user alice:looking-glass'],
          why: 'The password of alice was wrong. The secret of the client is meant, and that comes later.',
        },
      ],
    },
    {
      name: 'no-secret',
      say: [
        'Now be the application without a secret, and get a token all the same:',
        '  oauth-lab flow code --client demo-native --user {user}',
      ],
      clients: ['demo-native'],
      check: seen({
        event: 'token.issued',
        where: { client_id: 'demo-native' },
        why: 'demo-native has no token yet.',
      }),
      mistakes: [
        {
          event: 'authorization.refused',
          why: 'A public client without PKCE: the server does not even show the login.',
          again: 'Still no code_challenge. For a public client it stands in the place of the secret.',
        },
        {
          event: 'token.refused',
          where: { error: 'invalid_grant' },
          why: 'The code came without the verifier of its request, so the server believes nobody.',
          again: 'Again no verifier that fits. Send the code_verifier that was hashed for step 1.',
        },
      ],
      hints: {
        question: 'What can a public client show that a thief of the code does not have?',
        place: 'code_challenge in step 1, code_verifier at /token, and client_id in the body.',
        line: 'oauth-lab flow code --client demo-native --user {user}',
      },
      solutions: {
        cli: ['oauth-lab flow code --client demo-native --user {user}'],
        curl: [...authorizeLines(NATIVE), ...redeemNative(` -d code_verifier=${VERIFIER}`)],
      },
      nearMisses: [
        {
          name: 'no challenge',
          lines: ['oauth-lab flow code --client demo-native --user alice --no-pkce'],
          why: 'A public client without PKCE: the server does not even show the login.',
        },
        {
          name: 'no verifier',
          lines: [...authorizeLines(NATIVE), ...redeemNative('')],
          why: 'The code came without the verifier of its request, so the server believes nobody.',
        },
        {
          name: 'the client with the secret',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'That was client demo and user alice; this task counts client demo-native and user alice.',
        },
      ],
    },
  ],
  explanation: [
    'A secret proves something only while one side alone can send it. On a server that is possible, in an application that everybody installs it is not. So the server treats demo-native as a public client: any program can claim its name. PKCE binds the code to the one that asked, and the exact address brings it there; neither proves which program asked. That is why {user} is asked each time.',
  ],
  remember: [
    'Confidential clients prove who they are at /token. Public clients cannot.',
    'PKCE is for both: the secret says who, the verifier says which request.',
  ],
  rule: 'RFC 6749 §2.1',
  stretch: [
    'A secret can be copied from each request. A key cannot: read oauth-lab flow code --help for --auth private_key_jwt.',
  ],
}
