import { ALICE, authorizeLines, CURL, callResource, DEMO, HERE, tokenLines } from './curl-lines.js'
import { answered, inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

/** Puts a member of `$answer` into a variable of the shell. */
const member = (variable: string, name: string): string =>
  `${variable}=$(printf '%s' "$answer" | sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/')`

/** A browser that keeps its session in `$jar`, and the tokens of its login in `$token`, `$refresh` and `$hint`. */
const LOGIN = [
  ...authorizeLines({ ...ALICE, more: '&scope=openid' }).map(line =>
    line.replace('-b "$jar" -o', '-b "$jar" -c "$jar" -o'),
  ),
  ...tokenLines(DEMO),
  member('refresh', 'refresh_token'),
  member('hint', 'id_token'),
]

/** The logout that a client starts: the ID token says whose session is to end. */
const LOGOUT = `${CURL} -b "$jar" -o /dev/null "$LAB/end-session?id_token_hint=$hint"`

const REVOKE = `${CURL} -u ${DEMO} -d "token=$refresh" "$LAB/revocation"`

const REFRESH = `${CURL} -u ${DEMO} -d grant_type=refresh_token -d "refresh_token=$refresh" "$LAB/token"`

/** A solution, with the addresses before the lines of oauth-lab. */
const solved = (...lines: readonly string[]) => ({ cli: [HERE, ...lines], curl: lines })

const FIRST = { event: 'token.issued', why: 'There is no token yet: {user} has to log in once.' } as const

const ENDED = {
  event: 'session.ended',
  why: 'The token is there, and {user} is still logged in. Open /end-session in the browser of the login.',
} as const

export const lesson: Lesson = {
  name: '15-logout',
  title: 'Logout, and what it does not end',
  minutes: 9,
  after: ['13-revocation', '14-id-token'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'A login leaves four things: a session at the server (a cookie, so that the next client need not ask for the password), a session at the client, an access token and a refresh token. A client that logs {user} out sends the browser to /end-session: RP-initiated logout.',
  ],
  prediction: {
    question:
      '{user} logs out at the server. A minute later the access token of before comes to the resource server. What happens?',
    options: [
      {
        text: 'It is refused: {user} has logged out.',
        misconception: 'logout-revokes-tokens',
        reply:
          'The logout ended a session. The resource server reads the token, and asks nobody about sessions.',
      },
      {
        text: 'It is refused: the browser that it belongs to has no cookie any more.',
        misconception: 'bearer-is-bound',
        reply: 'A bearer token belongs to no browser. The resource server has never seen that cookie.',
      },
      {
        text: 'It is accepted: the logout ended a session, and no token.',
        reply: 'Session and tokens came from one login, and live on their own from then on.',
      },
    ],
  },
  tasks: [
    {
      name: 'logout',
      say: [
        'Log in with your browser, keep the tokens, and then log out in the same browser:',
        '  oauth-lab flow code --client {client} --user {user} --browser --show-secrets',
        '  {lab}/end-session',
        'Without a browser: oauth-lab learn solution has the lines for curl.',
      ],
      check: inOrder(FIRST, ENDED),
      mistakes: [
        {
          event: 'logout.shown',
          why: 'The server asks whether it was you who wants to log out. Press the button.',
          again: 'The question again, without an answer. An ID token as id_token_hint makes it needless.',
        },
        {
          event: 'logout.refused',
          anyone: true,
          why: 'The server refused that logout request: see its page.',
          again: 'Refused again. Open /end-session without any parameter.',
        },
      ],
      hints: {
        question: 'Where does the session live that you want to end, and who has its cookie?',
        place: 'GET /end-session of the authorization server, in the browser that logged in.',
        line: '{lab}/end-session',
      },
      solutions: solved(...LOGIN, LOGOUT),
      nearMisses: [
        {
          name: 'no logout',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'The token is there, and alice is still logged in. Open /end-session in the browser of the login.',
        },
        {
          name: 'a question without an answer',
          lines: [...LOGIN, `${CURL} -b "$jar" "$LAB/end-session"`],
          why: 'The server asks whether it was you who wants to log out. Press the button.',
        },
        {
          name: 'a logout in another browser',
          lines: [...LOGIN, `${CURL} "$LAB/end-session?id_token_hint=$hint"`],
          why: 'The token is there, and alice is still logged in. Open /end-session in the browser of the login.',
        },
      ],
    },
    {
      name: 'still-works',
      say: [
        'The session has ended. Show the access token to the resource server:',
        '  curl -H "Authorization: Bearer TOKEN" https://localhost:8444/resource',
      ],
      check: inOrder(FIRST, ENDED, {
        event: 'resource.accepted',
        why: 'The session has ended. Nobody has shown the token to the resource server since.',
      }),
      mistakes: [
        {
          event: 'resource.refused',
          anyone: true,
          why: 'The resource server was asked without a token, or with half of one.',
          again: 'Still no good token. Copy the access token whole, behind the word Bearer.',
        },
      ],
      hints: {
        question: 'Which server could refuse the token, and what does that server know of the logout?',
        place: 'GET /resource with the access token of the login before.',
        line: 'curl -H "Authorization: Bearer TOKEN" https://localhost:8444/resource',
      },
      solutions: solved(...LOGIN, LOGOUT, callResource),
      nearMisses: [
        {
          name: 'the token before the logout',
          lines: [...LOGIN, callResource, LOGOUT],
          why: 'The session has ended. Nobody has shown the token to the resource server since.',
        },
        {
          name: 'no token',
          lines: [...LOGIN, LOGOUT, `${CURL} "$RESOURCE/resource"`],
          why: 'The resource server was asked without a token, or with half of one.',
        },
      ],
    },
    {
      name: 'revoke',
      say: [
        'A client that means it revokes its refresh token too. Revoke it, and try to refresh with it:',
        '  curl -u {client}:SECRET -d token=REFRESH_TOKEN {lab}/revocation',
        '  curl -u {client}:SECRET -d grant_type=refresh_token \\',
        '    -d refresh_token=REFRESH_TOKEN {lab}/token',
      ],
      check: inOrder(
        ENDED,
        {
          event: 'refresh_token.revoked',
          why: 'The session has ended, and the refresh token is as good as before. Send it to /revocation.',
        },
        {
          event: 'token.refused',
          where: { grant_type: 'refresh_token', error: 'invalid_grant' },
          why: 'The refresh token is revoked. Now see whether it still brings an access token.',
        },
      ),
      mistakes: [
        {
          event: 'refresh_token.rotated',
          why: 'That brought a new access token, after the logout. Revoke the refresh token that came with it.',
          again: 'It works again and again. Send the newest refresh token to /revocation.',
        },
        {
          event: 'revocation.refused',
          anyone: true,
          why: 'The server does not believe that this is {client}.',
          again: 'Refused again. /revocation wants the credentials of the client, as /token does.',
        },
      ],
      hints: {
        question: 'Which of the two tokens would bring new ones for weeks?',
        place: 'POST /revocation with token=REFRESH_TOKEN, then POST /token.',
        line: 'curl -u {client}:SECRET -d token=REFRESH_TOKEN {lab}/revocation',
      },
      solutions: solved(...LOGIN, LOGOUT, REVOKE, REFRESH),
      nearMisses: [
        {
          name: 'a refresh without a revocation',
          lines: [...LOGIN, LOGOUT, REFRESH],
          why: 'That brought a new access token, after the logout. Revoke the refresh token that came with it.',
        },
        {
          name: 'a revocation that nobody tries',
          lines: [...LOGIN, LOGOUT, REVOKE],
          why: 'The refresh token is revoked. Now see whether it still brings an access token.',
        },
        {
          name: 'a wrong secret',
          lines: [...LOGIN, LOGOUT, REVOKE.replace(DEMO, 'demo:guess')],
          why: 'The server does not believe that this is demo.',
        },
      ],
    },
    {
      name: 'ended',
      say: [
        'Which of the four did /end-session end, all by itself? 1 the session at the server, 2 the session at the client, 3 the access token, 4 the refresh token:',
        '  oauth-lab learn check --answer NUMBER',
      ],
      check: answered({
        right: ['1', 'session at server', 'the session at the server', '1 the session at the server'],
        why: 'There is no answer yet.',
        otherwise: 'Answer with one number from 1 to 4.',
        wrong: [
          {
            when: ['2', 'session at client', 'session at the client'],
            why: 'The client has a cookie of its own, which the server cannot see. Who ends that?',
            again: 'Not that one: the client ends its own session, before it sends the browser on.',
          },
          { when: ['3', 'access token'], why: 'You used the access token after the logout.' },
          { when: ['4', 'refresh token'], why: 'That one ended when you revoked it, and not before.' },
          {
            when: ['all', 'all of them', '1 2 3 4'],
            why: 'One alone. The events show what ended, and when.',
          },
        ],
      }),
      mistakes: [],
      hints: {
        question: 'Which event did the request to /end-session bring?',
        place: 'oauth-lab learn explain: the event that ends with .ended.',
        line: 'oauth-lab learn check --answer 1',
      },
      solutions: { cli: ['oauth-lab learn check --answer 1'], curl: [] },
      nearMisses: [
        {
          name: 'the access token',
          lines: ['oauth-lab learn check --answer 3'],
          why: 'You used the access token after the logout.',
        },
        {
          name: 'the session at the client',
          lines: ['oauth-lab learn check --answer 2'],
          why: 'The client has a cookie of its own, which the server cannot see. Who ends that?',
        },
      ],
    },
  ],
  explanation: [
    'RP-initiated logout ends the session at the server, so that the next client has to ask for the password again. The client ends its own session before that. Tokens are ended by time, or at /revocation; and a resource server that reads JWTs by itself notices not even that before they expire.',
    'So a logout that means “stop everything” has four parts, and a client does three of them itself. Other clients where {user} is logged in notice nothing, unless the server informs them too.',
  ],
  remember: [
    'Session at the server, session at the client, access token, refresh token: four lives, four ends.',
    'Log out: end your own session, revoke the refresh token, then send the browser to /end-session.',
  ],
  rule: 'OpenID Connect RP-Initiated Logout §2',
  weak: { mode: 'no-expiry', line: 'oauth-lab attack run expired-token' },
  stretch: [
    'Log in again and open /end-session with the ID token as id_token_hint, and then without. Why does the server ask only once? What could another site do otherwise?',
  ],
}
