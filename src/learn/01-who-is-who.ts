import { ALICE, authorizeLines, callResource, DEMO, redeemLines, tokenLines } from './curl-lines.js'
import { answered, inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

export const lesson: Lesson = {
  name: '01-who-is-who',
  title: 'Who is who in one code flow',
  minutes: 6,
  after: ['00-printing-service'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'Four parties take part. The resource owner is {user}, with a browser. The client is {client}, the service. The authorization server knows the password of {user} and issues tokens. The resource server has the records. Watch one run, and see who talks to whom.',
  ],
  prediction: {
    question:
      'The authorization server first makes a code. The client redeems it: it exchanges the code for a token. Who sees the code?',
    options: [
      {
        text: 'Only the client, because every connection is encrypted.',
        misconception: 'https-is-enough',
        reply: 'Encryption ends in the browser, and the browser carries the code: it is in its address bar.',
      },
      {
        text: 'The browser and the client.',
        reply:
          'The code travels by a redirect through the browser. The tokens do not: the client fetches them itself.',
      },
      {
        text: 'The client and the resource server, which both need it.',
        misconception: 'access-token-is-for-the-client',
        reply: 'The resource server never sees a code. It gets the access token, which is made for it.',
      },
    ],
  },
  tasks: [
    {
      name: 'flow',
      say: [
        'Run one code flow to its end, up to the records. Type this line in a second terminal: it draws who sends and who answers, and Enter goes one step. Here it prints all the steps at once:',
        '  oauth-lab flow code --client {client} --user {user}',
      ],
      check: inOrder(
        { event: 'code.issued', why: '{user} has not logged in for {client} yet.' },
        {
          event: 'code.redeemed',
          same: ['code'],
          why: '{user} logged in, but {client} has not redeemed its code yet.',
        },
        {
          event: 'resource.accepted',
          why: '{client} has a token, but has not shown it to the resource server yet.',
        },
      ),
      mistakes: [
        {
          event: 'login.failed',
          why: 'The login failed, so there is no code.',
          again: 'The login failed again. Leave the password out: the lab knows the passwords of its users.',
        },
      ],
      hints: {
        question: 'Which party has to act three times: before the login, after it, and at the end?',
        place:
          'The client: it sends the browser away, sends POST /token, and sends GET /resource with the token.',
        line: 'oauth-lab flow code --client {client} --user {user}',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user}'],
        curl: [...authorizeLines(ALICE), ...tokenLines(DEMO), callResource],
      },
      nearMisses: [
        {
          name: 'a code that nobody redeems',
          lines: authorizeLines(ALICE),
          why: 'alice logged in, but demo has not redeemed its code yet.',
        },
        {
          name: 'a token that nobody shows',
          lines: [...authorizeLines(ALICE), ...redeemLines(DEMO)],
          why: 'demo has a token, but has not shown it to the resource server yet.',
        },
        {
          name: 'another user',
          lines: ['oauth-lab flow code --client demo --user bob'],
          why: 'That was client demo and user bob; this task counts client demo and user alice.',
        },
      ],
    },
    {
      name: 'sender',
      say: [
        'One request carried the code and the secret of the client, which is its own password: POST /token. Who sent it: browser, client, authorization server or resource server? Answer with the name in the place of NAME:',
        '  oauth-lab learn check --answer NAME',
      ],
      check: answered({
        right: ['client', 'demo', '{client}', 'client demo', 'service'],
        why: 'There is no answer yet.',
        otherwise: 'One of the four: the browser, the client, the authorization server, the resource server.',
        wrong: [
          {
            when: ['browser', 'user agent', 'alice', 'user', 'resource owner'],
            why: 'The browser brought the code, but it does not know the secret. Someone else sent both.',
            again: 'Step 5 shows it: its arrow begins in the second column.',
          },
          {
            when: ['authorization server', 'server', 'as'],
            why: 'The authorization server received that request. Who sent it?',
          },
          {
            when: ['resource server', 'rs'],
            why: 'The resource server saw the token only, after that request. Who fetched the token?',
          },
        ],
      }),
      mistakes: [],
      hints: {
        question: 'Who has a secret that the browser must not see?',
        place: 'Step 5 of the flow: the column in which the arrow of POST /token begins.',
        line: 'oauth-lab learn check --answer client',
      },
      solutions: { cli: ['oauth-lab learn check --answer client'], curl: [] },
      nearMisses: [
        {
          name: 'the browser',
          lines: ['oauth-lab learn check --answer "the browser"'],
          why: 'The browser brought the code, but it does not know the secret. Someone else sent both.',
        },
        {
          name: 'the resource server',
          lines: ['oauth-lab learn check --answer "resource server"'],
          why: 'The resource server saw the token only, after that request. Who fetched the token?',
        },
      ],
    },
  ],
  explanation: [
    'There are two channels. The front channel goes through the browser, by redirects: {user} can read it, and so can extensions, histories and logs. The back channel goes from the client to the server directly. The code exists so that the front channel never carries a token.',
  ],
  remember: [
    'Front channel: the request for authorization and the code. Back channel: the secret and the tokens.',
    'The client is the program that acts. The user is not the client, and neither is the browser.',
  ],
  rule: 'RFC 6749 §1.1',
  stretch: [
    'Write this client yourself: oauth-lab learn new writes its three steps into this folder, and later lessons add a check each. Or run the flow with --browser, and find the code in the address bar of your own browser.',
  ],
}
