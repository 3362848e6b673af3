import { attackTask, logTask } from './attack-tasks.js'
import { ALICE, authorizeLines, CURL, HERE } from './curl-lines.js'
import { inOrder, probed } from './engine/vocabulary.js'
import type { Lesson, NearMiss } from './model.js'

/** The state of alice's client, which the attacker's server received. */
const STATE = 'state-of-alice-7c1e'

/** Sends the browser to the honest server, as the attacker's server does. */
const SENT_ON = authorizeLines({ ...ALICE, more: `&state=${STATE}` })

const CHECK = 'oauth-lab learn check -- node client.mjs'

/** The client that this lesson begins with. */
const CLIENT = 'rm -f client.mjs; oauth-lab learn new --lesson 6'

/** Adds the comparison of iss to the client, behind that of state. */
const compare = (condition: string): string =>
  `sed -i.before "s|^if (answer.get('state').*|&; if (${condition}) throw new Error('another server')|" client.mjs`

/** A client with another comparison. */
const comparing = (name: string, condition: string, why: string): NearMiss => ({
  name,
  lines: [CLIENT, compare(condition), CHECK],
  why,
})

/** The same for the client in the shell. `:` and `/` are encoded in the address. */
const SHELL = [
  'rm -f client.sh; oauth-lab learn new --lesson 6 --language shell',
  'cat > compare.txt <<"END"',
  '[ "$(parameter iss | sed \'s/%3A/:/g; s|%2F|/|g\')" = "$ISSUER" ] || exit 1',
  'END',
  'sed -i.before "/^parameter/r compare.txt" client.sh',
  'oauth-lab learn check -- sh client.sh',
]

