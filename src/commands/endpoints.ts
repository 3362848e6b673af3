import { option, repeated } from '../session/options/option.js'
import { call, network, target } from '../session/options/table.js'
import { argument, command } from './program/command.js'
import { everywhere } from './program/globals.js'

const atServer = [...everywhere, ...target]

/** The options of a server that people use, beside those of the command. */
const OFTEN = ['client', 'issuer', 'at', 'client-id', 'client-secret-file', 'client-key', 'header']

/** `oauth-lab call`: an API request with a token. */
export const callCommand = command('call', {
  description: 'send a request to an API, with a token that is got, kept and renewed as it has to be',
  words: [argument('<url>', 'https, or on this computer; a path belongs to the resource server of the lab')],
  options: [...everywhere, ...call],
  often: [
    'request',
    'data',
    'header',
    'include',
    'client',
    'issuer',
    'client-id',
    'scope',
    'resource',
    'browser',
  ],
  help: `
Examples:
  oauth-lab call /resource                                   the resource server of the lab
  oauth-lab call https://api.example/records --issuer https://id.example --client-id app --scope records
  oauth-lab call https://api.example/records -X PATCH -d '{"name":"new"}' --dpop
  oauth-lab call https://api.example/upload -d @photo.png -H 'Content-Type: image/png' -i
  oauth-lab token list                                       the tokens that are kept

Exit codes:
  0  the API answered with a status below 400
  1  it answered with a status from 400 on, explained on stderr; or the server gave no token
`,
  run: async () => (await import('./endpoints/call-run.js')).call,
})

/** `oauth-lab token`: the tokens that `call` keeps. */
export const tokenCommand = command('token', {
  description: 'list, show and forget the tokens that oauth-lab call keeps; only you can read their files',
  help: `
Examples:
  oauth-lab token list
  oauth-lab token show -o token | oauth-lab introspect
  oauth-lab token forget --all
`,
  below: [
    command('list', {
      description: 'list the kept tokens, last used first; no token is printed',
      options: everywhere,
      help: `
Examples:
  oauth-lab token list
  oauth-lab token list --json | jq '.tokens[].issuer'
`,
      run: async () => (await import('./endpoints/token-run.js')).listTokens,
    }),
    command('show', {
      description: 'show one kept token with its claims, masked',
      words: [argument('[id]', 'its id, or the beginning of it (default: the only one)')],
      options: [
        ...everywhere,
        option('-o, --output <form>', 'token prints the bare access token', { choices: ['token'] }),
      ],
      help: `
Examples:
  oauth-lab token show
  oauth-lab token show 3f2a -o token | oauth-lab jwt decode
`,
      run: async () => (await import('./endpoints/token-run.js')).showToken,
    }),
    command('forget', {
      description: 'remove kept tokens from this computer; oauth-lab revoke ends them at their server',
      words: [argument('[id...]', 'their ids, or the beginnings of them')],
      options: [...everywhere, option('--all', 'all of them')],
      help: `
Examples:
  oauth-lab token forget 3f2a
  oauth-lab token forget --all
`,
      run: async () => (await import('./endpoints/token-run.js')).forgetTokens,
    }),
  ],
})

/** `oauth-lab discover`: the metadata of a server (OpenID Connect Discovery, RFC 8414). */
export const discoverCommand = command('discover', {
  description: 'show both metadata documents of a server side by side, checked by the rules of the flows',
  words: [argument('[issuer]', 'the issuer, as its clients know it (default: the lab in use)')],
  options: atServer,
  often: OFTEN,
  help: `
Examples:
  oauth-lab discover
  oauth-lab discover https://id.example
  oauth-lab discover https://id.example --json | jq '.differences[].name'

Exit codes:
  0  a client can use the metadata
  1  no document is there, or one breaks a rule
  3  the server cannot be reached
`,
  run: async () => (await import('./endpoints/discover-run.js')).discover,
})

const token = argument('[token]', 'the token; - or nothing reads stdin')
const hint = option('--hint <type>', 'its type, such as access_token or refresh_token (token_type_hint)')

/** `oauth-lab introspect`: the server's word on a token (RFC 7662). */
export const introspectCommand = command('introspect', {
  description: 'ask the server if a token is active, and what is in it (RFC 7662)',
  words: [token],
  often: ['hint', 'signed', ...OFTEN],
  options: [...atServer, hint, option('--signed', 'ask for an answer that the server signed (RFC 9701)')],
  help: `
Examples:
  oauth-lab flow code -o token | oauth-lab introspect
  oauth-lab introspect "$TOKEN" --signed
  oauth-lab introspect - --hint refresh_token --json < token.txt
  oauth-lab introspect "$TOKEN" --issuer https://id.example --client-id api --client-secret-file secret.txt

Exit codes:
  0  the token is active
  1  it is not active, or the server refuses the question
`,
  run: async () => (await import('./endpoints/token-questions.js')).introspect,
})

