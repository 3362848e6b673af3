/** Sections with a MUST of the Model Context Protocol, revision 2026-07-28: a page each, and its section. */
export const musts = {
  'MCP 2026-07-28 Authorization §3':
    'An MCP client finds the authorization server by the metadata of the MCP server.',
  'MCP 2026-07-28 Authorization §6':
    'The scopes of a challenge are what the current request needs; nothing else is assumed.',
  'MCP 2026-07-28 Authorization §7.1':
    'The client records the issuer, and compares iss with it as it is written, in errors too.',
  'MCP 2026-07-28 Authorization §8':
    'Both requests name the MCP server as resource, whatever the authorization server supports.',
  'MCP 2026-07-28 Authorization §9.1':
    'Every request carries its token in the Authorization header, and never in the address.',
  'MCP 2026-07-28 Authorization §9.2':
    'An MCP server takes tokens for itself alone, and a client sends it tokens of its own issuer alone.',
  'MCP 2026-07-28 Authorization §10':
    'A client keeps refresh tokens secret, and does not expect that it gets one.',
  'MCP 2026-07-28 Authorization §11': 'Missing authorization is answered 401, and a missing scope 403.',
  'MCP 2026-07-28 Discovery §1': 'The metadata of an MCP server names at least one authorization server.',
  'MCP 2026-07-28 Discovery §2':
    'The metadata is where the challenge says, else at the path below the well-known address, else at its root.',
  'MCP 2026-07-28 Discovery §3':
    'Metadata of an issuer is looked for in a fixed order, and names the same issuer or is not used.',
  'MCP 2026-07-28 Registration §1.1':
    'The client_id of a metadata document is its own https address, which has a path.',
  'MCP 2026-07-28 Registration §3.1': 'A client that registers itself names its application_type.',
  'MCP 2026-07-28 Registration §4':
    'Client credentials belong to the issuer that gave them, and are used at no other one.',
  'MCP 2026-07-28 Security §1': 'An MCP server checks that a token was issued for it.',
  'MCP 2026-07-28 Security §3':
    'Endpoints of an authorization server use https, and redirect addresses https or this computer.',
  'MCP 2026-07-28 Security §4':
    'The client uses PKCE with S256, and stops where the metadata announces no PKCE.',
  'MCP 2026-07-28 Transport §1': 'An MCP server refuses a request with a foreign Origin by 403.',
  'MCP 2026-07-28 Transport §2': 'Every message is a POST, and its answer is JSON or a stream of events.',
  'MCP 2026-07-28 Transport §3': 'A stream of events ends with the response to its request.',
  'MCP 2026-07-28 Transport §6.1':
    'Every request names its revision in MCP-Protocol-Version and in its _meta, both the same.',
  'MCP 2026-07-28 Transport §6.2':
    'Every request names its method in Mcp-Method, and a call its tool in Mcp-Name.',
  'MCP 2025-11-25 Lifecycle §1.1':
    'A client begins with initialize, and confirms it by notifications/initialized.',
  'MCP 2025-11-25 Transports §2.5':
    'A client sends the Mcp-Session-Id of a server with every further request.',
  'MCP 2025-11-25 Transports §2.7':
    'After initialize, every request names the agreed revision in MCP-Protocol-Version.',
  'MCP 2025-03-26 Authorization §2.4':
    'The authorization server is at the origin of the MCP server, with metadata or with default addresses.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'MCP 2026-07-28 Authorization §8.1': 'The canonical URI of an MCP server has a scheme and no fragment.',
  'MCP 2026-07-28 Authorization §11.1':
    'A client that is refused for its scope asks for old and new scopes together, a few times at most.',
  'MCP 2026-07-28 Registration §1':
    'A metadata document is used where the authorization server announces support.',
  'MCP 2026-07-28 Registration §2': 'Client information that was registered before goes first.',
  'MCP 2026-07-28 Registration §3':
    'Dynamic registration is deprecated, and stays for older authorization servers.',
  'MCP 2026-07-28 Tools §6': 'A tool that fails says so in its result, by isError.',
  'MCP 2026-07-28 Versioning §2':
    'A server names the revisions that it supports, and the client chooses one of them.',
  'MCP Client Credentials §2.2': 'A client without a user authenticates by a signed JWT or by its secret.',
  'MCP Enterprise-Managed Authorization §4':
    'The identity provider of an organisation exchanges an ID token for a grant to one MCP server.',
  'MCP Enterprise-Managed Authorization §5':
    'The client redeems that grant at the authorization server of the MCP server.',
} as const
