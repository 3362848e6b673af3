import { attackTask, logTask } from './attack-tasks.js'
import { CURL } from './curl-lines.js'
import { oneOf, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

const asked = (address: string): string =>
  `${CURL} "$LAB/authorization?response_type=code&client_id=demo&redirect_uri=${encodeURIComponent(address)}"`

/** A refusal because of the address. */
const ABOUT_ADDRESS = { channel: 'page', description: { begins: 'redirect_uri' } } as const

export const lesson: Lesson = {
  name: '03-registered-addresses',
  title: 'The code goes to registered addresses only',
  minutes: 8,
  after: ['02-not-login'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'The request for authorization names the address that the code is sent to: redirect_uri. Each client registers its own addresses at the server beforehand. Anyone can write such a request, and make {user} click on it. You are now the attacker: you want the code of {user} at your own address.',
  ],
  prediction: {
    question: 'A link asks for the answer at https://evil.example/callback. {user} opens it. What happens?',
    options: [
      {
        text: 'The code goes there. The address is https, so nobody else reads it.',
        misconception: 'https-is-enough',
        reply: 'https would protect the way to evil.example. The thief is at the end of that way.',
      },
      {
        text: 'A page of the server with an error. The browser goes nowhere, whatever the address.',
        reply:
          'The server compares the address with the registered ones, character by character, before anything else.',
      },
      {
        text: 'A page with an error. But an address that begins like the registered one works.',
        misconception: 'redirect-prefix-is-fine',
        reply:
          'http://127.0.0.1 is also the beginning of http://127.0.0.1.evil.example. Prefixes can be bought.',
      },
    ],
  },
  tasks: [
    {
      name: 'foreign',
      say: [
        'Ask for the code at an address that is not registered:',
        '  oauth-lab flow code --client {client} --redirect-uri https://evil.example/callback',
      ],
      check: seen({
        event: 'authorization.refused',
        where: ABOUT_ADDRESS,
        why: 'The server has not met an unregistered address yet.',
      }),
      mistakes: [
        {
          event: 'code.issued',
          why: 'The server issued a code: the address in that request is registered.',
          again:
            'Another code for a registered address. Name one of somebody else: --redirect-uri https://evil.example/callback',
        },
        {
          event: 'authorization.refused',
          where: { channel: 'redirect' },
          why: 'That request was refused for another reason. Its address is good, so the error went there.',
          again: 'Again an error of something else. Only the address must be wrong.',
        },
      ],
      hints: {
        question: 'Which parameter of the request decides where the browser goes next?',
        place: 'Step 1, the parameter redirect_uri of the authorization request.',
        line: 'oauth-lab flow code --client {client} --redirect-uri https://evil.example/callback',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --redirect-uri https://evil.example/callback'],
        curl: [asked('https://evil.example/callback')],
      },
      nearMisses: [
        {
          name: 'the registered address on another port',
          lines: [
            'oauth-lab flow code --client demo --user alice --redirect-uri http://127.0.0.1:0/callback',
          ],
          why: 'The server issued a code: the address in that request is registered.',
        },
        {
          name: 'another mistake',
          lines: ['oauth-lab flow code --client demo --tamper scope-escalation'],
          why: 'That request was refused for another reason. Its address is good, so the error went there.',
        },
      ],
    },
    {
      name: 'look-alike',
      say: [
        'Now be cleverer: an address whose text begins with the registered http://127.0.0.1 but leads to another computer. Think of one, or let the lab do it. With --tamper, the lab spoils one thing of the request on purpose:',
        '  oauth-lab flow code --client {client} --tamper redirect-uri-look-alike',
      ],
      check: oneOf(
        ...['127.0.0.1.', '127.0.0.1@', 'localhost.', 'localhost@', '[::1].', '[::1]@'].map(beginning =>
          seen({
            event: 'authorization.refused',
            where: { ...ABOUT_ADDRESS, evidence: { begins: `http://${beginning}` } },
            why: 'The server has not met a look-alike of the registered address yet.',
          }),
        ),
      ),
      mistakes: [
        {
          event: 'authorization.refused',
          where: ABOUT_ADDRESS,
          why: 'Refused, but that is no look-alike: its name does not begin like the registered one.',
          again:
            'Still another beginning. The text starts with http://127.0.0.1, and the name of the computer goes on after it.',
        },
        {
          event: 'code.issued',
          why: 'The server issued a code: that address leads to this computer, and is registered.',
          again: 'Again this computer. The name after http:// must end in a domain of the attacker.',
        },
      ],
      hints: {
        question: 'Where does the name of the computer end in http://127.0.0.1.evil.example/callback?',
        place:
          'redirect_uri again. The server says on its page, and in the event, in which part the address differs.',
        line: 'oauth-lab flow code --client {client} --tamper redirect-uri-look-alike',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --tamper redirect-uri-look-alike'],
        curl: [asked('http://127.0.0.1.evil.example/callback')],
      },
      nearMisses: [
        {
          name: 'an address that begins differently',
          lines: [asked('https://evil.example/callback')],
          why: 'Refused, but that is no look-alike: its name does not begin like the registered one.',
        },
        {
          name: 'the registered address',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'The server issued a code: that address leads to this computer, and is registered.',
        },
      ],
    },
    attackTask(
      'stolen-code',
      'This server refused by comparing. See the same link meet a server that compares only the beginning, and then a strict one:',
    ),
    logTask({
      logs: [
        [
          'login.failed client_id=demo username=alice reason=credentials',
          'login.succeeded client_id=demo username=alice',
          'authorization.requested redirect_uri=https://127.0.0.1:36469/catch',
          'session.resumed client_id=notes-app username=alice',
          'code.issued client_id=notes-app username=alice',
          'code.redeemed client_id=notes-app username=alice',
        ],
        [
          'login.succeeded client_id=demo username=alice',
          'code.issued client_id=demo username=alice',
          'authorization.refused client_id=notes-app channel=page',
        ],
      ],
      defended: 'B',
      lines: [3],
      fooled: 'In log A a code went to /catch at another port, and somebody redeemed it. That is the theft.',
      question: 'After which line does the browser go nowhere?',
    }),
  ],
  explanation: [
    'The client registered its addresses before. The server accepts these strings exactly. One thing may differ: the port of a loopback address, because a program on your own computer gets another port at each start. An error about the address is shown on a page: a redirect would carry it to the attacker, and would make the server an open redirector.',
  ],
  remember: [
    'Addresses are compared as strings, whole. No prefixes, no patterns, no "same domain".',
    'A wrong client or a wrong address is never answered by a redirect.',
  ],
  rule: 'RFC 9700 §4.1.3',
  weak: {
    mode: 'redirect-any',
    line: 'oauth-lab attack run stolen-code --weak redirect-any',
  },
  stretch: [
    'Try redirect-uri-user-info, redirect-uri-path and redirect-uri-query of oauth-lab tamper list. For each one: which comparison would it fool?',
  ],
}