/** `oauth-lab revoke`: the end of a token (RFC 7009). */
export const revokeCommand = command('revoke', {
  description: 'end an access token or a refresh token at its server (RFC 7009)',
  words: [token],
  often: ['hint', ...OFTEN],
  options: [...atServer, hint],
  help: `
Examples:
  oauth-lab revoke "$TOKEN"
  oauth-lab flow code --json | jq -r 'select(.outcome).tokens.refresh_token' | oauth-lab revoke --hint refresh_token
  oauth-lab revoke - --issuer https://id.example --client-id web --client-secret-file secret.txt < token.txt

Exit codes:
  0  the token is revoked, or was never good
  1  the server refused; the token may still be good
`,
  run: async () => (await import('./endpoints/token-questions.js')).revoke,
})

/** `oauth-lab userinfo`: the claims about a person (OpenID Connect Core §5.3). */
export const userinfoCommand = command('userinfo', {
  description: 'ask the server about the person of an access token (OpenID Connect Core §5.3)',
  words: [argument('[token]', 'the access token; - or nothing reads stdin')],
  often: ['subject', 'post', ...OFTEN],
  options: [
    ...atServer,
    option('--subject <sub>', 'the sub of the ID token, which the answer has to name'),
    option('--post', 'send the token in a form, and not in a header (RFC 6750 §2.2)'),
  ],
  help: `
Examples:
  oauth-lab flow code --scope openid,profile -o token | oauth-lab userinfo
  oauth-lab userinfo "$TOKEN" --subject alice
  oauth-lab userinfo --post - < token.txt
  oauth-lab userinfo - --issuer https://id.example --client-id web --json < token.txt

Exit codes:
  0  the answer is read, and its signature and its subject are right
  1  the server refuses the token, or the answer breaks a rule
`,
  run: async () => (await import('./endpoints/token-questions.js')).userinfo,
})

/** `oauth-lab logout`: the address of a logout (OpenID Connect RP-Initiated Logout 1.0). */
export const logoutCommand = command('logout', {
  description: 'print the address at which a browser ends its session, or open it',
  words: [
    argument(
      '[id-token]',
      'an ID token of the session; - reads stdin (default: the last one that call keeps)',
    ),
  ],
  often: ['open', 'post-logout-redirect-uri', 'no-hint', ...OFTEN],
  options: [
    ...atServer,
    option('--open', 'open the address in your browser'),
    option('--no-hint', 'send no ID token: the server has to ask first'),
    option('--post-logout-redirect-uri <uri>', 'registered address to return to'),
    option('--state <value>', 'a value that comes back with it'),
    option('--logout-hint <hint>', 'who logs out, in a form that the server knows (logout_hint)'),
    option('--ui-locales <tags>', 'languages for the pages of the logout, the preferred one first'),
  ],
  help: `
Examples:
  oauth-lab logout
  oauth-lab logout "$ID_TOKEN" --open
  oauth-lab logout --issuer https://id.example --client-id web --post-logout-redirect-uri https://app.example/bye
  oauth-lab flow logout                                      every step of a logout, checked
`,
  run: async () => (await import('./endpoints/token-questions.js')).logout,
})

const metadata = [
  option('--redirect-uri <uri>', 'an address of the client; repeat it', { parse: repeated }),
  option('--name <name>', 'the name of the client, for people'),
]
const registered = argument('<client-id>', 'a client that oauth-lab register registered on this computer')
const managed = [
  ...everywhere,
  ...network,
  option('--issuer <url>', 'its server, where several have a client of this name'),
]

/** `oauth-lab register`: dynamic client registration (RFC 7591) and its management (RFC 7592). */
export const registerCommand = command('register', {
  description: 'register a client at a server (RFC 7591); read, update and delete it (RFC 7592)',
  words: [argument('[file]', 'the metadata of the client as JSON; - reads stdin')],
  often: ['redirect-uri', 'name', 'initial-token-file', ...OFTEN],
  options: [
    ...atServer,
    ...metadata,
    option('--initial-token-file <file>', 'the initial access token, for a server that asks for one'),
  ],
  kind: 'parent',
  help: `
Examples:
  oauth-lab register --redirect-uri http://127.0.0.1/callback --name "My app"
  oauth-lab register client.json --issuer https://id.example --initial-token-file token.txt
  oauth-lab register read 3f2a9c

Exit codes:
  0  the client is registered
  1  the server refuses
`,
  run: async () => (await import('./endpoints/register-run.js')).register,
  below: [
    command('read', {
      description: 'show the registration of a client as its server has it',
      words: [registered],
      options: managed,
      kind: 'heir',
      help: `
Examples:
  oauth-lab register read 3f2a9c
  oauth-lab register read 3f2a9c --json | jq .client.redirect_uris
`,
      run: async () => (await import('./endpoints/register-run.js')).readClient,
    }),
    command('update', {
      description: 'change what options name, or replace all metadata by those of a file',
      words: [registered, argument('[file]', 'all metadata of the client as JSON; - reads stdin')],
      options: [...managed, ...metadata],
      kind: 'heir',
      help: `
Examples:
  oauth-lab register update 3f2a9c --redirect-uri https://app.example/cb --redirect-uri https://app.example/cb2
  oauth-lab register update 3f2a9c client.json
`,
      run: async () => (await import('./endpoints/register-run.js')).updateClient,
    }),
    command('delete', {
      description: 'end a client, its codes and its tokens',
      words: [registered],
      options: managed,
      kind: 'heir',
      help: `
Examples:
  oauth-lab register delete 3f2a9c
`,
      run: async () => (await import('./endpoints/register-run.js')).deleteClient,
    }),
  ],
})