export const lesson: Lesson = {
  name: '18-mix-up',
  title: 'Mix-up: from which server is this answer?',
  minutes: 12,
  after: ['04-state', '06-one-use', '14-id-token'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'Your client lets people choose between two authorization servers. One of them belongs to an attacker. {user} chooses that one. It shows no page: it sends her browser on to the honest server, in the name of your client there. She logs in as always. This is a mix-up attack.',
  ],
  prediction: {
    question:
      'The answer of the honest server comes to your client, with a code and the right state. Where does your client take the code?',
    options: [
      {
        text: 'To the honest server, because the code came from there.',
        misconception: 'own: an answer shows by itself which server made it',
        reply: 'Both servers answer by the same browser. Only a member of the answer can name its server.',
      },
      {
        text: 'Nowhere: the state cannot be right, or PKCE stops it.',
        misconception: 'state-is-pkce',
        reply:
          'The attacker received the state of {user} and passed it on. The code_challenge as well, or one of their own.',
      },
      {
        text: 'To the attacker: that is the server that {user} chose.',
        reply: 'Your client remembers whom it asked, and believes that this one has answered.',
      },
    ],
  },
  tasks: [
    {
      name: 'by-hand',
      say: [
        'Be the attacker’s server. The client of {user} sent her browser to you, with this request:',
        `  ?response_type=code&client_id=at-mallory&state=${STATE}`,
        'Send her on: write the request that the honest server would take from {client}, with the state of {user}, and open it. Its redirect_uri is http://127.0.0.1/callback. Log in as {user}, and look for iss in the address at the end.',
        '  {lab}/authorization?response_type=code&…',
      ],
      check: inOrder(
        {
          event: 'request.answered',
          where: { path: { includes: `state=${STATE}` } },
          why: 'The honest server has no request of {client} with the state of {user} yet.',
        },
        {
          event: 'code.issued',
          why: 'The request is there. Now {user} logs in, at the server that she knows.',
        },
      ),
      mistakes: [
        {
          event: 'code.issued',
          why: 'A code for another state. The client of {user} would stop at that answer: pass her state on.',
          again: `Another state again. It is ${STATE}.`,
        },
        {
          event: 'authorization.refused',
          anyone: true,
          why: 'The honest server refused the request. It knows {client}, and the address http://127.0.0.1/callback.',
          again:
            'Refused again. Only the state comes from the request of {user}; the rest is that of {client}.',
        },
      ],
      hints: {
        question: 'Which members name the client at the honest server, and which one must stay as it came?',
        place: 'client_id={client}, redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback, and the state.',
        line: `{lab}/authorization?response_type=code&client_id={client}&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback&state=${STATE}`,
      },
      solutions: { cli: [HERE, ...SENT_ON], curl: SENT_ON },
      nearMisses: [
        {
          name: 'another state',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'A code for another state. The client of alice would stop at that answer: pass her state on.',
        },
        {
          name: 'nobody logs in',
          lines: SENT_ON.slice(0, 2),
          why: 'The request is there. Now alice logs in, at the server that she knows.',
        },
        {
          name: 'an address of the attacker',
          lines: [
            `${CURL} "$LAB/authorization?response_type=code&client_id=demo&redirect_uri=https%3A%2F%2Fmallory.example&state=x"`,
          ],
          why: 'The honest server refused the request. It knows demo, and the address http://127.0.0.1/callback.',
        },
      ],
    },
    {
      name: 'iss',
      probe: 'iss',
      say: [
        'Everything in that answer is right, and it names its server: iss. Make your client compare iss with the server that it asked, and stop when it differs or is missing. Then let the lab run it six times.',
        '  oauth-lab learn new --lesson 6',
        `  ${CHECK}`,
      ],
      check: probed('iss'),
      mistakes: [],
      hints: {
        question: 'What does your client know that neither the attacker nor the browser can change?',
        place:
          'Where state is compared: the parameter iss of the answer, and the issuer that the client asked.',
        line: "if (answer.get('iss') !== ISSUER) throw new Error('the answer of another server')",
      },
      solutions: { cli: [CLIENT, compare("answer.get('iss') !== ISSUER"), CHECK], curl: SHELL },
      nearMisses: [
        {
          name: 'no comparison',
          lines: [CLIENT, CHECK],
          why: 'Your client redeemed the code in all 3 wrong runs. Its iss is not compared.',
        },
        comparing(
          'an iss that may be missing',
          "answer.has('iss') \\&\\& answer.get('iss') !== ISSUER",
          'Your client redeemed the code in 1 of 3 wrong runs: no iss at all.',
        ),
        comparing(
          'an iss that begins like the right one',
          "!(answer.get('iss') ?? '').startsWith(ISSUER)",
          'Your client redeemed the code in 1 of 3 wrong runs: an issuer that begins like the right one.',
        ),
      ],
    },
    {
      name: 'two-servers',
      probe: 'mix-up',
      say: [
        'Now the lab gives your client two servers, in ISSUER, and one of them sends its users on to the other. Let it run your client six times again: where it takes the code is what counts.',
        `  ${CHECK}`,
      ],
      check: probed('mix-up'),
      mistakes: [],
      hints: {
        question: 'Your client is asked to use a server. From which one may the answer come?',
        place:
          'ISSUER is another one in each run. An iss that is written into the program fits one server alone.',
        line: "if (answer.get('iss') !== ISSUER) throw new Error('the answer of another server')",
      },
      solutions: { cli: [CLIENT, compare("answer.get('iss') !== ISSUER"), CHECK], curl: SHELL },
      nearMisses: [
        {
          name: 'no comparison',
          lines: [CLIENT, CHECK],
          why: 'Your client took the code to a token endpoint in all 3 wrong runs. The server that answers is not compared with the server that was asked.',
        },
        comparing(
          'an iss that is compared with itself',
          "answer.get('iss') !== answer.get('iss')",
          'Your client took the code to a token endpoint in all 3 wrong runs. The server that answers is not compared with the server that was asked.',
        ),
        comparing(
          'a client that refuses everything',
          "answer.get('iss') !== 'nobody'",
          'Your client finished no run at all, not even the right ones. A client that refuses everything is safe and useless.',
        ),
      ],
    },
    attackTask(
      'mix-up',
      'See the whole attack on a client of two servers that does not compare, and on one that does:',
    ),
    logTask({
      logs: [
        [
          'demo_client.login_started issuer=https://127.0.0.1:33607',
          'authorization.requested client_id=demo-web',
          'login.succeeded client_id=demo-web username=alice',
          'code.issued client_id=demo-web code=bDB_…LVw',
          'demo_client.login_refused error=invalid_grant',
          'code.redeemed client_id=demo-web code=bDB_…LVw',
          'demo_client.logged_in sub=alice code=bDB_…LVw',
        ],
        [
          'demo_client.login_started issuer=https://127.0.0.1:33213',
          'authorization.requested client_id=demo-web',
          'login.succeeded client_id=demo-web username=alice',
          'code.issued client_id=demo-web code=yCtB…d_Y',
          'demo_client.login_refused error=issuer_mismatch',
        ],
      ],
      defended: 'B',
      lines: [5],
      fooled:
        'In log A the refusal came too late: the attacker’s token endpoint had the code, and somebody logged in with it.',
      question: 'Both logs have a refusal. Which one came before the code left the client?',
    }),
  ],
  explanation: [
    'The state proves that the answer belongs to this login; it does not say who answers. The honest server names itself in iss. The client compares that with the issuer that it asked, and says so before any code is sent. A client may also use an address for each server, and look where the answer arrives.',
    'In log A the attacker’s server said invalid_grant, and kept the code. Then it put the code into a login of its own.',
  ],
  remember: [
    'A client of several servers remembers whom it asked, and compares iss.',
    'Missing is wrong too, once the server promises iss in its metadata.',
  ],
  rule: 'RFC 9207 §2.4',
  weak: { mode: 'mix-up', line: 'oauth-lab attack run mix-up' },
  stretch: [
    'The attack needs both servers to share one redirect address. Where would the attack stop with an address for each server? See oauth-lab attack run mix-up --weak no-iss.',
  ],
}
