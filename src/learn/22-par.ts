import { ALICE, CURL, DEMO } from './curl-lines.js'
import { inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

/** Pushes a request, and keeps its `$reference`. */
const PUSH = [
  `pushed=$(${CURL} -u ${DEMO} -d response_type=code -d redirect_uri=http://127.0.0.1/callback "$LAB/par")`,
  'reference=$(printf "%s" "$pushed" | sed \'s/.*"request_uri":"\\([^"]*\\)".*/\\1/\')',
]

/** Opens `$reference`, and logs the user in. */
const OPEN = [
  `jar=$(mktemp); url="$LAB/authorization?client_id=demo&request_uri=$reference"`,
  `csrf=$(${CURL} -c "$jar" "$url" | sed -n 's/.*name="csrf" value="\\([^"]*\\)".*/\\1/p')`,
  `${CURL} -b "$jar" -o /dev/null -d username=${ALICE.user} -d password=${ALICE.password} --data-urlencode "csrf=$csrf" "$url"`,
]

const GUESS = 'reference=urn:ietf:params:oauth:request_uri:guess'

export const lesson: Lesson = {
  name: '22-par',
  title: 'PAR: push the request beforehand',
  minutes: 6,
  after: ['08-client-authentication'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'Until now the authorization request travelled through the browser, as one long address: anyone at the browser could read it and change it. With PAR the client posts the request to /par, with its secret, and the browser carries only a reference to it, the request_uri.',
  ],
  prediction: {
    question: 'Why is the old way not good enough? It was encrypted from end to end.',
    options: [
      {
        text: 'It is good enough. HTTPS keeps everybody away from the request.',
        misconception: 'https-is-enough',
        reply:
          'The browser is one of the ends. {user}, an extension or a link in a mail can write the address.',
      },
      {
        text: 'Because the server learns only at /token who the client is.',
        reply:
          'Anybody can write an address. /par asks for the secret of the client before {user} sees a page.',
      },
      {
        text: 'Because the address has no PKCE, and /par has.',
        misconception: 'state-is-pkce',
        reply: 'PKCE is in both, and protects the code. PAR protects the request that comes before it.',
      },
    ],
  },
  tasks: [
    {
      name: 'push',
      say: [
        'Push a request, and log in by its reference. Compare the address of step 3 with earlier lessons:',
        '  oauth-lab flow code --client {client} --user {user} --par',
      ],
      check: inOrder(
        { event: 'request.pushed', why: '{client} has not pushed a request to /par yet.' },
        {
          event: 'code.issued',
          why: 'The request was pushed. {user} has not logged in by its reference yet.',
        },
      ),
      mistakes: [
        {
          event: 'push.refused',
          anyone: true,
          why: 'The server refused the push: it does not believe that this is {client}.',
          again: 'Refused again. /par wants the credentials of the client, as /token does.',
        },
        {
          event: 'code.issued',
          why: 'The request went through the browser, in the address. Nothing was pushed.',
          again: 'Again by the address. Add --par.',
        },
      ],
      hints: {
        question: 'Who sends the request to /par: the browser or the client?',
        place: 'POST /par, and request_uri in the address that the browser opens.',
        line: 'oauth-lab flow code --client {client} --user {user} --par',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user} --par'],
        curl: [...PUSH, ...OPEN],
      },
      nearMisses: [
        {
          name: 'a request in the address',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'The request went through the browser, in the address. Nothing was pushed.',
        },
        {
          name: 'a push that nobody opens',
          lines: PUSH,
          why: 'The request was pushed. alice has not logged in by its reference yet.',
        },
        {
          name: 'a wrong secret',
          lines: PUSH.map(line => line.replace(DEMO, 'demo:guess')),
          why: 'The server refused the push: it does not believe that this is demo.',
        },
      ],
    },
    {
      name: 'guess',
      say: [
        'Now open a reference that nobody was given:',
        '  oauth-lab flow code --client {client} --user {user} --par --tamper guessed-request-uri',
      ],
      check: inOrder(
        { event: 'request.pushed', why: '{client} has not pushed a request to /par yet.' },
        {
          event: 'authorization.refused',
          where: { error: 'invalid_request_uri' },
          anyone: true,
          why: 'A request is there under its own reference. Nobody has tried another one yet.',
        },
      ),
      mistakes: [
        {
          event: 'code.issued',
          why: 'That was the right reference, so {user} could log in.',
          again: 'Right again. Change the end of request_uri, or let --tamper do it.',
        },
      ],
      hints: {
        question: 'What keeps a stranger from opening the request of somebody else?',
        place: 'request_uri in the address, with another end.',
        line: 'oauth-lab flow code --client {client} --user {user} --par --tamper guessed-request-uri',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user} --par --tamper guessed-request-uri'],
        curl: [...PUSH, GUESS, ...OPEN],
      },
      nearMisses: [
        {
          name: 'the right reference',
          lines: ['oauth-lab flow code --client demo --user alice --par'],
          why: 'That was the right reference, so alice could log in.',
        },
        {
          name: 'a push alone',
          lines: PUSH,
          why: 'A request is there under its own reference. Nobody has tried another one yet.',
        },
      ],
    },
  ],
  explanation: [
    'The reference is random, is good once and for a minute and a half, and belongs to the client that pushed. Anyone who changes the address only breaks the reference. The histories and logs on the way hold neither the scope nor any other part of the request.',
    'A server can also demand PAR of all its clients. Then an address with parameters is refused.',
  ],
  remember: [
    'PAR: first the client proves who it is, and then the browser opens a page.',
    'What the browser carries, anybody at the browser can read and change.',
  ],
  rule: 'RFC 9126 §2.2',
  stretch: [
    'Which attack of the earlier lessons still works with PAR? Think of state: who started the login that comes back?',
  ],
}
