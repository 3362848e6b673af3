import { unfitReasons } from '../../../lab/lab-file/profiled-clients.js'
import { UsageError } from '../../../protocol/errors.js'
import {
  type Client,
  isCertificateMethod,
  type ServerProfile,
  stricterProfile,
} from '../../../protocol/oauth/client.js'
import type { AuthorizationServerMetadata } from '../../../protocol/oauth/metadata.js'
import { defined } from '../../../protocol/values.js'
import { underProfile } from '../../../servers/authorization-server/profiles/profiles.js'
import { checkMeans } from '../../../session/client/profile.js'
import { type CheckedClient, clientSetup } from '../../../session/client/setup.js'
import type { LabTarget } from '../../../session/targets/lab.js'
import type { ServerTarget } from '../../../session/targets/server.js'
import { companionsOf } from '../../tamper/run/companions.js'
import type { ServerUnderTest } from '../server-under-test.js'

/** The parts of a server under test that its client decides. */
type Examiner = Pick<ServerUnderTest, 'client' | 'equip' | 'certificate'>

/** The client that examines a server. @throws UsageError where its secret, key or certificate is missing */
export async function examiner(
  issuer: string,
  target: Pick<ServerTarget, 'client' | 'random' | 'lab'>,
  checked: CheckedClient,
): Promise<Examiner> {
  const { client } = target
  const { profile, ...options } = checked.options
  // Wrong options are an error before anything is sent.
  const means = await clientSetup(target, { ...checked, options }, { metadata: { issuer } })
  if (profile !== undefined) checkMeans(means)
  const { auth, clientSecret } = means.options
  const { certificate } = checked
  const method = options.auth ?? client.token_endpoint_auth_method
  return defined({
    client: defined({ clientId: client.client_id, auth, clientSecret }),
    equip: (metadata: AuthorizationServerMetadata) => clientSetup(target, checked, { metadata }),
    // Nobody here knows if a certificate proves a client of another server, unless an option says so.
    certificate: certificate && (isCertificateMethod(method) ? 'authenticates' : 'shown'),
  })
}

/** The options of a client of a lab, with those that its registration demands. */
function asRegistered({ options, ...checked }: CheckedClient, client: Client): CheckedClient {
  const { dpop_bound_access_tokens: bound, require_pushed_authorization_requests: pushed } = client
  const { require_signed_request_object: signed, request_object_signing_alg: alg } = client
  const object = signed || (alg !== undefined && alg !== 'none') ? ('signed' as const) : undefined
  return {
    ...checked,
    options: defined({
      ...options,
      dpop: bound ? (true as const) : options.dpop,
      par: pushed ? (true as const) : options.par,
      requestObject: options.requestObject ?? object,
    }),
  }
}

/** The client of a lab that examines it, and the clients that wrong moves need beside it. @throws UsageError */
export async function labExaminer(
  client: Client,
  lab: LabTarget,
  checked: CheckedClient,
): Promise<Examiner & Pick<ServerUnderTest, 'boundClient' | 'ownProfile' | 'other' | 'publicClient'>> {
  const { profile, clients } = lab.config
  const registered = underProfile(client, profile)
  const { dpop_bound_access_tokens: boundClient } = registered
  // A client that its profile refuses is of no use to another one.
  const fit = clients.filter(each => unfitReasons(each, profile).length === 0)
  return {
    ...(await examiner(lab.address, { client, random: lab.random, lab }, asRegistered(checked, registered))),
    ...defined({ boundClient }),
    ownProfile: registered.profile !== stricterProfile(undefined, profile),
    ...companionsOf(client, fit),
  }
}

/** @throws UsageError for a client that its profile refuses at every request */
export function refuseUnfit(client: Client, profile: ServerProfile): void {
  const [reason] = unfitReasons(client, profile)
  if (reason === undefined) return
  throw new UsageError(`client ${client.client_id}: ${reason}`, ['Choose another one:  --client NAME'])
}
