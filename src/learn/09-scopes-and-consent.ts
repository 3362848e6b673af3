import { ALICE, authorizeLines, CURL, DEMO, RESOURCE, tokenLines } from './curl-lines.js'
import { all, inOrder, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

/** The records of the resource server. */
const RECORDS = `${RESOURCE}/records`

/** Shows `$token` at the records, which need a scope. */
const callRecords = `${CURL} -H "Authorization: Bearer $token" "$RESOURCE/records"`

export const lesson: Lesson = {
  name: '09-scopes-and-consent',
  title: 'Scopes: what this client may, not what the user may',
  minutes: 6,
  after: ['08-client-authentication'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'A client asks for scopes, such as records:read. {user} sees them on the page of the server and agrees. The token then carries them to the resource server. {user} owns her records, and may do everything with them.',
  ],
  prediction: {
    question:
      '{user} may read her records. The client shows a token of hers that has the scope openid only. What does the resource server answer?',
    options: [
      {
        text: 'The records: they belong to {user}, and the token is hers.',
        misconception: 'scope-is-what-the-user-may',
        reply: 'The token says what this client may do for her. She did not lend it her records.',
      },
      {
        text: '401: log in again.',
        misconception: '401-is-403',
        reply: '401 says that no good token came. This one is good, it only allows less.',
      },
      {
        text: '403 insufficient_scope.',
        reply:
          'The token is good, and too weak for this request. The answer names the scope that is missing.',
      },
    ],
  },
  tasks: [
    {
      name: 'too-little',
      say: [
        'This flow goes to the records without a token first, and then with one that has the scope openid only. Compare the two refusals:',
        '  oauth-lab flow resource --client {client} --user {user} \\',
        '    --scope openid --resource https://localhost:8444/records',
      ],
      check: all(
        seen({
          event: 'resource.refused',
          where: { error: 'insufficient_scope' },
          anyone: true,
          why: 'No token with too little scope has reached the records yet.',
        }),
        seen({
          event: 'resource.refused',
          where: { status: 401 },
          anyone: true,
          why: 'That was 403. Now go there without any token, to compare: what does the server ask for?',
        }),
      ),
      mistakes: [
        {
          event: 'resource.accepted',
          why: 'The resource server let that request pass: its token had the scope, or the path needs none.',
          again: 'It passed again. Ask for --scope openid alone, and for the path /records.',
        },
        {
          event: 'resource.refused',
          where: { status: 401 },
          anyone: true,
          why: 'That was 401: no token came, or no good one. This task needs a good token that allows too little.',
          again: 'Still 401. First get a token with the scope openid, then show it at /records.',
        },
      ],
      hints: {
        question: 'Which scope do the records need, and which one must your token lack?',
        place: 'Step 3: scope in the authorization request. Last step: GET /records.',
        line: 'oauth-lab flow resource --client {client} --user {user} --scope openid --resource https://localhost:8444/records',
      },
      solutions: {
        cli: [`oauth-lab flow resource --client {client} --user {user} --scope openid --resource ${RECORDS}`],
        curl: [
          `${CURL} -i "$RESOURCE/records"`,
          ...authorizeLines({ ...ALICE, more: '&scope=openid' }),
          ...tokenLines(DEMO),
          callRecords,
        ],
      },
      nearMisses: [
        {
          name: 'the right scope',
          lines: [
            `oauth-lab flow resource --client demo --user alice --scope records:read --resource ${RECORDS}`,
          ],
          why: 'The resource server let that request pass: its token had the scope, or the path needs none.',
        },
        {
          name: 'no token',
          lines: [`${CURL} "$RESOURCE/records"`],
          why: 'That was 401: no token came, or no good one. This task needs a good token that allows too little.',
        },
        {
          name: 'the weak token alone',
          lines: [...authorizeLines({ ...ALICE, more: '&scope=openid' }), ...tokenLines(DEMO), callRecords],
          why: 'That was 403. Now go there without any token, to compare: what does the server ask for?',
        },
      ],
    },
    {
      name: 'enough',
      say: [
        'Now let the client ask for what it needs, and read the records with it:',
        '  oauth-lab flow resource --client {client} --user {user} \\',
        '    --scope records:read --resource https://localhost:8444/records',
      ],
      check: inOrder(
        {
          event: 'token.issued',
          where: { scope: { has: 'records:read' } },
          why: '{client} has no token with the scope records:read yet.',
        },
        {
          event: 'resource.accepted',
          where: { path: { begins: '/records' } },
          why: 'The token has the scope. Nobody has read /records with it yet.',
        },
      ),
      mistakes: [
        {
          event: 'authorization.refused',
          where: { error: 'invalid_scope' },
          why: 'The server does not know a scope of that name.',
          again: 'Still an unknown scope. The description on the page of the server names the ones it has.',
        },
        {
          event: 'resource.refused',
          where: { error: 'insufficient_scope' },
          anyone: true,
          why: 'The token came to /records, and still lacks the scope records:read.',
          again: 'Still too little. Read scope= in the header WWW-Authenticate of the answer.',
        },
      ],
      hints: {
        question: 'The refusal names the scope that is missing. In which header?',
        place: 'WWW-Authenticate of the answer 403: scope="records:read".',
        line: 'oauth-lab flow resource --client {client} --user {user} --scope records:read --resource https://localhost:8444/records',
      },
      solutions: {
        cli: [
          `oauth-lab flow resource --client {client} --user {user} --scope records:read --resource ${RECORDS}`,
        ],
        curl: [
          ...authorizeLines({ ...ALICE, more: '&scope=records%3Aread' }),
          ...tokenLines(DEMO),
          callRecords,
        ],
      },
      nearMisses: [
        {
          name: 'a scope that does not exist',
          lines: ['oauth-lab flow code --client demo --user alice --scope records:delete'],
          why: 'The server does not know a scope of that name.',
        },
        {
          name: 'a token that stays at home',
          lines: [...authorizeLines({ ...ALICE, more: '&scope=records%3Aread' }), ...tokenLines(DEMO)],
          why: 'The token has the scope. Nobody has read /records with it yet.',
        },
      ],
    },
  ],
  explanation: [
    'A token can do what the scope allows and what {user} may do: the smaller of the two. 401 asks for a token, or for a better one. 403 insufficient_scope says that another login alone does not help: the client has to ask for more, and {user} has to agree.',
    'Her consent says that this client may have the scope. It does not prove to the client who she is.',
  ],
  remember: [
    'Ask for the smallest scope that does the work, when the work needs it.',
    '401: who are you? 403: I know, and this token is too weak.',
  ],
  rule: 'RFC 6750 §3.1',
  weak: { mode: 'consent-skipped', line: 'oauth-lab attack run silent-consent' },
  stretch: [
    'Change a record: POST /records needs another scope. Which, and in which header does the server name it?',
  ],
}
