import { attackTask, logTask } from './attack-tasks.js'
import { authorizeLines, CURL, RESOURCE } from './curl-lines.js'
import { answered, inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

const NOT_ASKED = 'Nobody has asked the MCP server without a token yet.'
const NOT_INTRODUCED =
  'The MCP server refused the first request, as it should. No client has registered itself since.'
const NO_TOKEN =
  'A client has registered itself. It has no token for the MCP server and {user} yet: both requests name the server as resource.'
const NOT_SHOWN = 'The token for the MCP server is there. Now show it there.'
const FOR_ANOTHER =
  'The MCP server got a token that is for somebody else. Name the MCP server as resource, in both requests.'

const ANSWER = 'oauth-lab learn check --answer'
const DOCUMENT = '/.well-known/oauth-protected-resource/mcp'
const NO_ANSWER = 'There is no answer yet.'
const NEXT_SERVER =
  'That is the metadata of the authorization server, one step later. Another document named that server.'
const REGISTERED_THERE =
  'There the client registered itself. It learnt that address from the authorization server, whose name it first had to learn.'

/** The line of the client that knows an address alone. */
const FLOW = 'oauth-lab flow mcp "$RESOURCE/mcp" --user {user}'
const HERE = `RESOURCE=${RESOURCE}`

/** A message to the MCP server. `$token` is the token; before there is one, the header is left out. */
const message = (authorization: string): string =>
  `${CURL} -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -H 'mcp-protocol-version: 2025-06-18'${authorization} -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' "$RESOURCE/mcp"`

const ASK = message('')
const CALL = message(' -H "authorization: Bearer $token"')

/** Registers a public client, and puts its id into `$client`. */
const REGISTER = [
  `metadata='{"client_name":"By curl","application_type":"native","redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"none"}'`,
  `client=$(${CURL} -H 'content-type: application/json' -d "$metadata" "$LAB/register" | sed 's/.*"client_id":"\\([^"]*\\)".*/\\1/')`,
]

/** Logs alice in for `$client`, and puts the access token into `$token`. @param resource `$RESOURCE/mcp`, or empty */
function logIn(resource: string): string[] {
  const query = resource === '' ? '' : `&resource=${resource}`
  const form = resource === '' ? '' : ` --data-urlencode "resource=${resource}"`
  const more = `&code_challenge=${CHALLENGE}&code_challenge_method=S256${query}`
  return [
    ...authorizeLines({ client: '$client', user: 'alice', password: 'wonderland', more }),
    `answer=$(${CURL} -d grant_type=authorization_code -d "client_id=$client" -d "code=$code" \\`,
    `  -d redirect_uri=http://127.0.0.1/callback -d code_verifier=${VERIFIER}${form} "$LAB/token")`,
    `token=$(printf '%s' "$answer" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
  ]
}

export const lesson: Lesson = {
  name: '28-unknown-client',
  title: 'MCP: a client that nobody knows',
  minutes: 11,
  after: ['11-audience'],
  needs: { client: 'demo', user: 'alice', serve: true },
  opening: [
    'An MCP server gives an assistant its tools. It is a resource server like any other, but its clients are programs that its maker has never heard of. Yours knows the address of the server, and nothing else: no authorization server, no client_id.',
  ],
  prediction: {
    question: 'The server refuses the first request, because it has no token. What does your client do next?',
    options: [
      {
        text: 'Nothing. Somebody has to register it first, and type the client_id.',
        misconception: 'own: only people register clients',
        reply:
          'That works, where somebody knows both sides. Here nobody did, and no line of yours named a client_id.',
      },
      {
        text: 'It follows an address in the refusal, and introduces itself.',
        reply:
          'The 401 names a document, the document names an authorization server, and that one registers clients.',
      },
      {
        text: 'It sends a token that it has for another server of the same company.',
        misconception: 'signed-means-valid',
        reply: 'That token is well signed, and for somebody else: aud does not name this server.',
      },
    ],
  },
  tasks: [
    {
      name: 'introduce',
      newcomers: true,
      say: [
        'Watch the whole way, from the refusal to the list of tools:',
        '  oauth-lab flow mcp https://localhost:8444/mcp --user {user}',
      ],
      check: inOrder(
        { event: 'resource.refused', where: { path: '/mcp', status: 401 }, anyone: true, why: NOT_ASKED },
        { event: 'client.registered', why: NOT_INTRODUCED },
        { event: 'token.issued', where: { aud: { includes: '/mcp' } }, same: ['client_id'], why: NO_TOKEN },
        { event: 'resource.accepted', where: { path: '/mcp' }, same: ['client_id'], why: NOT_SHOWN },
      ),
      mistakes: [
        {
          event: 'resource.refused',
          where: { path: '/mcp', rule: 'RFC 7519 §4.1.3' },
          anyone: true,
          why: FOR_ANOTHER,
          again: 'Another token for somebody else. aud of the token must be the address of the MCP server.',
        },
        {
          event: 'registration.refused',
          anyone: true,
          why: 'The registration was refused; error_description says which member is wrong.',
          again:
            'Refused again. A native client has a loopback address, such as http://127.0.0.1/callback, and application_type native.',
        },
      ],
      hints: {
        question: 'Which four addresses does the client have to learn, one from the other?',
        place: 'The header www-authenticate of the 401, and then the documents that each answer names.',
        line: 'oauth-lab flow mcp https://localhost:8444/mcp --user {user}',
      },
      solutions: {
        cli: [HERE, FLOW],
        curl: [ASK, ...REGISTER, ...logIn('$RESOURCE/mcp'), CALL],
      },
      nearMisses: [
        {
          name: 'a client that somebody registered before',
          lines: [HERE, `${FLOW} --client-id demo-public`],
          why: NOT_INTRODUCED,
        },
        {
          name: 'a registration that leads to nothing',
          lines: [ASK, ...REGISTER],
          why: NO_TOKEN.replace('{user}', 'alice'),
        },
        {
          name: 'a token for no server in particular',
          lines: [ASK, ...REGISTER, ...logIn(''), CALL],
          why: FOR_ANOTHER,
        },
        {
          name: 'an address that a native client may not have',
          lines: [ASK, REGISTER[0]!.replace('http://127.0.0.1', 'https://localhost'), REGISTER[1]!],
          why: 'The registration was refused; error_description says which member is wrong.',
        },
        {
          name: 'a token that stays at home',
          lines: [ASK, ...REGISTER, ...logIn('$RESOURCE/mcp')],
          why: NOT_SHOWN,
        },
        { name: 'a registration without a refusal before', lines: REGISTER, why: NOT_ASKED },
      ],
    },
    {
      name: 'document',
      say: [
        'The client asked the MCP server two things: for its tools, and for a document that the 401 named. It says which authorization server to trust. Answer with the path of that document:',
        `  ${ANSWER} PATH`,
      ],
      check: answered({
        right: [DOCUMENT, DOCUMENT.slice(1), `https://localhost:8444${DOCUMENT}`],
        why: NO_ANSWER,
        otherwise: 'Not that one. In step 2 of the flow the client asked the MCP server for it.',
        wrong: [
          {
            when: ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'],
            why: NEXT_SERVER,
          },
          { when: ['/register', '{lab}/register', 'register'], why: REGISTERED_THERE },
        ],
      }),
      mistakes: [],
      hints: {
        question: 'Which server answers step 2: the one with the tools, or the one with the passwords?',
        place: 'resource_metadata in the header www-authenticate of step 1.',
        line: `${ANSWER} ${DOCUMENT}`,
      },
      solutions: { cli: [`${ANSWER} ${DOCUMENT}`], curl: [] },
      nearMisses: [
        {
          name: 'the document of the next server',
          lines: [`${ANSWER} /.well-known/oauth-authorization-server`],
          why: NEXT_SERVER,
        },
        { name: 'the registration endpoint', lines: [`${ANSWER} /register`], why: REGISTERED_THERE },
        {
          name: 'the MCP server itself',
          lines: [`${ANSWER} /mcp`],
          why: 'Not that one. In step 2 of the flow the client asked the MCP server for it.',
        },
      ],
    },
    attackTask(
      'look-alike-client',
      'Anyone may register, under any name. See an attacker take the name of a client that {user} knows, at a server that shows it like any other, and at a strict one:',
    ),
    logTask({
      logs: [
        [
          'client.registered client_name=Demo…',
          'session.resumed client_id=4117…95c2 username=alice',
          'consent.shown client_id=4117…95c2 username=alice',
          'consent.granted client_id=4117…95c2 username=alice',
          'code.issued client_id=4117…95c2 username=alice',
        ],
        [
          'registration.refused error=invalid_redirect_uri',
          'client.registered client_name=Demo…',
          'consent.shown client_id=57c6…1870 username=alice',
          'consent.denied client_id=57c6…1870 username=alice',
          'authorization.refused error=access_denied',
        ],
      ],
      defended: 'B',
      lines: [1, 4],
      fooled:
        'In log A alice allowed a client that had registered itself under a name that she knows. Nothing refused it.',
      question: 'Where was the attacker refused: by the server, or by alice who was warned?',
    }),
  ],
  explanation: [
    'The 401 named a document of the MCP server, its protected resource metadata: its own address, and the authorization server that it trusts. That one published where clients introduce themselves (dynamic client registration). Then came a login like any other, with the MCP server named as resource in both requests, so that the token is good there and nowhere else.',
    'A registration proves nothing. The server refuses addresses that a client of its kind cannot have, and says on its pages that nobody checked the name. MCP prefers another way today: the client_id is the address of a client ID metadata document. Its host is proven, and the server stores nothing.',
  ],
  remember: [
    'The MCP server names whom it trusts, and the client asks for a token for that server alone.',
    'Who registers itself chooses its own name. Allow only what you started yourself.',
  ],
  rule: 'RFC 7591 §5',
  weak: { mode: 'open-registration', line: 'oauth-lab attack run look-alike-client' },
  stretch: [
    'oauth-lab attack run mcp-token-replay lets an MCP server use its token at another one. Which claim of the token differs from the strict run (--strict)?',
    'oauth-lab attack run inner-fetch gives the server a client_id that is an address. Who sent the request that reached the inner server?',
  ],
}
