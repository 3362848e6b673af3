import type { FlowName } from '../flows/flows.js'
import { everyFlow, mcpFlow, type SomeFlow, someFlows } from '../session/options/table.js'
import { argument, command } from './program/command.js'
import { everywhere } from './program/globals.js'

/** A flow as the command line lists it. Nothing here loads a flow. */
export interface ListedFlow {
  readonly name: FlowName
  readonly description: string
  readonly examples: readonly string[]
  /** Options of this flow, beside the options of all flows. */
  readonly takes: readonly SomeFlow[]
  /** Those that people use, three at most. Left out: the first ones of `takes`. */
  readonly often?: readonly string[]
}

/** All flows in the order that they are taught. */
export const listedFlows: readonly ListedFlow[] = [
  {
    name: 'code',
    description: 'the authorization code grant (RFC 6749 §4.1)',
    examples: [
      'oauth-lab flow code --client demo',
      "oauth-lab flow code --client demo --user alice --scope 'openid profile' --json | jq -s .",
      'oauth-lab flow code --client demo-spa --browser',
      'oauth-lab flow code --client demo --user alice:wrong       see a login refused',
      'oauth-lab flow code --client demo --export curl -o replay.sh',
      'oauth-lab flow code --client demo --par --dpop             pushed request, tokens bound to a key',
      'oauth-lab flow code --request-object signed                the request as a signed JWT',
      'oauth-lab flow code --issuer https://id.example --client-id web --client-secret-file secret.txt --browser',
      'oauth-lab flow code --at work --paste                      a server of the lab file; paste where the browser ends',
      'oauth-lab flow code --tamper reuse-code                    see a wrong move refused',
      'oauth-lab flow code --seed 7 --now 2030-01-01T12:00:00Z    the same transcript in every run',
      'oauth-lab flow code --response-mode jwt                     the answer is a signed JWT (JARM)',
      'oauth-lab flow code --authorization-details @payment.json  ask for one payment (RFC 9396)',
      'oauth-lab flow code --user dora --scope openid --acr-values urn:oauth-lab:acr:mfa    a second factor',
    ],
    takes: [...someFlows.details, ...someFlows.login],
    often: ['par', 'dpop', 'no-pkce'],
  },
  {
    name: 'implicit',
    description: 'the implicit grant, and why not to use it (RFC 6749 §4.2)',
    examples: [
      'oauth-lab flow implicit --client demo-spa',
      'oauth-lab flow implicit --client demo-spa --scope openid    with an id_token, at_hash and nonce',
      'oauth-lab flow implicit --client demo-spa --response-type id_token    who logged in, and no access token',
      'oauth-lab flow implicit --client demo-spa --browser         a script relays the fragment',
    ],
    takes: [...someFlows.implicitType, ...someFlows.login],
  },
  {
    name: 'hybrid',
    description: 'a code and tokens in one response (OpenID Connect Core §3.3)',
    examples: [
      'oauth-lab flow hybrid --client demo                         code id_token: c_hash names the code',
      "oauth-lab flow hybrid --response-type 'code id_token token'  at_hash too",
      'oauth-lab flow hybrid --response-mode form_post             the browser posts the answer',
      'oauth-lab flow hybrid --response-mode jwt                   the answer is one signed JWT (JARM)',
    ],
    takes: [...someFlows.responseType, ...someFlows.details, ...someFlows.login],
  },
  {
    name: 'resource',
    description: 'from a refused request to an accepted one (RFC 6750, RFC 9728)',
    examples: [
      'oauth-lab flow resource --client demo',
      'oauth-lab flow resource --resource https://localhost:8444/records --scope records:read',
      'oauth-lab flow resource --token - <token.txt                a token that is there already',
      'oauth-lab flow resource --token-type mac                    MAC beside Bearer: who reads a request has nothing',
    ],
    takes: [...someFlows.token, ...someFlows.tokenType, ...someFlows.details, ...someFlows.login],
  },
  {
    name: 'password',
    description: 'the resource owner password grant (RFC 6749 §4.3)',
    examples: [
      'oauth-lab flow password --client demo-legacy --user alice',
      'oauth-lab flow password --user alice --password-stdin <password.txt',
    ],
    takes: [...someFlows.details],
  },
  {
    name: 'client-credentials',
    description: 'the client credentials grant (RFC 6749 §4.4)',
    examples: ['oauth-lab flow client-credentials --client demo-service --scope records:read'],
    takes: [...someFlows.details],
  },
  {
    name: 'refresh',
    description: 'a refresh token: used, rotated, and its reuse caught (RFC 6749 §6, RFC 9700 §4.14)',
    examples: [
      'oauth-lab flow refresh --client demo',
      'oauth-lab flow refresh --client demo-legacy                 begins with the password grant',
      'oauth-lab flow refresh --at work --refresh-token - <token.txt    a refresh token that is there already',
    ],
    takes: [...someFlows.refreshToken, ...someFlows.details],
  },
  {
    name: 'assertion',
    description: 'a JWT or SAML assertion as a grant (RFC 7523, RFC 7522)',
    examples: [
      'oauth-lab flow assertion --client demo --user bob',
      'oauth-lab flow assertion --saml',
      'oauth-lab flow assertion --issuer-key idp.pem --assertion-issuer https://idp.example    one of the lab file’s',
      'oauth-lab flow assertion --assertion @assertion.xml         an assertion that was signed elsewhere',
    ],
    takes: [...someFlows.assertion, ...someFlows.details],
  },
  {
    name: 'device',
    description: 'the device authorization grant (RFC 8628)',
    examples: [
      'oauth-lab flow device --client demo                         waits as the server asks, about 10 s',
      'oauth-lab flow device --browser                             decide in your own browser',
    ],
    takes: [...someFlows.details],
  },
  {
    name: 'ciba',
    description: 'a login that the client starts, on another device (OpenID Connect CIBA)',
    examples: [
      'oauth-lab flow ciba --login-hint alice                      poll until alice approves',
      'oauth-lab flow ciba --login-hint alice --binding-message W4SCT    a text that alice compares',
      'oauth-lab flow ciba --login-hint alice --deny               alice says no',
      'oauth-lab flow ciba --login-hint alice --client till --request-object signed --client-key till.pem    a signed request',
      'oauth-lab flow ciba --requested-expiry 5 --ignore           nobody answers, and the request expires',
      'oauth-lab flow ciba --issuer https://id.example --client-id till --client-secret-file secret.txt --login-hint alice',
    ],
    takes: [...someFlows.backchannel, ...someFlows.details],
  },
  {
    name: 'token-exchange',
    description: 'a token exchanged for one with another audience (RFC 8693)',
    examples: [
      'oauth-lab flow token-exchange --client demo --audience demo-service',
      'oauth-lab flow token-exchange --client demo --audience https://api.example    see it refused by the lab’s own',
      'oauth-lab flow token-exchange --subject-token - <token.txt  exchange a token that is there already',
      'oauth-lab flow token-exchange --subject-token @a.txt --actor-token @b.txt    b acts for a',
    ],
    takes: [...someFlows.token, ...someFlows.exchanged, ...someFlows.audience, ...someFlows.details],
  },
  {
    name: 'logout',
    description: 'a logout by the client, and what it does not end (OpenID Connect RP-Initiated Logout)',
    examples: [
      'oauth-lab flow logout --client demo                         log in, log out, and see what is left',
      'oauth-lab flow logout --client demo --no-hint               without an ID token the server asks first',
      'oauth-lab flow logout --logout-method post                  the request as a form',
      'oauth-lab flow logout --browser                             in your own browser',
      'oauth-lab flow logout --issuer https://id.example --client-id web --client-secret-file secret.txt --post-logout-redirect-uri http://127.0.0.1:8000/bye --user alice --password-stdin <password.txt',
    ],
    takes: [...someFlows.logout, ...someFlows.login],
  },
]

