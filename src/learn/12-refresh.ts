import { attackTask, logTask } from './attack-tasks.js'
import { ALICE, authorizeLines, CURL, DEMO, redeemLines } from './curl-lines.js'
import { inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

/** Redeems `$code`, and puts the refresh token into `$refresh`. */
const FIRST = [
  `answer=$(${redeemLines(DEMO).join('\n')})`,
  'refresh=$(printf "%s" "$answer" | sed \'s/.*"refresh_token":"\\([^"]*\\)".*/\\1/\')',
]

/** Sends `$refresh` to the token endpoint. */
const REFRESH = `${CURL} -u ${DEMO} -d grant_type=refresh_token -d "refresh_token=$refresh" "$LAB/token"`

export const lesson: Lesson = {
  name: '12-refresh',
  title: 'Refresh tokens: a new one each time',
  minutes: 8,
  after: ['11-audience'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'An access token of this lab ends after an hour. With it the client got a refresh token, which it sends to /token for a new access token, without {user}. It lives for thirty days, so a thief would rather have this one.',
  ],
  prediction: {
    question:
      'A client refreshes once. Then a thief sends the same refresh token, which he had copied before. What happens?',
    options: [
      {
        text: 'The thief gets an access token. Refresh tokens are good for thirty days.',
        misconception: 'refresh-tokens-live-for-ever',
        reply: 'Thirty days is the limit of the whole line. Each single one is good for one use.',
      },
      {
        text: 'The thief gets an error, and the client notices nothing.',
        misconception: 'bearer-is-bound',
        reply: 'Both hold the same text, so the server cannot know which is which. It must assume a theft.',
      },
      {
        text: 'The thief gets an error, and all tokens of this login are revoked.',
        reply: 'A refresh token that comes twice is in two hands. The server ends the whole line.',
      },
    ],
  },
  tasks: [
    {
      name: 'rotate',
      say: [
        'Refresh once, and see the refresh token be replaced:',
        '  oauth-lab flow refresh --client {client} --user {user}',
      ],
      check: inOrder(
        {
          event: 'token.issued',
          where: { grant_type: 'authorization_code' },
          why: 'There is no first token yet: {user} has to log in once.',
        },
        {
          event: 'refresh_token.rotated',
          why: 'The refresh token is there. Nobody has sent it to /token yet.',
        },
      ),
      mistakes: [
        {
          event: 'token.refused',
          where: { grant_type: 'refresh_token', error: 'invalid_grant' },
          why: 'The server did not know that refresh token: it was never issued, or not to {client}.',
          again: 'Still unknown. Take the member refresh_token of the answer, as it is.',
        },
      ],
      hints: {
        question: 'What does the client send to get a token without {user}?',
        place: 'POST /token with grant_type=refresh_token, and the refresh token of the first answer.',
        line: 'oauth-lab flow refresh --client {client} --user {user}',
      },
      solutions: {
        cli: ['oauth-lab flow refresh --client {client} --user {user}'],
        curl: [...authorizeLines(ALICE), ...FIRST, REFRESH],
      },
      nearMisses: [
        {
          name: 'a flow that never refreshes',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'The refresh token is there. Nobody has sent it to /token yet.',
        },
        {
          name: 'a guessed refresh token',
          lines: [...authorizeLines(ALICE), ...FIRST, 'refresh=guess', REFRESH],
          why: 'The server did not know that refresh token: it was never issued, or not to demo.',
        },
      ],
    },
    {
      name: 'reuse',
      say: [
        'Now be the thief: send the old refresh token again, after the client used it.',
        '  oauth-lab flow refresh --client {client} --user {user} --tamper reuse-refresh-token',
      ],
      check: inOrder(
        { event: 'refresh_token.rotated', why: 'No refresh token was used yet.' },
        {
          event: 'refresh_token.reused',
          same: ['refresh_token'],
          why: 'The refresh token was replaced. Nobody has sent the old one again yet.',
        },
        { event: 'token.revoked', why: 'The old one came again, but nothing was revoked.' },
      ),
      mistakes: [
        {
          event: 'token.refused',
          where: { grant_type: 'refresh_token', error: 'invalid_grant' },
          why: 'The server refused a refresh token that it had never replaced. The alarm needs one that was used.',
          again: 'Still not a used one. First refresh, and keep the refresh token that you sent.',
        },
      ],
      hints: {
        question: 'Which of the two refresh tokens does the thief have: the old or the new one?',
        place: 'POST /token twice with the same refresh_token.',
        line: 'oauth-lab flow refresh --client {client} --user {user} --tamper reuse-refresh-token',
      },
      solutions: {
        cli: ['oauth-lab flow refresh --client {client} --user {user} --tamper reuse-refresh-token'],
        curl: [...authorizeLines(ALICE), ...FIRST, REFRESH, REFRESH],
      },
      nearMisses: [
        {
          name: 'one use',
          lines: [...authorizeLines(ALICE), ...FIRST, REFRESH],
          why: 'The refresh token was replaced. Nobody has sent the old one again yet.',
        },
        {
          name: 'a guessed refresh token',
          lines: ['oauth-lab flow refresh --client demo --user alice --tamper guessed-refresh-token'],
          why: 'The server refused a refresh token that it had never replaced. The alarm needs one that was used.',
        },
      ],
    },
    attackTask(
      'refresh-theft',
      'See a thief do that at a server that never replaces a refresh token, and at a strict one:',
    ),
    logTask({
      logs: [
        [
          'token.issued grant_type=authorization_code client_id=demo-native',
          'refresh_token.rotated refresh_token=JOv-…l2X replaced_by=JOv-…HV4',
          'token.issued grant_type=refresh_token client_id=demo-native',
          'refresh_token.reused refresh_token=JOv-…l2X',
          'token.revoked client_id=demo-native username=alice',
        ],
        [
          'token.issued grant_type=authorization_code client_id=demo-native',
          'token.refused client_id=demo error=invalid_client',
          'token.issued grant_type=refresh_token client_id=demo-native',
          'token.issued grant_type=refresh_token client_id=demo-native',
          'resource.accepted client_id=demo-native path=/records',
        ],
      ],
      defended: 'A',
      lines: [4, 5],
      fooled:
        'In log B nothing was replaced: the second refresh worked as the first, for anyone who sent it.',
      question: 'Which line says that the same refresh token came twice?',
    }),
  ],
  explanation: [
    'Each answer brought a new refresh token and ended the old one. When the old one came again, the server did what it does with a code that comes twice: it ended every token of this login, because it cannot know which of the two senders is honest. {user} logs in once more, and the thief has nothing.',
    'A client that can keep a key binds its refresh tokens to it instead. A later lesson is about DPoP.',
  ],
  remember: [
    'A refresh token is for the authorization server, never for a resource server.',
    'Rotation turns a stolen refresh token into an alarm.',
  ],
  rule: 'RFC 9700 §4.14.2',
  weak: { mode: 'no-rotation', line: 'oauth-lab attack run refresh-theft' },
  stretch: [
    'The answer to a refresh is lost on its way, and the client repeats it. What does the server see? Which client loses?',
  ],
}
