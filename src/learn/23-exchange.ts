import { ALICE, authorizeLines, CURL, DEMO, tokenLines } from './curl-lines.js'
import { inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

const TOKEN = [...authorizeLines(ALICE), ...tokenLines(DEMO)]

const exchange = (more: string): string =>
  `${CURL} -u ${DEMO} -d grant_type=${EXCHANGE} -d "subject_token=$token" \\
  -d subject_token_type=urn:ietf:params:oauth:token-type:access_token ${more} "$LAB/token"`

export const lesson: Lesson = {
  name: '23-exchange',
  title: 'Token exchange: one service calls the next',
  minutes: 6,
  after: ['11-audience'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'A photo service got the token of {user}, and needs the storage service to answer. It could pass the token on. With token exchange it shows the token at /token, and gets another one: about {user} still, and for the storage service alone.',
  ],
  prediction: {
    question: 'The token of {user} has the scope records:read. The service exchanges it, and asks for more.',
    options: [
      {
        text: 'It gets more, if {user} may do more.',
        misconception: 'scope-is-what-the-user-may',
        reply: '{user} may do more, and agreed to records:read. The new token cannot exceed the old one.',
      },
      {
        text: 'It gets more: the service has a secret of its own.',
        misconception: 'own: the credentials of a client widen the permission of a user',
        reply: 'The secret says who is asking. What {user} agreed to stands in the token that is shown.',
      },
      {
        text: 'It is refused: a new token is never good for more than the old one.',
        reply: 'An exchange can narrow: less scope, another audience. It cannot widen.',
      },
    ],
  },
  tasks: [
    {
      name: 'narrow',
      say: [
        'Exchange the token of {user} for one that is good at demo-service:',
        '  oauth-lab flow token-exchange --client {client} --user {user} --audience demo-service',
      ],
      check: inOrder(
        { event: 'token.issued', why: 'There is no token of {user} yet that could be exchanged.' },
        {
          event: 'token.issued',
          where: { grant_type: EXCHANGE, aud: 'demo-service' },
          why: 'The token of {user} is there. Nobody has exchanged it for one for demo-service yet.',
        },
      ),
      mistakes: [
        {
          event: 'token.issued',
          where: { grant_type: EXCHANGE },
          why: 'The token was exchanged, for another audience than demo-service.',
          again: 'Again another audience. Add --audience demo-service.',
        },
        {
          event: 'token.refused',
          where: { grant_type: EXCHANGE },
          why: 'The server refused the exchange: the token that was shown is not a good one.',
          again: 'Refused again. subject_token is the access token of {user}, as it came.',
        },
      ],
      hints: {
        question: 'How does the service say for whom the new token shall be?',
        place: 'POST /token with subject_token and audience.',
        line: 'oauth-lab flow token-exchange --client {client} --user {user} --audience demo-service',
      },
      solutions: {
        cli: ['oauth-lab flow token-exchange --client {client} --user {user} --audience demo-service'],
        curl: [...TOKEN, exchange('-d audience=demo-service')],
      },
      nearMisses: [
        {
          name: 'no exchange',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'The token of alice is there. Nobody has exchanged it for one for demo-service yet.',
        },
        {
          name: 'another audience',
          lines: [...TOKEN, exchange('-d audience=demo-spa')],
          why: 'The token was exchanged, for another audience than demo-service.',
        },
        {
          name: 'a forged token',
          lines: ['oauth-lab flow token-exchange --client demo --user alice --tamper altered-subject-token'],
          why: 'The server refused the exchange: the token that was shown is not a good one.',
        },
      ],
    },
    {
      name: 'widen',
      say: [
        'Now the service is greedy, and asks for a scope that {user} never agreed to:',
        '  oauth-lab flow token-exchange --client {client} --user {user} --tamper widened-scope',
      ],
      check: inOrder(
        { event: 'token.issued', why: 'There is no token of {user} yet that could be exchanged.' },
        {
          event: 'token.refused',
          where: { grant_type: EXCHANGE, error: 'invalid_scope' },
          why: 'Nobody has asked for more scope than the token of {user} has.',
        },
      ),
      mistakes: [
        {
          event: 'token.issued',
          where: { grant_type: EXCHANGE },
          why: 'That exchange asked for no more than the token had, so it was allowed.',
          again: 'Allowed again. The member scope has to name something that the token lacks.',
        },
        {
          event: 'token.refused',
          where: { grant_type: EXCHANGE, error: 'invalid_request' },
          why: 'The server refused the token itself, before it read the scope.',
          again: 'The token is still refused. Show it as it came, and change the scope alone.',
        },
      ],
      hints: {
        question: 'Which scope has the token of {user}, and which one has it not?',
        place: 'POST /token with subject_token and scope=openid.',
        line: 'oauth-lab flow token-exchange --client {client} --user {user} --tamper widened-scope',
      },
      solutions: {
        cli: ['oauth-lab flow token-exchange --client {client} --user {user} --tamper widened-scope'],
        curl: [...TOKEN, exchange('-d scope=records:write')],
      },
      nearMisses: [
        {
          name: 'the same scope',
          lines: ['oauth-lab flow token-exchange --client demo --user alice'],
          why: 'That exchange asked for no more than the token had, so it was allowed.',
        },
        {
          name: 'a forged token',
          lines: ['oauth-lab flow token-exchange --client demo --user alice --tamper altered-subject-token'],
          why: 'The server refused the token itself, before it read the scope.',
        },
      ],
    },
  ],
  explanation: [
    'A token that is passed on works at every service on its way, and each of them can use it as {user}. An exchanged one is good at the next service alone. So a service that was broken into loses what it was sent, and nothing else.',
    'In the new token sub is still {user}. With an actor_token the server also writes down who acts for {user}, in the claim act: that is delegation. Without one the service acts as {user}: impersonation.',
  ],
  remember: ['Exchange a token, do not pass it on.', 'The new token never has more scope than the old one.'],
  rule: 'RFC 8693 §2.1',
  stretch: [
    'Exchange the exchanged token once more, with --token -. For which audience can you still ask, and what is client_id in the new token?',
  ],
}
