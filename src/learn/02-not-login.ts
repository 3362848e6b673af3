import { ALICE, authorizeLines, CURL, DEMO, redeemLines, SERVICE } from './curl-lines.js'
import { inOrder, probed, seen } from './engine/vocabulary.js'
import type { Lesson, NearMiss } from './model.js'

const CHECK = 'oauth-lab learn check -- node client.mjs'

/** A client with the check of this lesson, changed by one line of sed. */
const changed = (name: string, edit: string, why: string): NearMiss => ({
  name,
  lines: ['rm -f client.mjs; oauth-lab learn new --lesson 3', `sed -i.before "${edit}" client.mjs`, CHECK],
  why,
})

export const lesson: Lesson = {
  name: '02-not-login',
  title: 'Authorization is not login',
  minutes: 9,
  after: ['01-who-is-who'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'An access token opens a door at the resource server. Many web sites conclude: anyone who brings a token of {user} is {user}. This lesson shows a token that a program got for itself, without any person, and the document that does speak of a login: the ID token.',
  ],
  prediction: {
    question: 'A client asks for an access token, and no person takes part. What does the server do?',
    options: [
      {
        text: 'It refuses. A token means that somebody logged in.',
        misconception: 'oauth-is-login',
        reply: 'A token means that a client may do something. No login is needed for that.',
      },
      {
        text: 'It issues a token. The client itself stands in it where a user would stand.',
        reply:
          'A way to get a token is called a grant; this one is client credentials. The token is as good as any other.',
      },
      {
        text: 'It issues the token later, when a user has agreed.',
        misconception: 'consent-is-authentication',
        reply:
          'The client asks for itself, so there is nobody to agree. And agreeing does not prove who agreed.',
      },
    ],
  },
  tasks: [
    {
      name: 'no-person',
      say: [
        'Get an access token without any person, as the client demo-service:',
        '  oauth-lab flow client-credentials --client demo-service',
      ],
      clients: ['demo-service'],
      check: seen({
        event: 'token.issued',
        where: { grant_type: 'client_credentials' },
        why: 'demo-service has no token yet.',
      }),
      mistakes: [
        {
          event: 'token.refused',
          where: { error: 'invalid_client' },
          why: 'The server did not believe that this was demo-service: its secret was wrong.',
          again: 'The secret is still wrong. oauth-lab flow takes it from the lab file.',
        },
        {
          event: 'token.refused',
          why: 'demo-service is registered for the grant client_credentials only.',
          again: 'Again a grant that demo-service may not use. Its only one is client_credentials.',
        },
      ],
      hints: {
        question: 'Which grant needs no user at all?',
        place: 'One POST to /token with grant_type=client_credentials, and no request before it.',
        line: 'oauth-lab flow client-credentials --client demo-service',
      },
      solutions: {
        cli: ['oauth-lab flow client-credentials --client demo-service'],
        curl: [`${CURL} -u ${SERVICE} -d grant_type=client_credentials "$LAB/token"`],
      },
      nearMisses: [
        {
          name: 'a wrong secret',
          lines: [`${CURL} -u demo-service:guess -d grant_type=client_credentials "$LAB/token"`],
          why: 'The server did not believe that this was demo-service: its secret was wrong.',
        },
        {
          name: 'a grant with a person',
          lines: [
            `${CURL} -u ${SERVICE} -d grant_type=password -d username=alice -d password=wonderland "$LAB/token"`,
          ],
          why: 'demo-service is registered for the grant client_credentials only.',
        },
        {
          name: 'another client',
          lines: ['oauth-lab flow client-credentials --client demo'],
          why: 'That was client demo; this task counts client demo-service and user alice.',
        },
      ],
    },
    {
      name: 'id-token',
      say: [
        'Now ask who is there. The scope of a request lists what the client wants. A client that logs people in puts the word openid into it, and gets an ID token beside the access token:',
        '  oauth-lab flow code --client {client} --user {user} --scope openid',
      ],
      check: inOrder(
        {
          event: 'code.issued',
          where: { scope: { has: 'openid' } },
          why: '{client} has not asked for the scope openid yet.',
        },
        {
          event: 'id_token.issued',
          why: '{user} logged in, but the code was not redeemed: there is no ID token yet.',
        },
      ),
      mistakes: [
        {
          event: 'token.issued',
          where: { id_token: false },
          why: '{client} got an access token alone. Nothing in it says that {user} logged in for {client}.',
          again: 'Still no ID token. The request lacks one scope: --scope openid.',
        },
      ],
      hints: {
        question: 'What must a request say so that the server speaks about the login?',
        place: 'Step 1, the member scope of the authorization request: the token openid.',
        line: 'oauth-lab flow code --client {client} --user {user} --scope openid',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user} --scope openid'],
        curl: [...authorizeLines({ ...ALICE, more: '&scope=openid' }), ...redeemLines(DEMO)],
      },
      nearMisses: [
        {
          name: 'an access token alone',
          lines: ['oauth-lab flow code --client demo --user alice --scope records:read'],
          why: 'demo got an access token alone. Nothing in it says that alice logged in for demo.',
        },
        {
          name: 'a code that nobody redeems',
          lines: authorizeLines({ ...ALICE, more: '&scope=openid' }),
          why: 'alice logged in, but the code was not redeemed: there is no ID token yet.',
        },
      ],
    },
    {
      name: 'audience',
      probe: 'access-token',
      say: [
        'Now a client of your own. Ask for the scope openid, and stop when there is no ID token, or when its aud is not your CLIENT_ID. Let the lab run it six times: three logins are its own, three were made for another client.',
        '  oauth-lab learn new',
        `  ${CHECK}`,
      ],
      check: probed('access-token'),
      mistakes: [],
      hints: {
        question: 'Which member of the answer says for whom it was made?',
        place: 'Behind step 3: the payload of id_token is the text between its two dots, in base64url.',
        line: 'oauth-lab learn new --lesson 3 -o with-login.mjs    and compare the two files',
      },
      solutions: {
        cli: ['rm -f client.mjs; oauth-lab learn new --lesson 3', CHECK],
        curl: [
          'rm -f client.sh; oauth-lab learn new --lesson 3 --language shell',
          'oauth-lab learn check -- sh client.sh',
        ],
      },
      nearMisses: [
        {
          name: 'an access token for a login',
          lines: ['rm -f client.mjs; oauth-lab learn new --lesson 2', CHECK],
          why: 'Your client logged somebody in in 2 of 3 wrong runs: the access token of another client, and no ID token; the tokens that another client got.',
        },
        changed(
          'an aud that is compared with itself',
          's/!== CLIENT_ID/!== claims.aud/',
          'Your client logged somebody in in 1 of 3 wrong runs: the tokens that another client got.',
        ),
        changed(
          'a client that refuses everything',
          's/!== CLIENT_ID/!== 1/',
          'Your client finished no run at all, not even the right ones. A client that refuses everything is safe and useless.',
        ),
      ],
    },
  ],
  explanation: [
    'Both access tokens are real. The first was issued without any person. The second was issued for {user}, but another client could hold it, or could have been given it. The ID token is different: its audience (aud) is {client}, and it says when {user} logged in. A client logs people in by the ID token, and sends the access token to the resource server unread.',
  ],
  remember: [
    'An access token says what a client may do. It is for the resource server.',
    'An ID token says who logged in, when, and for which client. It is for the client.',
  ],
  rule: 'OpenID Connect Core §2',
  weak: { mode: 'implicit-login', line: 'oauth-lab attack run token-substitution' },
  stretch: [
    'Decode both tokens of one run (--json --show-secrets, then oauth-lab jwt decode) and compare aud. Which one could be shown to another site as a login?',
  ],
}
