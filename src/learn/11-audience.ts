import { ALICE, authorizeLines, callResource, DEMO, RESOURCE, tokenLines } from './curl-lines.js'
import { inOrder, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

const OTHER = '&resource=https%3A%2F%2Fapi.example'

export const lesson: Lesson = {
  name: '11-audience',
  title: 'Audience: for whom a token is good',
  minutes: 6,
  after: ['10-resource-server'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'Two resource servers trust the same authorization server: the records of this lab, and https://api.example. A client sends {user}’s token to https://api.example. Its operator is curious, and tries the very same token at the records.',
  ],
  prediction: {
    question:
      'The token is genuine, signed by the right server, and not expired. What happens at the records?',
    options: [
      {
        text: 'It is accepted: the signature is right.',
        misconception: 'signed-means-valid',
        reply:
          'Right signature, wrong reader. A server that stops at the signature is open to every other one.',
      },
      {
        text: 'It is refused: the token names another audience.',
        reply: 'The claim aud says https://api.example. Every resource server searches for itself there.',
      },
      {
        text: 'It is refused: the token is bound to the client that got it.',
        misconception: 'bearer-is-bound',
        reply: 'A bearer token is bound to nobody. Anyone who bears it can use it, within its audience.',
      },
    ],
  },
  tasks: [
    {
      name: 'elsewhere',
      say: [
        'Get a token for https://api.example, and try it at the records of the lab:',
        '  oauth-lab flow resource --client {client} --user {user} --tamper other-audience',
      ],
      check: inOrder(
        {
          event: 'token.issued',
          where: { aud: 'https://api.example' },
          anyone: true,
          why: 'There is no token for https://api.example yet.',
        },
        {
          event: 'resource.refused',
          where: { rule: 'RFC 7519 §4.1.3' },
          anyone: true,
          why: 'The token for https://api.example is there. Now show it to the resource server of the lab.',
        },
      ),
      mistakes: [
        {
          event: 'authorization.refused',
          where: { error: 'invalid_target' },
          why: 'The server issues tokens for resources that it knows, and that one it does not know.',
          again: 'Still unknown. The resource of this task is https://api.example.',
        },
        {
          event: 'resource.accepted',
          why: 'That token was for the resource server it was shown to, so all is well.',
          again: 'Accepted again. The authorization request has to name another resource.',
        },
      ],
      hints: {
        question: 'How does a client say for which resource server it wants a token?',
        place: 'The parameter resource of the authorization request; aud of the token that comes back.',
        line: 'oauth-lab flow resource --client {client} --user {user} --tamper other-audience',
      },
      solutions: {
        cli: ['oauth-lab flow resource --client {client} --user {user} --tamper other-audience'],
        curl: [...authorizeLines({ ...ALICE, more: OTHER }), ...tokenLines(DEMO), callResource],
      },
      nearMisses: [
        {
          name: 'a resource that nobody knows',
          lines: ['oauth-lab flow code --client demo --user alice --tamper unknown-resource'],
          why: 'The server issues tokens for resources that it knows, and that one it does not know.',
        },
        {
          name: 'a token for this server',
          lines: ['oauth-lab flow resource --client demo --user alice'],
          why: 'That token was for the resource server it was shown to, so all is well.',
        },
        {
          name: 'a token that stays at home',
          lines: [...authorizeLines({ ...ALICE, more: OTHER }), ...tokenLines(DEMO)],
          why: 'The token for https://api.example is there. Now show it to the resource server of the lab.',
        },
      ],
    },
    {
      name: 'exact',
      say: [
        'Now ask for a token that is good at the records alone:',
        '  oauth-lab flow code --client {client} --user {user} --param resource=https://localhost:8444',
      ],
      check: seen({
        event: 'token.issued',
        where: { aud: { begins: 'https://localhost' } },
        why: 'There is no token whose audience is the resource server of the lab yet.',
      }),
      mistakes: [
        {
          event: 'token.issued',
          where: { aud: 'demo' },
          why: 'Without the parameter resource the audience is {client}: every resource server of the lab takes that token.',
          again:
            'Again no resource was named. Add --param resource= with the address of the resource server.',
        },
        {
          event: 'authorization.refused',
          where: { error: 'invalid_target' },
          why: 'The server does not know that resource. Take the address of the resource server, without a path.',
          again: 'Still unknown: scheme, host and port, as serve prints them.',
        },
      ],
      hints: {
        question: 'Which value of resource names the resource server of the lab?',
        place: 'resource in step 1, and aud of the token: they are equal.',
        line: 'oauth-lab flow code --client {client} --user {user} --param resource=https://localhost:8444',
      },
      solutions: {
        cli: [`oauth-lab flow code --client {client} --user {user} --param resource=${RESOURCE}`],
        curl: [...authorizeLines({ ...ALICE, more: '&resource=$RESOURCE' }), ...tokenLines(DEMO)],
      },
      nearMisses: [
        {
          name: 'a resource that nobody knows',
          lines: ['oauth-lab flow code --client demo --user alice --tamper unknown-resource'],
          why: 'The server does not know that resource. Take the address of the resource server, without a path.',
        },
        {
          name: 'no resource at all',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'Without the parameter resource the audience is demo: every resource server of the lab takes that token.',
        },
      ],
    },
  ],
  explanation: [
    'A bearer token works for anyone who has it, and the first to have it is the resource server itself. The audience limits the damage: a token for https://api.example opens nothing else. The parameter resource (RFC 8707) lets the client say so, in both requests.',
  ],
  remember: [
    'A resource server refuses tokens that do not name it, however well they are signed.',
    'One token, one resource server.',
  ],
  rule: 'RFC 8707 §2',
  weak: { mode: 'any-audience', line: 'oauth-lab attack run replayed-bearer' },
  stretch: ['Name two resources in one request (--param twice). What is aud then, and who could misuse it?'],
}
