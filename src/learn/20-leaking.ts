import { attackTask } from './attack-tasks.js'
import { ALICE, authorizeLines, CURL, callResource, DEMO, HERE, tokenLines } from './curl-lines.js'
import { inOrder, seen } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

/** A page of another site, as a browser would name it. */
const FOREIGN = "-H 'Origin: https://evil.example'"

const LOGIN_PAGE =
  '"$LAB/authorization?response_type=code&client_id=demo&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback"'

const TOKEN = [...authorizeLines(ALICE), ...tokenLines(DEMO)]

/** The request of the native app, by its address. */
const asNative = (address: string): string =>
  `${CURL} -o /dev/null "$LAB/authorization?response_type=code&client_id=demo-native&redirect_uri=${encodeURIComponent(address)}&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"`

export const lesson: Lesson = {
  name: '20-leaking',
  title: 'Leaks: logs, history, Referer; pages and native apps',
  minutes: 10,
  after: ['13-revocation', '16-implicit'],
  needs: { client: 'demo', user: 'alice' },
  opening: [
    'Addresses are copied: into histories, into the logs of servers, and into the header Referer of the next request. What stands in one is soon in many hands. A native app or a single page has no server that could hide anything, so all of it is in the hands of its users.',
  ],
  prediction: {
    question:
      'An app has its client secret compiled in. A stranger finds a token of {user} in a log. Who stops the stranger at the resource server?',
    options: [
      {
        text: 'The secret of the app, which the stranger does not have.',
        misconception: 'secret-in-the-app-is-secret',
        reply: 'Everybody who has the app has its secret. And a token is used without any secret.',
      },
      {
        text: 'CORS: the stranger is not at the right site.',
        misconception: 'cors-is-security',
        reply: 'CORS is a rule of browsers about pages. A program sends what it likes, and reads the answer.',
      },
      {
        text: 'Nobody, until the token expires or is revoked.',
        reply: 'So tokens stay out of addresses, and live for minutes.',
      },
    ],
  },
  tasks: [
    {
      name: 'query',
      say: [
        'Put an access token into an address, as old programs did. Then read the log: oauth-lab learn explain.',
        '  oauth-lab flow resource --client {client} --user {user} --tamper token-in-query',
      ],
      check: seen({
        event: 'request.answered',
        where: { path: { includes: 'access_token=' } },
        anyone: true,
        why: 'No address with an access token has reached the lab yet.',
      }),
      mistakes: [
        {
          event: 'resource.accepted',
          why: 'That token came in the header Authorization, which logs leave out.',
          again: 'In the header again. This task wants it in the address: /resource?access_token=…',
        },
      ],
      hints: {
        question: 'Which part of a request does every server on its way write down?',
        place: 'The last request: GET /resource, with the token behind the question mark.',
        line: 'oauth-lab flow resource --client {client} --user {user} --tamper token-in-query',
      },
      solutions: {
        cli: ['oauth-lab flow resource --client {client} --user {user} --tamper token-in-query'],
        curl: [...TOKEN, `${CURL} "$RESOURCE/resource?access_token=$token"`],
      },
      nearMisses: [
        {
          name: 'the header',
          lines: [...TOKEN, callResource],
          why: 'That token came in the header Authorization, which logs leave out.',
        },
        {
          name: 'a token that stays at home',
          lines: ['oauth-lab flow code --client demo-native --user alice', ...TOKEN],
          why: 'No address with an access token has reached the lab yet.',
        },
      ],
    },
    {
      name: 'origin',
      say: [
        'The login page allows no page of another site to read it: it sends no header of CORS. Be a program, and name another site as the origin:',
        '  url="{lab}/authorization?response_type=code&client_id={client}"',
        `  curl -i ${FOREIGN} \\`,
        '    "$url&redirect_uri=http://127.0.0.1/callback"',
        'oauth-lab ca env makes curl trust the lab. Is there a page in the answer?',
      ],
      check: seen({
        event: 'request.answered',
        where: { path: { begins: '/authorization' }, status: 200, origin: { begins: 'http' } },
        why: 'No request for the login page has named another origin yet.',
      }),
      mistakes: [
        {
          event: 'request.answered',
          where: { path: '/token', origin: { begins: 'http' } },
          why: 'Every page may read the answers of /token, because it takes no cookies. Ask for /authorization.',
          again: '/token again. The page that CORS guards is /authorization.',
        },
        {
          event: 'authorization.refused',
          anyone: true,
          why: 'The server answered with an error, and with no login page: see its text.',
          again: 'An error again. The request needs response_type, client_id, and a registered redirect_uri.',
        },
        {
          event: 'login.shown',
          why: 'The page came, but the request named no other site in its header Origin.',
          again: 'Still without an Origin. With curl it is -H, before the address.',
        },
      ],
      hints: {
        question: 'Who writes the header Origin: the network, the browser, or the program?',
        place: 'The header Origin of GET /authorization.',
        line: `curl -i ${FOREIGN} "{lab}/authorization?response_type=code&client_id={client}&redirect_uri=http://127.0.0.1/callback"`,
      },
      solutions: {
        cli: [HERE, `${CURL} -i ${FOREIGN} ${LOGIN_PAGE}`],
        curl: [`${CURL} -i ${FOREIGN} ${LOGIN_PAGE}`],
      },
      nearMisses: [
        {
          name: 'no origin',
          lines: [`${CURL} ${LOGIN_PAGE}`],
          why: 'The page came, but the request named no other site in its header Origin.',
        },
        {
          name: 'a request without its address',
          lines: [`${CURL} ${FOREIGN} "$LAB/authorization?response_type=code&client_id=demo"`],
          why: 'The server answered with an error, and with no login page: see its text.',
        },
        {
          name: 'an endpoint that is open to pages',
          lines: [`${CURL} ${FOREIGN} -u ${DEMO} -d grant_type=client_credentials "$LAB/token"`],
          why: 'Every page may read the answers of /token, because it takes no cookies. Ask for /authorization.',
        },
      ],
    },
    {
      name: 'native',
      say: [
        'A native app waits for its answer on this computer, at a port that is free just now. Its registered address has no port. Let it log {user} in:',
        '  oauth-lab flow code --client demo-native --user {user}',
      ],
      clients: ['demo-native'],
      check: inOrder(
        {
          event: 'authorization.requested',
          where: { redirect_uri: { begins: 'http://127.0.0.1:' } },
          why: 'demo-native has not asked for an answer at a port of its own yet.',
        },
        { event: 'code.issued', why: 'The app asked at a port of its own. Now {user} has to log in.' },
        {
          event: 'code.redeemed',
          same: ['code'],
          why: 'The code is there. The app has not redeemed it yet, by its verifier and without a secret.',
        },
      ),
      mistakes: [
        {
          event: 'authorization.refused',
          where: { error: 'invalid_request' },
          why: 'Only the port of a loopback address may differ; host and path are those that were registered.',
          again: 'Refused again. Leave everything but the port as it is: http://127.0.0.1:PORT/callback.',
        },
        {
          event: 'authorization.requested',
          where: { redirect_uri: 'http://127.0.0.1/callback' },
          why: 'That address has no port. An app cannot listen there without being the administrator.',
          again: 'Still no port. Any free one does: http://127.0.0.1:PORT/callback.',
        },
      ],
      hints: {
        question: 'Why can the app not register its port beforehand?',
        place: 'redirect_uri of step 1, and the registered one: where do they differ?',
        line: 'oauth-lab flow code --client demo-native --user {user}',
      },
      solutions: { cli: ['oauth-lab flow code --client demo-native --user {user}'], curl: [] },
      nearMisses: [
        {
          name: 'the registered address as it is',
          lines: [asNative('http://127.0.0.1/callback')],
          why: 'That address has no port. An app cannot listen there without being the administrator.',
        },
        {
          name: 'another path',
          lines: [asNative('http://127.0.0.1:4711/other')],
          why: 'Only the port of a loopback address may differ; host and path are those that were registered.',
        },
        {
          name: 'nobody logs in',
          lines: [asNative('http://127.0.0.1:4711/callback')],
          why: 'The app asked at a port of its own. Now alice has to log in.',
        },
      ],
    },
    attackTask(
      'referrer-leak',
      'A picture on a login page is enough: see Referer carry state and challenge to another site, and then a page that sends nothing:',
    ),
  ],
  explanation: [
    'The server refused the token in the address, and the address was in its log all the same: only the client can keep it out. Codes stand in addresses too. They are worth little there, because they are good once, for minutes, and with PKCE only for the one who asked.',
    'CORS protects people whose browser is logged in from pages of other sites. It keeps no program away: your curl got the whole page.',
    'Single pages and native apps are public clients: no secret, PKCE always, tokens in memory and not in addresses. An app opens the real browser, and gets its answer at a loopback address, or at an https address that the system gives to it alone. A page that needs more safety leaves its tokens to a server of its own.',
  ],
  remember: [
    'Nothing that opens a door stands in an address. Referrer-Policy: no-referrer, and no foreign pictures.',
    'CORS is for browsers. What a program may do is decided by the token alone.',
    'Whatever ships to users is public: apps and pages have no secrets.',
  ],
  rule: 'RFC 9700 §4.3.2',
  weak: { mode: 'referrer', line: 'oauth-lab attack run referrer-leak' },
  stretch: [
    'oauth-lab serve --weak token-in-url --client-port 8448 starts a web application with its session in the address. Log in, and copy the link into another browser. Who are you there?',
  ],
}
