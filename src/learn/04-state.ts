import { attackTask, logTask } from './attack-tasks.js'
import { ALICE, authorizeLines, DEMO, HERE, redeemLines } from './curl-lines.js'
import { inOrder, probed } from './engine/vocabulary.js'
import type { Lesson, NearMiss } from './model.js'

const CHECK = 'oauth-lab learn check -- node client.mjs'

/** Runs the client of this lesson. It reads the answer from stdin. */
const RUN = `ISSUER=$LAB CLIENT_SECRET=${DEMO.split(':')[1]} node client.mjs`

/** Writes the client of this lesson, and finds the lab and its CA. */
const CLIENT = ['rm -f client.mjs; oauth-lab learn new --lesson 4', HERE, 'eval "$(oauth-lab ca env)"']

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
    'An answer reaches your client as a link, and anyone can send a link. The attacker logs in as himself, stops before his code is exchanged, and makes somebody else open the link. That person’s client now works in the account of the attacker: what she saves, he reads. This is login CSRF. First you are the attacker; then a client of your own is judged.',
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
        text: 'It fails, because of PKCE, a check of codes (the next lesson).',
        misconception: 'state-is-pkce',
        reply:
          'PKCE does catch a code from another session. But then the client must use it, and remember the verifier for each session; state says the same before any code is sent.',
      },
      {
        text: 'It redeems the code, and its user is in the account of the other.',
        reply: 'Nothing in the answer says who asked, unless the client put something there.',
      },
    ],
  },
  tasks: [
    {
      name: 'by-hand',
      say: [
        'Be the attacker, with the account {user}. In another terminal, write a client that compares nothing, and start it: it prints an address, and waits.',
        '  oauth-lab learn new',
        '  eval "$(oauth-lab ca env)"; export ISSUER={lab}',
        `  export CLIENT_SECRET=${DEMO.split(':')[1]}`,
        '  node client.mjs',
        'Open the address in a private window, log in as {user}, and copy the address at which the browser ends: nobody listens there. End the client with Ctrl+C and start it again. Now it is the client of your victim: give it your address.',
      ],
      check: inOrder(
        {
          event: 'authorization.requested',
          where: { pkce: 'none' },
          why: 'Nobody has opened the address of a client that compares nothing yet.',
        },
        {
          event: 'code.issued',
          why: 'The address was opened. Log in there as {user}, who is the attacker now.',
        },
        {
          event: 'code.redeemed',
          same: ['code'],
          why: 'The attacker has a code. Nobody has given the answer to the client of the victim yet.',
        },
      ),
      mistakes: [
        {
          event: 'authorization.requested',
          where: { pkce: { not: 'none' } },
          why: 'That client uses PKCE. The one of oauth-lab learn new compares nothing yet.',
          again: 'PKCE again. Take client.mjs as oauth-lab learn new writes it in this lesson.',
        },
        {
          event: 'token.refused',
          why: 'The server refused the code: the address was not copied whole, or its code was used before.',
          again: 'Refused again. Take a new answer, and copy all of it, from http:// to its end.',
        },
      ],
      hints: {
        question: 'Which of the two clients asked for the answer that you copied?',
        place: 'The address of the answer, with its parameter code, typed into the second run.',
        line: 'node client.mjs    and then the whole address, from http://127.0.0.1/callback on',
      },
      solutions: {
        cli: [...CLIENT, ...authorizeLines(ALICE), `printf '%s\\n' "$location" | ${RUN}`],
        curl: [...authorizeLines(ALICE), ...redeemLines(DEMO)],
      },
      nearMisses: [
        {
          name: 'a client with PKCE',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'That client uses PKCE. The one of oauth-lab learn new compares nothing yet.',
        },
        {
          name: 'an answer that nobody gets',
          lines: authorizeLines(ALICE),
          why: 'The attacker has a code. Nobody has given the answer to the client of the victim yet.',
        },
        {
          name: 'half an answer',
          lines: [...CLIENT, ...authorizeLines(ALICE), `printf '%s\\n' "$location" | cut -c1-50 | ${RUN}`],
          why: 'The server refused the code: the address was not copied whole, or its code was used before.',
        },
      ],
    },
    {
      name: 'state',
      probe: 'state',
      say: [
        'Neither server nor client noticed. Make your client send a random state, and stop when the answer has another one. Let the lab run it six times: three right answers, three wrong ones.',
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
    attackTask('login-csrf', 'See the attack meet a web application without state, and then one with it:'),
    logTask({
      logs: [
        [
          'login.succeeded client_id=demo-web username=mallory',
          'code.issued client_id=demo-web username=mallory',
          'demo_client.login_refused error=state_mismatch',
        ],
        [
          'login.failed client_id=demo-web username=mallory reason=credentials',
          'login.succeeded client_id=demo-web username=mallory',
          'code.issued client_id=demo-web username=mallory',
          'code.redeemed client_id=demo-web username=mallory',
          'demo_client.logged_in sub=mallory',
          'demo_client.note_added sub=mallory',
        ],
      ],
      defended: 'A',
      lines: [3],
      fooled: 'In log B the answer of mallory logged a browser in, and a note went into his account.',
      question: 'Who can notice this attack: the server or the client? Which line comes from that one?',
    }),
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
