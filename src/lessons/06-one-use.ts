import { ALICE, authorizeLines, DEMO, redeemLines } from './curl-lines.js'
import { answered, inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

export const lesson: Lesson = {
  name: '06-one-use',
  title: 'One code, one use',
  minutes: 5,
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
        'Redeem a code, and then redeem it again:',
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
    {
      name: 'consequence',
      say: [
        'oauth-lab learn explain shows the events. What became of the access token of the first use? Answer in one word:',
        '  oauth-lab learn check --answer WORD',
      ],
      check: answered({
        right: ['revoked', 'token.revoked', 'it was revoked', 'was revoked', 'it is revoked', 'revocation'],
        why: 'There is no answer yet.',
        otherwise: 'The event after code.replayed says it, in its name.',
        wrong: [
          {
            when: ['nothing', 'valid', 'it is valid', 'still valid', 'it stays', 'good', 'unchanged'],
            why: 'Something happened to it. Which event came right after code.replayed?',
          },
          {
            when: ['expired', 'it expired', 'deleted', 'rotated'],
            why: 'It had an hour left, and it still exists. The server changed what it thinks of it.',
          },
        ],
      }),
      mistakes: [],
      hints: {
        question: 'The server suspects a theft. What should it do with everything that came from this code?',
        place: 'The event after code.replayed, in oauth-lab learn explain or in the lines of serve.',
        line: 'oauth-lab learn check --answer revoked',
      },
      solutions: { cli: ['oauth-lab learn check --answer revoked'], curl: [] },
      nearMisses: [
        {
          name: 'nothing happened',
          lines: ['oauth-lab learn check --answer nothing'],
          why: 'Something happened to it. Which event came right after code.replayed?',
        },
        {
          name: 'it expired',
          lines: ['oauth-lab learn check --answer expired'],
          why: 'It had an hour left, and it still exists. The server changed what it thinks of it.',
        },
      ],
    },
  ],
  explanation: [
    'The second use is an alarm. The honest client and the thief send the same bytes, so the server ends what the code brought: the access token and the refresh token. The client has to ask {user} again. That is a nuisance; a thief with a living token is worse.',
    'A resource server that checks tokens by itself does not notice the revocation until the token expires. A later lesson is about that.',
  ],
  remember: [
    'A code is good once and for minutes.',
    'A second use is answered with an error and with the end of the tokens of the first.',
  ],
  rule: 'RFC 6749 §4.1.2',
  stretch: [
    'PKCE already stops a thief without the verifier. Which thief is stopped by the single use, and not by PKCE?',
  ],
}
