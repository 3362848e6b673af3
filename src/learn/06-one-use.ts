import { attackTask, logTask } from './attack-tasks.js'
import { ALICE, authorizeLines, DEMO, redeemLines } from './curl-lines.js'
import { inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

export const lesson: Lesson = {
  name: '06-one-use',
  title: 'One code, one use',
  minutes: 6,
  after: ['05-pkce'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'Codes end up in histories, logs and bug reports. This server lets a code live for ten minutes, and redeems it once. Somebody sends a used code a second time. The server cannot know who of the two was the thief.',
  ],
  prediction: {
    question: 'The code was redeemed and the client has tokens. Now the same code comes again. What happens?',
    options: [
      {
        text: 'The same tokens again, because the code belongs to this client.',
        misconception: 'bearer-is-bound',
        reply: 'Whether the right client sends it or a thief: the server refuses the second use.',
      },
      {
        text: 'An error. The first tokens stay good: they are signed.',
        misconception: 'signed-means-valid',
        reply: 'A signature says who issued the token. The issuer can still take the token back.',
      },
      {
        text: 'An error, and the tokens of the first use are revoked.',
        reply: 'One of the two had no right to the code. The server cannot know which, so both lose.',
      },
    ],
  },
  tasks: [
    {
      name: 'replay',
      say: [
        'Redeem a code, and then redeem it again. --tamper makes a wrong move on purpose:',
        '  oauth-lab flow code --client {client} --user {user} --tamper reuse-code',
      ],
      check: inOrder(
        { event: 'code.redeemed', why: 'No code was redeemed yet.' },
        {
          event: 'code.replayed',
          same: ['code'],
          why: 'The code was redeemed once. The second time is missing.',
        },
        { event: 'token.revoked', why: 'The code came again, but nothing was revoked.' },
      ),
      mistakes: [
        {
          event: 'token.refused',
          where: { error: 'invalid_grant' },
          why: 'The server refused a code, but not because it was used: no such code was issued, or it was not complete.',
          again:
            'Again a code that was never redeemed. First redeem a good one, then send the same once more.',
        },
      ],
      hints: {
        question: 'How often must the same code reach /token?',
        place: 'Step 5, POST /token, twice with the same code.',
        line: 'oauth-lab flow code --client {client} --user {user} --tamper reuse-code',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user} --tamper reuse-code'],
        curl: [...authorizeLines(ALICE), ...redeemLines(DEMO), ...redeemLines(DEMO)],
      },
      nearMisses: [
        {
          name: 'a guessed code',
          lines: ['oauth-lab flow code --client demo --user alice --tamper guessed-code'],
          why: 'The server refused a code, but not because it was used: no such code was issued, or it was not complete.',
        },
        {
          name: 'one use',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'The code was redeemed once. The second time is missing.',
        },
      ],
    },
    attackTask(
      'code-replay',
      'See a thief do that with a code from a history, at a server that redeems codes twice, and at a strict one:',
    ),
    logTask({
      logs: [
        [
          'login.failed client_id=demo-public username=alice reason=credentials',
          'code.issued client_id=demo-public code=c6fL…oas',
          'code.redeemed client_id=demo-public code=c6fL…oas',
          'token.issued client_id=demo-public sub=alice',
          'code.redeemed client_id=demo-public code=c6fL…oas',
          'token.issued client_id=demo-public sub=alice',
          'resource.accepted client_id=demo-public path=/records',
        ],
        [
          'code.issued client_id=demo-public code=NUlT…zWE',
          'code.redeemed client_id=demo-public code=NUlT…zWE',
          'token.issued client_id=demo-public sub=alice',
          'code.replayed client_id=demo-public code=NUlT…zWE',
          'token.revoked client_id=demo-public username=alice',
        ],
      ],
      defended: 'B',
      lines: [4, 5],
      fooled: 'In log A one code was redeemed twice, and the second one to do so read the records.',
      question: 'What does a strict server do when a code comes for the second time?',
    }),
  ],
  explanation: [
    'The second use is an alarm. The honest client and the thief send the same bytes, so the server ends what the code brought: the access token, and the refresh token, with which the client could fetch new ones. The client has to ask {user} again. That is a nuisance; a thief with a living token is worse.',
    'A resource server that checks tokens by itself does not notice the revocation until the token expires. A later lesson is about that.',
  ],
  remember: [
    'A code is good once and for minutes.',
    'A second use is answered with an error and with the end of the tokens of the first.',
  ],
  rule: 'RFC 6749 §4.1.2',
  weak: { mode: 'code-reuse', line: 'oauth-lab attack run code-replay' },
  stretch: [
    'PKCE already stops a thief without the verifier. Which thief is stopped by the single use, and not by PKCE?',
  ],
}