/** The options of every flow that people use. */
const OFTEN = ['client', 'user', 'scope', 'issuer', 'browser', 'tamper', 'export']

const firstOf = (takes: readonly SomeFlow[]) =>
  takes.slice(0, 3).flatMap(({ flags }) => /--([\w-]+)/.exec(flags)?.[1] ?? [])

const flowCommandOf = ({ name, description, examples, takes, often = firstOf(takes) }: ListedFlow) =>
  command(name, {
    description,
    options: [...everywhere, ...everyFlow, ...takes],
    often: [...OFTEN, ...often],
    help: ['', 'Examples:', ...examples.map(each => `  ${each}`), ''].join('\n'),
    run: async () => {
      const { runFlow } = await import('./flow/flow-run.js')
      return (flags, globals) => runFlow(name, flags, globals)
    },
  })

/** `oauth-lab flow`: a grant, step by step. */
export const flowCommand = command('flow', {
  description: 'step through a grant as its client',
  help: `
Examples:
  oauth-lab flow code --client demo
  oauth-lab flow code -o token | oauth-lab jwt decode       the bare access token
  oauth-lab flow code --help                                 all options of a flow
`,
  below: [
    ...listedFlows.map(flowCommandOf),
    command('mcp', {
      description: 'an MCP client: from a refused request to a tool (MCP 2026-07-28)',
      words: [argument('<url>', 'address of the MCP server')],
      options: [...everywhere, ...mcpFlow],
      often: [
        'register',
        'client-id',
        'client-document',
        'grant',
        'scope',
        'user',
        'browser',
        'call',
        'tamper',
        'export',
      ],
      help: `
Examples:
  oauth-lab flow mcp https://localhost:8444/mcp
  oauth-lab flow mcp https://mcp.example/mcp --browser
  oauth-lab flow mcp https://mcp.example/mcp --client-document https://app.example/client.json --browser
  oauth-lab flow mcp https://mcp.example/mcp --client-id app --grant client_credentials --client-key key.pem
  oauth-lab flow mcp https://localhost:8444/mcp --call write_record --arguments '{"value":"new"}' --json | jq -s .
  oauth-lab flow mcp https://localhost:8444/mcp --tamper no-resource
  oauth-lab flow mcp https://localhost:8444/mcp --tamper redirected-document
`,
      run: async () => (await import('./flow/flow-mcp-run.js')).runMcpFlow,
    }),
  ],
})
