import { attackTask, logTask } from './attack-tasks.js'
import { ALICE, authorizeLines, DEMO, redeemLines } from './curl-lines.js'
import { inOrder, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

// The pair of RFC 7636, appendix B.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = '&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256'

export const lesson: Lesson = {
  name: '05-pkce',
  title: 'PKCE: only the one who asked can redeem',
  minutes: 10,
  after: ['04-state'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'A code is readable on its way. With PKCE (say “pixy”) the client makes a random verifier, keeps it, and sends only its hash with the request: the code_challenge. At /token it shows the verifier itself. The server hashes it and compares.',
  ],
  prediction: {
    question:
      'A thief puts a copied code into his own session with {client}. The client redeems it, with its secret, and with the verifier of that session. What happens?',
    options: [
      {
        text: 'Tokens. The secret is right, and PKCE is for clients without one.',
        misconception: 'pkce-is-for-public-clients-only',
        reply:
          'The secret proves which client redeems. It says nothing about which login the code came from.',
      },
      {
        text: 'Tokens, unless the state was wrong.',
        misconception: 'state-is-pkce',
        reply:
          'The thief takes part in his own session, so his state is right. State protects the client’s user, PKCE the code.',
      },
      {
        text: 'invalid_grant: that verifier does not belong to that code.',
        reply: 'The code remembers the challenge of its own request. Another verifier has another hash.',
      },
    ],
  },
  tasks: [
    {
      name: 'challenge',
      say: [
        'Run a flow with a challenge, and redeem its code with the right verifier:',
        '  oauth-lab flow code --client {client} --user {user}',
      ],
      check: inOrder(
        {
          event: 'authorization.requested',
          where: { pkce: 'S256' },
          why: 'No request with a code_challenge came yet.',
        },
        { event: 'code.issued', why: 'The challenge is there. Now {user} has to log in.' },
        {
          event: 'code.redeemed',
          same: ['code'],
          why: 'The code is there, but nobody has shown its verifier yet.',
        },
      ),
      mistakes: [
        {
          event: 'authorization.requested',
          where: { pkce: { not: 'S256' } },
          why: 'That request had no code_challenge by S256, so anyone who has the code can redeem it.',
          again: 'Again without S256. Leave --no-pkce out.',
        },
        {
          event: 'token.refused',
          why: 'The server refused the code: the verifier is not the one behind the challenge.',
          again: 'Refused again. The verifier must be the very text that was hashed.',
        },
      ],
      hints: {
        question: 'What does the client keep, and what does it send?',
        place: 'Step 1: code_challenge and code_challenge_method. Step 5: code_verifier.',
        line: 'oauth-lab flow code --client {client} --user {user}',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user}'],
        curl: [
          ...authorizeLines({ ...ALICE, more: CHALLENGE }),
          ...redeemLines(DEMO, ` -d code_verifier=${VERIFIER}`),
        ],
      },
      nearMisses: [
        {
          name: 'no challenge',
          lines: ['oauth-lab flow code --client demo --user alice --no-pkce'],
          why: 'That request had no code_challenge by S256, so anyone who has the code can redeem it.',
        },
        {
          name: 'a code that nobody redeems',
          lines: authorizeLines({ ...ALICE, more: CHALLENGE }),
          why: 'The code is there, but nobody has shown its verifier yet.',
        },
        {
          name: 'another verifier',
          lines: [
            ...authorizeLines({ ...ALICE, more: CHALLENGE }),
            ...redeemLines(DEMO, ` -d code_verifier=${VERIFIER.toLowerCase()}`),
          ],
          why: 'The server refused the code: the verifier is not the one behind the challenge.',
        },
      ],
    },
    {
      name: 'injected',
      say: [
        'Now be the client that got a foreign code: redeem it with another verifier.',
        '  oauth-lab flow code --client {client} --user {user} --tamper wrong-verifier',
      ],
      check: seen({
        event: 'token.refused',
        where: { error: 'invalid_grant', rule: { begins: 'RFC 7636' } },
        why: 'No code was redeemed with a wrong verifier yet.',
      }),
      mistakes: [
        {
          event: 'token.refused',
          why: 'Refused, but for another reason than the verifier.',
          again: 'Again another reason. Everything but the code_verifier must be right.',
        },
        {
          event: 'code.redeemed',
          why: 'The server issued tokens: the verifier was the right one, or there was no challenge.',
          again: 'Tokens again. Change the code_verifier between step 1 and step 5: --tamper wrong-verifier.',
        },
      ],
      hints: {
        question: 'Which value ties the token request to the authorization request?',
        place: 'Step 5, the member code_verifier of POST /token.',
        line: 'oauth-lab flow code --client {client} --user {user} --tamper wrong-verifier',
      },
      solutions: {
        cli: ['oauth-lab flow code --client {client} --user {user} --tamper wrong-verifier'],
        curl: [
          ...authorizeLines({ ...ALICE, more: CHALLENGE }),
          ...redeemLines(DEMO, ` -d code_verifier=${'a'.repeat(43)}`),
        ],
      },
      nearMisses: [
        {
          name: 'a used code',
          lines: ['oauth-lab flow code --client demo --user alice --tamper reuse-code'],
          why: 'Refused, but for another reason than the verifier.',
        },
        {
          name: 'the right verifier',
          lines: ['oauth-lab flow code --client demo --user alice'],
          why: 'The server issued tokens: the verifier was the right one, or there was no challenge.',
        },
      ],
    },
    attackTask(
      'code-injection',
      'See a thief put the code into his own login at a web application without PKCE, and then at one with it:',
    ),
    logTask({
      logs: [
        [
          'code.issued client_id=demo-web username=alice',
          'demo_client.login_started client_id=demo-web',
          'token.refused client_id=demo-web error=invalid_grant',
          'demo_client.login_refused error=invalid_grant',
        ],
        [
          'login.failed client_id=demo-web username=alice reason=credentials',
          'code.issued client_id=demo-web username=alice',
          'demo_client.login_started client_id=demo-web',
          'code.redeemed client_id=demo-web username=alice',
          'demo_client.logged_in client_id=demo-web sub=alice',
          'demo_client.notes_read sub=alice',
        ],
      ],
      defended: 'A',
      lines: [3, 4],
      fooled:
        'In log B a login began after the code was issued, and ended with that code. Its owner read the notes of alice.',
      question: 'Which line comes from the server that compares the verifier with the challenge?',
    }),
  ],
  explanation: [
    'The thief had the code, and the client had its secret: neither was enough. The hash in the request and the verifier at /token tie both ends of one login together. A hash can travel in the open, because nobody can compute the verifier from it; that is why plain is not good enough.',
  ],
  remember: [
    'State: the answer belongs to the session that asked. PKCE: the code belongs to the request that asked.',
    'Every client uses PKCE with S256, confidential ones too.',
  ],
  rule: 'RFC 9700 §2.1.1',
  weak: { mode: 'pkce-ignored', line: 'oauth-lab attack run code-injection' },
  stretch: [
    'Give your own client PKCE: oauth-lab learn new --lesson 6 shows the lines. Or run --tamper downgrade-pkce: the challenge is stripped from the request on its way. Why must the server refuse a verifier to which there is no challenge?',
  ],
}
