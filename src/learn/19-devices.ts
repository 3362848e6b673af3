import { attackTask, logTask } from './attack-tasks.js'
import { CURL, DEMO } from './curl-lines.js'
import { inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The device asks, and keeps `$device` and `$user`. */
const ASK = [
  `asked=$(${CURL} -u ${DEMO} -X POST "$LAB/device_authorization")`,
  'device=$(printf "%s" "$asked" | sed \'s/.*"device_code":"\\([^"]*\\)".*/\\1/\')',
  'code=$(printf "%s" "$asked" | sed \'s/.*"user_code":"\\([^"]*\\)".*/\\1/\')',
]

/** The user opens the page, and presses a button. */
const press = (button: string): string[] => [
  `jar=$(mktemp); csrf=$(${CURL} -c "$jar" "$LAB/device?user_code=$code" | sed -n 's/.*name="csrf" value="\\([^"]*\\)".*/\\1/p')`,
  `${CURL} -b "$jar" -o /dev/null -d "user_code=$code" --data-urlencode "csrf=$csrf" ${button} "$LAB/device"`,
]

const ALLOW = press('-d username=alice -d password=wonderland')
const REFUSE = press('-d cancel=yes')

const POLL = `${CURL} -u ${DEMO} -d grant_type=${DEVICE_GRANT} -d "device_code=$device" "$LAB/token"`

export const lesson: Lesson = {
  name: '19-devices',
  title: 'Devices without a keyboard, and phishing',
  minutes: 8,
  after: ['06-one-use'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'A television has no keyboard. It shows a short code and an address. {user} opens the address on a phone, types the code, logs in and allows; meanwhile the television asks /token again and again. Nothing connects the phone to the television but that code.',
  ],
  prediction: {
    question:
      'An attacker starts this at home, and sends {user} the link in a mail. {user} logs in and allows. Who gets the tokens?',
    options: [
      {
        text: 'Nobody: the link came by another computer than the one that asked.',
        misconception: 'bearer-is-bound',
        reply: 'Two computers are how this grant works. The server cannot know whose television it is.',
      },
      {
        text: '{user}, who logged in at the real server.',
        misconception: 'consent-is-authentication',
        reply: 'The login was genuine, and so was the agreement. The tokens go to the device that asked.',
      },
      {
        text: 'The attacker: tokens go to the device that asked.',
        reply: 'The page was genuine, the address was right, a second factor would have helped nobody.',
      },
    ],
  },
  tasks: [
    {
      name: 'let-in',
      say: [
        'Let a device in. The flow waits as long as the server asks it to:',
        '  oauth-lab flow device --client {client} --user {user}',
      ],
      check: inOrder(
        { event: 'device_code.issued', why: 'No device has asked to be let in yet.' },
        { event: 'device_code.approved', why: 'The device asked, and {user} has not let it in yet.' },
        {
          event: 'token.issued',
          where: { grant_type: DEVICE_GRANT },
          why: '{user} let the device in. It has not fetched its tokens yet.',
        },
      ),
      mistakes: [
        {
          event: 'device_code.denied',
          why: '{user} pressed Refuse, so this device gets nothing.',
          again: 'Refused again. Log in on the page of the device, and allow it.',
        },
        {
          event: 'token.refused',
          where: { error: 'invalid_grant' },
          why: 'The server does not know that device_code.',
          again: 'Still unknown. The device keeps device_code, and shows user_code.',
        },
      ],
      hints: {
        question: 'Which two codes does the device get, and which of them does it show?',
        place: 'POST /device_authorization, the page /device, and POST /token until it answers.',
        line: 'oauth-lab flow device --client {client} --user {user}',
      },
      solutions: {
        cli: ['oauth-lab flow device --client {client} --user {user}'],
        curl: [...ASK, ...ALLOW, POLL],
      },
      nearMisses: [
        {
          name: 'a refusal',
          lines: [...ASK, ...REFUSE, POLL],
          why: 'alice pressed Refuse, so this device gets nothing.',
        },
        {
          name: 'a device that is too early',
          lines: [...ASK, POLL],
          why: 'The device asked, and alice has not let it in yet.',
        },
        {
          name: 'a guessed device code',
          lines: ['oauth-lab flow device --client demo --user alice --tamper guessed-device-code'],
          why: 'The server does not know that device_code.',
        },
      ],
    },
    attackTask(
      'device-phishing',
      'See the attack of the prediction at a page that only asks for the code, and at one that says whose device would be let in:',
    ),
    logTask({
      logs: [
        [
          'device_code.issued client_id=demo scope=records:read',
          'login.shown client_id=demo scope=records:read',
          'login.succeeded client_id=demo username=alice',
          'device_code.approved client_id=demo username=alice',
          'token.issued client_id=demo sub=alice',
        ],
        [
          'login.failed client_id=demo username=alice reason=credentials',
          'device_code.issued client_id=demo scope=records:read',
          'login.shown client_id=demo scope=records:read',
          'device_code.denied client_id=demo',
          'token.refused client_id=demo error=access_denied',
        ],
      ],
      defended: 'B',
      lines: [4, 5],
      fooled:
        'In log A alice logged in herself, at the real server, and let a device in that is not hers. No line of it is an error.',
      question: 'No program can refuse here. Which line says that a person did?',
    }),
  ],
  explanation: [
    'The only defence is a person who reads. So the page says that a device is asking, shows the code, and asks {user} to go on only if her own device shows it now. The code is good for minutes, and wrong ones are limited, so that nobody guesses one.',
    'A device that asks too early hears authorization_pending; one that asks too often hears slow_down, and has to wait five seconds longer.',
  ],
  remember: [
    'The device grant is for devices that cannot open a browser, and for nothing else.',
    'Allow only a code that you can see on your own device.',
  ],
  rule: 'RFC 8628 §5.4',
  weak: { mode: 'device-no-warning', line: 'oauth-lab attack run device-phishing' },
  stretch: [
    'A mail says: type this code at the real address. The link is gone, the attack is not. What could the page ask, so that people notice?',
  ],
}
