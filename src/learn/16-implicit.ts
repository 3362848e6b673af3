import { attackTask, logTask } from './attack-tasks.js'
import { ALICE, authorizeLines, CURL } from './curl-lines.js'
import { inOrder, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

/** Lines that ask the authorization endpoint for a token, and put the address of the answer into `$location`. */
const IMPLICIT = authorizeLines(ALICE).map(line =>
  line.replace('response_type=code', 'response_type=token&scope=records:read'),
)

const TOKEN = 'token=$(printf "%s" "$location" | sed \'s/.*[#&]access_token=\\([^&]*\\).*/\\1/\')'

const asNative = (type: string): string =>
  `${CURL} "$LAB/authorization?response_type=${type}&client_id=demo-native&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback"`

export const lesson: Lesson = {
  name: '16-implicit',
  title: 'Why not implicit: a token in the address',
  minutes: 9,
  after: ['05-pkce', '06-one-use'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'The implicit grant leaves the code out: the authorization endpoint sends the access token itself to the browser, behind a # in the address. When it was made, pages could hardly send requests to other sites, so it was their only way.',
  ],
  prediction: {
    question: 'The token is behind the #, and browsers send that part to no server. Who can read it?',
    options: [
      {
        text: 'Nobody but the client: everything travels by TLS.',
        misconception: 'https-is-enough',
        reply: 'TLS ends in the browser, and there the address is on show: in the history, for every script.',
      },
      {
        text: 'Nobody who does not have the secret of the client.',
        misconception: 'secret-in-the-app-is-secret',
        reply: 'No secret takes part in this grant. The token is complete, and works for anyone who has it.',
      },
      {
        text: 'The history, every script of the page, and everybody who gets the address.',
        reply: 'A code in that place would be useless without secret or verifier. A token is not.',
      },
    ],
  },
  tasks: [
    {
      name: 'fragment',
      say: [
        'Get a token that way and use it, without any request to /token:',
        '  oauth-lab flow implicit --client {client} --user {user}',
      ],
      check: inOrder(
        {
          event: 'token.issued',
          where: { grant_type: 'implicit' },
          why: 'The authorization endpoint has sent no token to {client} yet.',
        },
        {
          event: 'resource.accepted',
          why: 'The token is in the address. Nobody has used it at the resource server yet.',
        },
      ),
      mistakes: [
        {
          event: 'code.issued',
          why: 'A code came back, not a token: response_type was code.',
          again: 'Again a code. The flow of this task is named implicit, and sends response_type=token.',
        },
      ],
      hints: {
        question: 'What does response_type say when no code is wanted?',
        place: 'Step 1, response_type=token, and the address that the browser ends at.',
        line: 'oauth-lab flow implicit --client {client} --user {user}',
      },
      solutions: {
        cli: ['oauth-lab flow implicit --client {client} --user {user}'],
        curl: [...IMPLICIT, TOKEN, `${CURL} -H "Authorization: Bearer $token" "$RESOURCE/resource"`],
      },
      nearMisses: [
        {
          name: 'a code',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'A code came back, not a token: response_type was code.',
        },
        {
          name: 'a token that nobody used',
          lines: [...IMPLICIT],
          why: 'The token is in the address. Nobody has used it at the resource server yet.',
        },
      ],
    },
    {
      name: 'not-registered',
      say: [
        'demo-native is registered for codes alone. Somebody changes its response_type to token:',
        '  oauth-lab flow code --client demo-native --user {user} \\',
        '    --tamper unregistered-response-type',
      ],
      clients: ['demo-native'],
      check: seen({
        event: 'authorization.refused',
        where: { error: 'unauthorized_client' },
        why: 'Nobody has asked for a token as demo-native yet.',
      }),
      mistakes: [
        {
          event: 'authorization.refused',
          where: { error: 'unsupported_response_type' },
          why: 'No client can get that response_type: the server does not know it.',
          again: 'Still a response_type that does not exist. The one of this lesson is token.',
        },
        {
          event: 'code.issued',
          why: 'demo-native asked for a code, and may have it.',
          again: 'A code again. Change response_type to token, or let --tamper do it.',
        },
      ],
      hints: {
        question: 'Which parameter decides whether a code or a token comes back?',
        place: 'Step 1, response_type=token with client_id=demo-native.',
        line: 'oauth-lab flow code --client demo-native --user {user} --tamper unregistered-response-type',
      },
      solutions: {
        cli: ['oauth-lab flow code --client demo-native --user {user} --tamper unregistered-response-type'],
        curl: [asNative('token')],
      },
      nearMisses: [
        {
          name: 'a type that does not exist',
          lines: [asNative('tokens')],
          why: 'No client can get that response_type: the server does not know it.',
        },
        {
          name: 'a code',
          lines: ['oauth-lab flow code --client demo-native --user alice'],
          why: 'demo-native asked for a code, and may have it.',
        },
        {
          name: 'a client that may',
          lines: ['oauth-lab flow implicit --client demo --user alice'],
          why: 'That was client demo and user alice; this task counts client demo-native and user alice.',
        },
      ],
    },
    attackTask(
      'token-substitution',
      'See a token that another client got in this way taken for a login, by a client that does so, and by one that does not:',
    ),
    logTask({
      logs: [
        [
          'token.issued client_id=demo-spa sub=alice grant_type=implicit',
          'demo_client.login_started client_id=demo-web response_type=code',
          'demo_client.login_refused error=state_mismatch',
          'demo_client.login_refused error=invalid_response',
        ],
        [
          'token.issued client_id=demo-spa sub=alice grant_type=implicit',
          'demo_client.login_started client_id=demo-web response_type=token',
          'userinfo.answered client_id=demo-spa username=alice',
          'demo_client.logged_in client_id=demo-web sub=alice',
        ],
      ],
      defended: 'A',
      lines: [4],
      fooled:
        'In log B the token was issued to demo-spa, and demo-web logged somebody in by it. Userinfo did not notice: the token is real.',
      question:
        'One client sends the token back: an answer with a token is no answer to its request. Which line?',
    }),
  ],
  explanation: [
    'Nothing at the end of this grant proves who receives the token: no secret, no verifier, no second request. A stolen address is a stolen token, and a client cannot see whether the token in its address was made for it or for another client.',
    'Today pages send requests to other sites, so they redeem codes with PKCE as everybody does. A client that is registered for codes alone cannot be pushed back to this grant.',
  ],
  remember: [
    'No access token in an address: use a code and PKCE, in single pages too.',
    'Register a client only for the response types that it needs.',
  ],
  rule: 'RFC 9700 §2.1.2',
  weak: { mode: 'implicit-login', line: 'oauth-lab attack run token-substitution' },
  stretch: [
    'Run the flow with --export har and search the file for access_token. In which requests and answers does the token stand?',
  ],
}
