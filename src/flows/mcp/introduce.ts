import { advice, type Check, check } from '../../protocol/oauth/check.js'
import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Steps, Walk } from '../walk.js'
import type { McpOptions } from './options.js'
import {
  authOf,
  type ChosenRegistration,
  type McpClient,
  registeredClient,
  registrationRequest,
} from './register.js'

function refuseNewClient({ grant }: Pick<McpOptions, 'grant'>, { way }: ChosenRegistration): void {
  if (grant === 'authorization_code' || way !== 'dynamic') return
  throw new OAuthError('no_registration', {
    description: `the grant ${grant} needs a client that the authorization server knows: name it by --client-id`,
    rule: 'MCP 2026-07-28 Registration §2',
  })
}

/** The MCP server alone says where the credentials of such a client go. */
function unnamedIssuer({ issuer }: PublishedMetadata): Check {
  const detail = `used at ${issuer}, as the MCP server says; name the server that knows the client by --issuer`
  return advice('issuer', false, 'MCP 2026-07-28 Registration §4', detail)
}

/** Gets a client_id in the chosen way, and shows how. */
export async function* introduce(
  walk: Walk,
  wanted: McpOptions,
  metadata: PublishedMetadata,
  chosen: ChosenRegistration,
): Steps<McpClient> {
  const name = 'client_registration'
  const { given, document, redirectUri, info } = wanted
  refuseNewClient(wanted, chosen)
  const bound = check('issuer', true, 'MCP 2026-07-28 Registration §4', `used at ${metadata.issuer} alone`)
  if (chosen.way === 'given' && given) {
    const { clientId, clientSecret: secret } = given
    const auth = wanted.key === undefined ? authOf(secret, undefined, metadata) : 'none'
    const client = {
      clientId,
      ...(auth !== 'none' && secret !== undefined && { clientSecret: secret }),
      auth,
    }
    const known = given.issuer === undefined ? unnamedIssuer(metadata) : bound
    yield walk.step(name, {
      checks: [...chosen.checks, known],
      note: `client ${clientId}, registered before`,
    })
    return client
  }
  if (chosen.way === 'document' && document !== undefined) {
    const rule = 'MCP 2026-07-28 Registration §1.1'
    const { protocol, pathname } = new URL(document)
    const good = protocol === 'https:' && pathname !== '/'
    const address = advice(
      'client_id',
      good,
      rule,
      good ? document : `${document}: it is no https address with a path`,
    )
    yield walk.step(name, { checks: [...chosen.checks, address], note: `client_id is ${document}` })
    return { clientId: document, auth: 'none' }
  }
  const exchange = await walk.send(registrationRequest(metadata, { redirectUri, name: info.name }))
  const { client, checks } = yield* walk.orRefused(name, exchange, () =>
    registeredClient(exchange, metadata, redirectUri),
  )
  yield walk.step(name, {
    exchange,
    checks: [...chosen.checks, ...checks, bound],
    note: `registered as ${client.clientId}`,
  })
  return client
}
