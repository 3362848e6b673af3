import { listenForCallback } from '../../client/callback-listener.js'
import { createTransport } from '../../client/transport.js'
import type { Outcome } from '../../flows/step.js'
import { KUBERNETES_CLIENT } from '../../lab/sites/kubernetes-client.js'
import type { StateHome } from '../../lab/state/state-folder.js'
import { UserError } from '../../protocol/errors.js'
import { toClient } from '../../servers/authorization-server/client-rules/defaults.js'
import { identityOf, redirectUriFor } from '../client/identity.js'
import type { People } from '../people/people.js'
import type { LabTarget } from '../targets/lab.js'
import { labKnowledge } from '../targets/lab.js'

/** The lab that a person logs in at for the command line of its cluster. */
export interface OidcLogin {
  readonly lab: LabTarget
  readonly home: StateHome
  readonly people: People
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The tokens of a login, and the parts of a configuration that renew them. */
export interface LoggedIn {
  readonly issuer: string
  readonly clientId: string
  readonly idToken: string
  readonly refreshToken?: string
}

/** The scope `groups` is asked for too, where the lab has it. */
const SCOPES = ['openid', 'profile', 'email', 'offline_access']

/**
 * Logs a person in at a lab by the code flow, as the client of the command line.
 * @throws UserError where the login brings no ID token
 */
export async function oidcLogin(login: OidcLogin): Promise<LoggedIn> {
  const { lab, home, people, timeoutMs, signal } = login
  const { now, random, caPem, config } = lab
  const issuer = lab.urls.authorization
  const client = toClient(KUBERNETES_CLIENT)
  const [{ codeFlow }, { peoplePorts }] = await Promise.all([
    import('../../flows/code.js'),
    import('../people/people.js'),
  ])
  const { send, close } = createTransport({ timeoutMs, now, caPem })
  const redirectUri = redirectUriFor(client)
  const callback = await listenForCallback(redirectUri)
  try {
    const known = await labKnowledge({ issuer, config, home }, send, signal)
    const options = {
      ...known,
      ...identityOf(client),
      redirectUri: callback?.redirectUri ?? redirectUri,
      pkce: true,
      audience: client.client_id,
      scope: [...SCOPES, ...(known.metadata.scopes_supported?.includes('groups') ? ['groups'] : [])].join(
        ' ',
      ),
    }
    const { agentWith, verifierWith: _, ...world } = peoplePorts(people, { now, random, signal }, callback)
    let outcome: Outcome | undefined
    for await (const record of codeFlow({ ...world, send, userAgent: agentWith(send) }, options)) {
      if (record.type === 'outcome') outcome = record
    }
    const { id_token: idToken, refresh_token: refreshToken } = outcome?.tokens ?? {}
    if (idToken === undefined) throw failure(outcome)
    const clientId = client.client_id
    return refreshToken === undefined
      ? { issuer, clientId, idToken }
      : { issuer, clientId, idToken, refreshToken }
  } finally {
    await callback?.close()
    close()
  }
}

/** The error for a login without an ID token. */
function failure(outcome: Outcome | undefined): UserError {
  const { error = '', error_description: description = '' } = outcome?.error ?? {}
  const name = KUBERNETES_CLIENT.client_id
  const hints = /client/.test(`${error} ${description}`)
    ? [`It needs the client ${name}:   oauth-lab serve --cluster-oidc`]
    : []
  const problem = description || error || 'it was not finished'
  return new UserError(`the login brought no ID token: ${problem}`, 'refused', hints)
}
