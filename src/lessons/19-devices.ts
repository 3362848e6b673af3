import { CURL, DEMO } from './curl-lines.js'
import { answered, inOrder } from './engine/vocabulary.js'
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
  minutes: 7,
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
    {
      name: 'defence',
      say: [
        'See the attack of the prediction succeed, and then fail:',
        '  oauth-lab attack run device-phishing',
        '  oauth-lab attack run device-phishing --strict',
        'The second lab differs in one check. Its name stands behind “defended”:',
        '  oauth-lab learn check --answer NAME',
      ],
      check: answered({
        right: ['device_warning', 'device-warning', 'device warning', 'warning'],
        why: 'There is no answer yet.',
        otherwise: 'It is the word behind “defended” in the run with --strict.',
        wrong: [
          {
            when: ['pkce', 'state', 'redirect_uri', 'redirect'],
            why: 'This grant has no redirect, so that check is not part of it. See the line “no help”.',
          },
          {
            when: ['mfa', '2fa', 'second factor', 'password', 'login'],
            why: '{user} logs in herself, with all her factors. What did the page say before that?',
          },
        ],
      }),
      mistakes: [],
      hints: {
        question: 'What does {user} read on the page of the strict lab, and not on the other?',
        place: 'Step 3 of both runs, and the line that begins with “defended”.',
        line: 'oauth-lab learn check --answer device_warning',
      },
      solutions: { cli: ['oauth-lab learn check --answer device_warning'], curl: [] },
      nearMisses: [
        {
          name: 'PKCE',
          lines: ['oauth-lab learn check --answer PKCE'],
          why: 'This grant has no redirect, so that check is not part of it. See the line “no help”.',
        },
        {
          name: 'a second factor',
          lines: ['oauth-lab learn check --answer "second factor"'],
          why: 'alice logs in herself, with all her factors. What did the page say before that?',
        },
      ],
    },
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
