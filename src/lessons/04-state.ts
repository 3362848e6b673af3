import { probed } from './engine/vocabulary.js'
import type { Lesson, NearMiss } from './model.js'

const CHECK = 'oauth-lab learn check -- node client.mjs'

/** A client with the check of this lesson, changed by one line of sed. */
const changed = (name: string, edit: string, why: string): NearMiss => ({
  name,
  lines: ['rm -f client.mjs; oauth-lab learn new --lesson 5', `sed -i.before "${edit}" client.mjs`, CHECK],
  why,
})

export const lesson: Lesson = {
  name: '04-state',
  title: 'State: is this the answer to my own question?',
  minutes: 12,
  after: ['03-registered-addresses'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'An answer reaches your client as a link, and anyone can send a link. The attacker logs in as himself, stops before his code is exchanged, and makes {user} open the link. Your client now works for {user} in the account of the attacker: what she saves, he reads. This is login CSRF. Now a client of your own is judged.',
  ],
  prediction: {
    question:
      'Your client compares nothing. It gets a link with a code that another person’s login brought. What does it do?',
    options: [
      {
        text: 'It fails, because the server refuses a code of somebody else.',
        misconception: 'consent-is-authentication',
        reply:
          'The code is good, and it was issued to your client. The server cannot see whose browser brought it.',
      },
      {
        text: 'It fails, because PKCE catches it.',
        misconception: 'state-is-pkce',
        reply:
          'PKCE does catch a code from another session. But then the client must use it, and remember the verifier for each session; state says the same before any code is sent.',
      },
      {
        text: 'It redeems the code, and {user} is in the account of the other.',
        reply: 'Nothing in the answer says who asked, unless the client put something there.',
      },
    ],
  },
  tasks: [
    {
      name: 'state',
      probe: 'state',
      say: [
        'Make your client send a random state, and stop when the answer has another one. It prints the address to open and reads the answer from stdin. Write a beginning, edit it, and let the lab run it six times: three right answers, three wrong ones.',
        '  oauth-lab learn new',
        `  ${CHECK}`,
      ],
      check: probed('state'),
      mistakes: [],
      hints: {
        question:
          'What can your client put into its request that comes back unchanged, and that an attacker cannot know?',
        place: 'The parameter state of step 1, and the same parameter of the answer, before step 3.',
        line: 'oauth-lab learn new --lesson 5 -o with-state.mjs    and compare the two files',
      },
      solutions: {
        cli: ['rm -f client.mjs; oauth-lab learn new --lesson 5', CHECK],
        curl: [
          'rm -f client.sh; oauth-lab learn new --lesson 5 --language shell',
          'oauth-lab learn check -- sh client.sh',
        ],
      },
      nearMisses: [
        {
          name: 'no state',
          lines: ['rm -f client.mjs; oauth-lab learn new --lesson 4', CHECK],
          why: 'Your client sends no state, so it takes the login of somebody else for its own.',
        },
        changed(
          'a constant state',
          "s/randomBytes(16).toString('base64url')/'constant'/",
          'Your client sends the same state every time. An attacker reads it once and knows it for ever.',
        ),
        changed(
          'a state that is compared with itself',
          "s/!== state/!== answer.get('state')/",
          'Your client redeemed the code in all 3 wrong runs. Its state is sent, but not compared.',
        ),
        changed(
          'a state that may be missing',
          "s/if (answer.get('state') /if (answer.has('state') \\&\\& answer.get('state') /",
          'Your client redeemed the code in 1 of 3 wrong runs: no state at all.',
        ),
        changed(
          'a client that refuses everything',
          's/!== state/!== 1/',
          'Your client finished no run at all, not even the right ones. A client that refuses everything is safe and useless.',
        ),
      ],
    },
  ],
  explanation: [
    'The state is a random value that your client ties to the session of the browser: in a cookie or in the session, not in a global. The answer must bring the same value. The attacker can make {user} open a link, but cannot put a value into her session beforehand.',
    'A value that is always the same, or that is compared with itself, passes for a check. The honest runs prove nothing: they pass without any check at all.',
  ],
  remember: [
    'State ties the answer to the session that asked. New for each login, compared before the code is used.',
    'A check is proved by what it refuses, and by what it does not refuse.',
  ],
  rule: 'RFC 9700 §4.7.1',
  weak: { mode: 'no-state', line: 'oauth-lab attack run login-csrf' },
  stretch: ['Write the client in a second language: oauth-lab learn new --language python, shell or go.'],
}
