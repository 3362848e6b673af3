import { authorizeLines, CURL, DEMO, redeemLines } from './curl-lines.js'
import { inOrder, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

const LEGACY = 'demo-legacy:demo-legacy-secret-0123456789abcdef012'

export const lesson: Lesson = {
  name: '00-printing-service',
  title: 'The printing service that got alice’s password',
  minutes: 5,
  after: [],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'alice keeps records on a server. A printing service offers to print them. The simple way: alice types her password into the page of the service, and the service logs in as alice. You are the service, a program that acts for alice: such a program is called a client. First you do it with the password, then without.',
  ],
  prediction: {
    question: 'alice gave the service her password. What can it do from now on?',
    options: [
      {
        text: 'Read her records, because that is what she gave the password for.',
        misconception: 'scope-is-what-the-user-may',
        reply: 'A password has no limits inside it. Nothing in the request says "only print".',
      },
      {
        text: 'Everything that alice can do, until she changes her password.',
        reply:
          'Anyone who sends the password is alice for the server. She can only take it back from everybody at once, by changing it.',
      },
      {
        text: 'Nothing that could hurt, because the connection is encrypted.',
        misconception: 'https-is-enough',
        reply:
          'Encryption stops those who listen on the way. The service does not listen: it is the end of the way.',
      },
    ],
  },
  tasks: [
    {
      name: 'password',
      say: [
        'Be the service demo-legacy, and log in with the password that {user} typed into your page; the lab knows it. Type:',
        '  oauth-lab flow password --client demo-legacy --user {user}',
      ],
      clients: ['demo-legacy'],
      check: seen({
        event: 'token.issued',
        where: { grant_type: 'password' },
        why: 'The service demo-legacy has not logged in with the password of {user} yet.',
      }),
      mistakes: [
        {
          event: 'password.refused',
          where: { reason: 'credentials' },
          why: 'The password was wrong, so the service got nothing.',
          again:
            'Wrong again. The lab knows the passwords of its users: give --user {user} without a password.',
        },
      ],
      hints: {
        question: 'Which message carries the password, and who sends it?',
        place:
          'The grant "password": one POST to /token by the client demo-legacy, with username and password in its body.',
        line: 'oauth-lab flow password --client demo-legacy --user {user}',
      },
      solutions: {
        cli: ['oauth-lab flow password --client demo-legacy --user {user}'],
        curl: [
          `${CURL} -u ${LEGACY} -d grant_type=password \\`,
          '  -d username=alice -d password=wonderland "$LAB/token"',
        ],
      },
      nearMisses: [
        {
          name: 'a wrong password',
          lines: ['oauth-lab flow password --client demo-legacy --user alice:looking-glass'],
          why: 'The password was wrong, so the service got nothing.',
        },
        {
          name: 'another client, another grant',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'That was client demo and user alice; this task counts client demo-legacy and user alice.',
        },
      ],
    },
    {
      name: 'token',
      say: [
        'Now another service, {client}, which asks nobody for a password. It sends {user} to the server. {user} logs in there (the lab does it for {user}), and the service gets a token: a pass for this service alone. Type:',
        '  oauth-lab flow code --client {client} --user {user}',
      ],
      check: inOrder(
        {
          event: 'code.issued',
          why: '{user} has not logged in at the server for {client} yet.',
        },
        {
          event: 'code.redeemed',
          same: ['code'],
          why: '{user} logged in, but {client} has not exchanged its code for a token yet.',
        },
      ),
      mistakes: [
        {
          event: 'token.issued',
          where: { grant_type: 'password' },
          why: 'That is the way with the password again: {client} has the password of {user} now.',
          again: 'Still the password. The flow in which {user} logs in at the server is called code.',
        },
        {
          event: 'login.failed',
          where: { reason: 'credentials' },
          why: 'The server refused the password. The service saw neither the password nor a token.',
          again:
            'Refused again. The lab knows the passwords of its users: give --user {user} without a password.',
        },
      ],
      hints: {
        question: 'Where could {user} type the password, if not into the page of the service?',
        place:
          'The flow "code": step 3 is POST /authorization, from the browser to the server. The service is not part of that step.',
        line: 'oauth-lab flow code --client {client} --user {user}',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user}'],
        curl: [
          ...authorizeLines({ client: 'demo', user: 'alice', password: 'wonderland' }),
          ...redeemLines(DEMO),
        ],
      },
      nearMisses: [
        {
          name: 'the password grant by another client',
          lines: ['oauth-lab flow password --client demo --user alice'],
          why: 'That is the way with the password again: demo has the password of alice now.',
        },
        {
          name: 'a login that fails',
          lines: ['oauth-lab flow code --client demo --user alice:looking-glass'],
          why: 'The server refused the password. The service saw neither the password nor a token.',
        },
        {
          name: 'a code that nobody redeems',
          lines: authorizeLines({ client: 'demo', user: 'alice', password: 'wonderland' }),
          why: 'alice logged in, but demo has not exchanged its code for a token yet.',
        },
      ],
    },
  ],
  explanation: [
    'Both runs ended with a token and with the same records. In the first, the service knew the password of {user}. In the second, the password went from the browser to the server and nowhere else. The service holds a token: it names {user}, the service, and what the service may do (the scope), and it ends after an hour.',
  ],
  remember: [
    'A password is everything, for everybody who has it. A token is one permission for one client, and can end alone.',
    'The user types the password only at the server that keeps it. It is called the authorization server.',
  ],
  rule: 'RFC 9700 §2.4',
  stretch: [
    'Look into the token. Type this line in a second terminal, press Enter for each step, and then 3:',
    '  oauth-lab flow code --client {client} --user {user}',
  ],
}
