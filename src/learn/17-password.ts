import { CURL, DEMO } from './curl-lines.js'
import { inOrder, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

const password = (more: string): string =>
  `${CURL} -u ${DEMO} -d grant_type=password -d username=alice ${more} "$LAB/token"`

export const lesson: Lesson = {
  name: '17-password',
  title: 'Why not the password grant',
  minutes: 5,
  after: ['09-scopes-and-consent'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'In lesson 0 a service logged in with the password of {user}. Some say: our own app may do that, it is no stranger, and it forgets the password at once. This lesson is about what is lost even then.',
  ],
  prediction: {
    question: 'The app has the password, and asks for the scope records:write. What does {user} see?',
    options: [
      {
        text: 'A page that asks whether the app may change records.',
        misconception: 'consent-is-authentication',
        reply: 'There is no page. One request goes from the app to /token, and no browser takes part.',
      },
      {
        text: 'Nothing. The app gets what it asks for.',
        reply: 'Nobody asks {user}, so the app alone decides how much it gets.',
      },
      {
        text: 'A refusal: {user} only meant reading.',
        misconception: 'scope-is-what-the-user-may',
        reply: 'Nobody asked what {user} meant. The scope is limited by what the client may ask for.',
      },
    ],
  },
  tasks: [
    {
      name: 'unasked',
      say: [
        'Take the right to change records, without a question to {user}:',
        '  oauth-lab flow password --client {client} --user {user} --scope records:write',
      ],
      check: seen({
        event: 'token.issued',
        where: { grant_type: 'password', scope: { has: 'records:write' } },
        why: '{client} has not asked for the scope records:write with the password of {user} yet.',
      }),
      mistakes: [
        {
          event: 'token.issued',
          where: { grant_type: 'password' },
          why: 'The password was right, and the token is good for less: its scope lacks records:write.',
          again: 'Again without records:write. Add --scope records:write.',
        },
        {
          event: 'code.issued',
          why: 'That was the code grant: {user} logged in at the server, and was asked there.',
          again: 'Again {user} was asked. The flow of this task is named password.',
        },
      ],
      hints: {
        question: 'Who decides about the scope when nobody is asked?',
        place: 'POST /token with grant_type=password, and scope=records:write.',
        line: 'oauth-lab flow password --client {client} --user {user} --scope records:write',
      },
      solutions: {
        cli: ['oauth-lab flow password --client {client} --user {user} --scope records:write'],
        curl: [password('-d password=wonderland -d scope=records:write')],
      },
      nearMisses: [
        {
          name: 'the usual scope',
          lines: ['oauth-lab flow password --client demo --user alice'],
          why: 'The password was right, and the token is good for less: its scope lacks records:write.',
        },
        {
          name: 'the code grant',
          lines: ['oauth-lab flow code --client demo --user alice --scope records:write'],
          why: 'That was the code grant: alice logged in at the server, and was asked there.',
        },
      ],
    },
    {
      name: 'guess',
      say: [
        'Now the other side. Everybody with a client can guess passwords at /token. Guess wrong once:',
        '  oauth-lab flow password --client {client} --user {user} --tamper wrong-password',
      ],
      check: inOrder(
        {
          event: 'password.refused',
          where: { reason: 'credentials' },
          why: 'Nobody has guessed a password of {user} yet.',
        },
        {
          event: 'token.refused',
          where: { error: 'invalid_grant' },
          why: 'A wrong password came, and the request was not answered.',
        },
      ),
      mistakes: [
        {
          event: 'token.refused',
          where: { error: 'invalid_request' },
          why: 'There was no password in the request, so nothing was guessed.',
          again: 'Still no password. Send one that is wrong.',
        },
        {
          event: 'token.issued',
          where: { grant_type: 'password' },
          why: 'That password was right. For a guess it has to be wrong.',
          again: 'Right again. --tamper wrong-password sends another one.',
        },
      ],
      hints: {
        question: 'What can a program send to /token that a person would type into a page?',
        place: 'POST /token with grant_type=password and any other password.',
        line: 'oauth-lab flow password --client {client} --user {user} --tamper wrong-password',
      },
      solutions: {
        cli: ['oauth-lab flow password --client {client} --user {user} --tamper wrong-password'],
        curl: [password('-d password=looking-glass')],
      },
      nearMisses: [
        {
          name: 'no password',
          lines: ['oauth-lab flow password --client demo --user alice --tamper missing-password'],
          why: 'There was no password in the request, so nothing was guessed.',
        },
        {
          name: 'the right password',
          lines: ['oauth-lab flow password --client demo --user alice'],
          why: 'That password was right. For a guess it has to be wrong.',
        },
      ],
    },
  ],
  explanation: [
    'One request has the password in it, and no page of the server comes between. So there is no consent, no second factor, no passkey and no login at another company: /token can only say yes or no. All of that needs a page.',
    'It also teaches {user} to type the password wherever a form asks for it. A limit slows guessing down; this lab allows five tries in a minute.',
  ],
  remember: [
    'The password grant must not be used, by your own app either.',
    'Send people to the page of the server. It can ask for more than a password, and they can say no.',
  ],
  rule: 'RFC 9700 §2.4',
  stretch: ['Guess six times in a minute. What changes in the sixth answer, and whom does that limit hurt?'],
}
