import { ALICE, authorizeLines, CURL, DEMO, tokenLines } from './curl-lines.js'
import { answered, inOrder, oneOf, probed } from './engine/vocabulary.js'
import type { Lesson, NearMiss } from './model.js'

const LOGIN = { ...ALICE, more: '&scope=openid&nonce=n-0S6_WzA2Mj' }

/** Takes the ID token out of the answer of the token endpoint, and calls it `$token`. */
const SWAP = 'token=$(printf "%s" "$answer" | sed \'s/.*"id_token":"\\([^"]*\\)".*/\\1/\')'

const USERINFO = `${CURL} -H "Authorization: Bearer $token" "$LAB/userinfo"`

const CHECK = 'oauth-lab learn check -- node client.mjs'

/** A client with the check of this lesson, changed by one line of sed. */
const changed = (name: string, edit: string, why: string): NearMiss => ({
  name,
  lines: ['rm -f client.mjs; oauth-lab learn new --lesson 15', `sed -i.before "${edit}" client.mjs`, CHECK],
  why,
})

export const lesson: Lesson = {
  name: '14-id-token',
  title: 'The ID token beside the access token',
  minutes: 12,
  after: ['02-not-login', '06-one-use'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'With the scope openid two tokens come back. The ID token is a letter to the client: {user} logged in, at this time, for this client. The access token is a key for a server, such as /userinfo, which answers with facts about {user}.',
  ],
  prediction: {
    question: 'A client keeps accounts for the people who log in by this server. Whose account is it?',
    options: [
      {
        text: 'That of the e-mail address in the ID token.',
        misconception: 'email-is-identity',
        reply: 'Addresses change hands, and another issuer can write any address into its tokens.',
      },
      {
        text: 'That of the person whom the access token is about.',
        misconception: 'access-token-is-for-the-client',
        reply: 'The access token is not written for the client. Another client may have passed it on.',
      },
      {
        text: 'That of iss and sub of the ID token, taken together.',
        reply: 'The issuer gives a sub to one person and never again. Everything else can change.',
      },
    ],
  },
  tasks: [
    {
      name: 'both',
      say: [
        'Log {user} in, and fetch the facts about {user} with the access token:',
        '  oauth-lab flow code --client {client} --user {user} --scope openid',
      ],
      check: inOrder(
        { event: 'id_token.issued', why: 'There is no ID token for {client} yet.' },
        {
          event: 'userinfo.answered',
          why: 'The ID token is there. Nobody has shown the access token to /userinfo yet.',
        },
      ),
      mistakes: [
        {
          event: 'token.issued',
          where: { id_token: false },
          why: 'Only an access token came: the request did not ask for the scope openid.',
          again: 'Again an access token alone. Write --scope openid.',
        },
      ],
      hints: {
        question: 'Which scope makes the server speak about the login?',
        place: 'scope of the authorization request; then GET /userinfo with the access token.',
        line: 'oauth-lab flow code --client {client} --user {user} --scope openid',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user} --scope openid'],
        curl: [...authorizeLines(LOGIN), ...tokenLines(DEMO), USERINFO],
      },
      nearMisses: [
        {
          name: 'no scope openid',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'Only an access token came: the request did not ask for the scope openid.',
        },
        {
          name: 'no request to userinfo',
          lines: [...authorizeLines(LOGIN), ...tokenLines(DEMO)],
          why: 'The ID token is there. Nobody has shown the access token to /userinfo yet.',
        },
      ],
    },
    {
      name: 'swap',
      say: [
        'Both tokens are signed by the same key. Show the ID token where an access token belongs:',
        '  oauth-lab flow code --client {client} --user {user} --scope openid \\',
        '    --tamper id-token-as-access-token',
      ],
      check: oneOf(
        inOrder(
          { event: 'id_token.issued', why: 'There is no ID token for {client} yet.' },
          {
            event: 'userinfo.refused',
            where: { description: { includes: 'not an access token' } },
            anyone: true,
            why: 'The ID token is there. Nobody has shown it to a server yet.',
          },
        ),
        inOrder(
          { event: 'id_token.issued', why: 'There is no ID token for {client} yet.' },
          {
            event: 'resource.refused',
            where: { rule: 'RFC 8725 §3.12' },
            anyone: true,
            why: 'The ID token is there. Nobody has shown it to a server yet.',
          },
        ),
      ),
      mistakes: [
        {
          event: 'userinfo.answered',
          why: 'That was the access token, and it belongs there.',
          again: 'Again the access token. The other one is the member id_token of the answer of /token.',
        },
        {
          event: 'userinfo.refused',
          where: { description: { includes: 'signature' } },
          anyone: true,
          why: 'That token was refused for its signature. Send the ID token as it came.',
          again: 'The signature is still wrong. Copy all three parts of the ID token, and change nothing.',
        },
      ],
      hints: {
        question: 'Which of the two tokens is not meant for servers?',
        place: 'Authorization: Bearer in the request to /userinfo, with the member id_token of step 5.',
        line: 'oauth-lab flow code --client {client} --user {user} --scope openid --tamper id-token-as-access-token',
      },
      solutions: {
        cli: [
          'oauth-lab flow code --client {client} --user {user} --scope openid --tamper id-token-as-access-token',
        ],
        curl: [...authorizeLines(LOGIN), ...tokenLines(DEMO), SWAP, USERINFO],
      },
      nearMisses: [
        {
          name: 'the access token',
          lines: [...authorizeLines(LOGIN), ...tokenLines(DEMO), USERINFO],
          why: 'That was the access token, and it belongs there.',
        },
        {
          name: 'a token that was changed',
          lines: ['oauth-lab flow code --client demo --user alice --scope openid --tamper altered-token'],
          why: 'That token was refused for its signature. Send the ID token as it came.',
        },
        {
          name: 'an ID token that stays at home',
          lines: [...authorizeLines(LOGIN), ...tokenLines(DEMO)],
          why: 'The ID token is there. Nobody has shown it to a server yet.',
        },
      ],
    },
    {
      name: 'nonce',
      say: [
        'The client sent a random value in step 1, and it came back inside the ID token. Which claim is it?',
        '  oauth-lab learn check --answer NAME',
      ],
      check: answered({
        right: ['nonce', 'claim nonce', 'it is nonce', 'nonce claim'],
        why: 'There is no answer yet.',
        otherwise: 'The claim has the same name as a parameter of step 1.',
        wrong: [
          {
            when: ['state'],
            why: 'state came back in the address, beside the code. Which one came back inside the token?',
            again: 'Not state: it is in no token. Decode the ID token, and compare its claims with step 1.',
          },
          {
            when: ['jti', 'at_hash', 'sub', 'iat', 'auth_time'],
            why: 'The server chose that value. Which one did the client choose?',
          },
        ],
      }),
      mistakes: [],
      hints: {
        question: 'How does the client know that the ID token is the answer to this very login?',
        place: 'The parameters of step 1, and the claims of the ID token.',
        line: 'oauth-lab learn check --answer nonce',
      },
      solutions: { cli: ['oauth-lab learn check --answer nonce'], curl: [] },
      nearMisses: [
        {
          name: 'state',
          lines: ['oauth-lab learn check --answer state'],
          why: 'state came back in the address, beside the code. Which one came back inside the token?',
        },
        {
          name: 'a value of the server',
          lines: ['oauth-lab learn check --answer jti'],
          why: 'The server chose that value. Which one did the client choose?',
        },
      ],
    },
    {
      name: 'client',
      say: [
        'A nonce that nobody compares protects nobody. Make your client send a random nonce, and stop when the ID token has another one. Its beginning: oauth-lab learn new --lesson 14.',
        'The lab runs it six times: three right logins, three with an ID token of another login.',
        `  ${CHECK}`,
      ],
      check: probed('nonce'),
      mistakes: [],
      hints: {
        question: 'Which value can only the login of your client have?',
        place: 'The parameter nonce of step 1, and the claim nonce of the ID token after step 3.',
        line: 'oauth-lab learn new --lesson 15 -o with-nonce.mjs    and compare the two files',
      },
      solutions: {
        cli: ['rm -f client.mjs; oauth-lab learn new --lesson 15', CHECK],
        curl: [
          'rm -f client.sh; oauth-lab learn new --lesson 15 --language shell',
          'oauth-lab learn check -- sh client.sh',
        ],
      },
      nearMisses: [
        {
          name: 'no nonce',
          lines: ['rm -f client.mjs; oauth-lab learn new --lesson 14', CHECK],
          why: 'Your client sends no nonce, or asks for no ID token: the tokens of any login fit it.',
        },
        changed(
          'a constant nonce',
          "s/const nonce = .*/const nonce = 'constant'/",
          'Your client sends the same nonce every time, so the tokens of an older login fit it.',
        ),
        changed(
          'a nonce that is compared with itself',
          's/claims.nonce !== nonce/claims.nonce !== claims.nonce/',
          'Your client accepted the tokens in all 3 wrong runs. Its nonce is sent, but not compared with that of the ID token.',
        ),
      ],
    },
  ],
  explanation: [
    'The ID token says who logged in, and aud says for which client. The server refused it as an access token: any client where {user} ever logged in holds one, and could open records with it.',
    'The nonce ties the ID token to one login in one browser. A thief who puts a stolen code into a login of their own gets an ID token with a foreign nonce, and the client stops.',
    'The answer of /userinfo counts only if its sub is the sub of the ID token.',
  ],
  remember: [
    'The ID token is for the client, the access token for a server. Neither takes the place of the other.',
    'iss and sub together name a person. An e-mail address does not.',
  ],
  rule: 'OpenID Connect Core §3.1.3.7',
  weak: { mode: 'no-nonce', line: 'oauth-lab attack run code-injection' },
  stretch: [
    'Ask for --scope "openid email". In which of the two, ID token or answer of /userinfo, is the address? Why there?',
  ],
}
