import { DEFAULT_REDIRECT_URI } from '../client/callback-listener.js'
import { UsageError } from '../errors.js'
import type { Patient } from '../flows/doctor/patient.js'
import type { ClientIdentity } from '../flows/tamper/move.js'
import { readStdinLine } from '../input/stdin.js'
import { companionsOf, identityOf, redirectUriFor } from '../targets/client-identity.js'
import { clientSecret as secretIn } from '../targets/client-secret.js'
import { issuerAddress } from '../targets/issuer-address.js'
import { findClient, knownUser } from '../targets/lab-names.js'
import type { LabTarget } from '../targets/lab-target.js'
import type { DoctorFlags } from './doctor-flags.js'

/** What examinations of both kinds are told by flags. */
function told({ scope, resource }: DoctorFlags): Pick<Patient, 'scope' | 'resource'> {
  return { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) }
}

/** Any free port would do, and nobody listens: the answer is read off the redirect. */
const withoutPort = (uri: string) => uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):0(?=[/?]|$)/, '$1')

/** The lab as a patient: clients and users are those of its lab file. @throws UsageError */
export async function labPatient(flags: DoctorFlags, lab: LabTarget): Promise<Patient> {
  const { config, urls, embedded } = lab
  if (flags.clientId !== undefined) {
    throw new UsageError('--client-id is for another server than the lab', [
      'Name its issuer:  oauth-lab doctor https://id.example --client-id web',
      'A client of the lab file:  --client demo',
    ])
  }
  const client = findClient(flags.client, config.clients)
  const password = flags.passwordStdin ? await readStdinLine('the password') : undefined
  return {
    issuer: urls.authorization,
    client: identityOf(client),
    ...companionsOf(client, config.clients),
    redirectUri: flags.redirectUri ?? withoutPort(redirectUriFor(client)),
    credentials: knownUser(flags.user, password, config.users),
    responseTypes: client.response_types,
    lifetimes: config.lifetimes,
    ...(embedded && { advance: embedded.clock.advance }),
    ...(urls.resource !== undefined && { resource: `${urls.resource}/resource` }),
    ...told(flags),
  }
}

async function credentialsOf({ user, passwordStdin }: DoctorFlags): Promise<Patient['credentials']> {
  if (user === undefined) return undefined
  const mark = user.indexOf(':')
  if (mark >= 0) return { username: user.slice(0, mark), password: user.slice(mark + 1) }
  if (passwordStdin) return { username: user, password: await readStdinLine('the password') }
  throw new UsageError(`the password of ${JSON.stringify(user)} is not known here`, [
    'Give it:  --user NAME:PASSWORD, or --user NAME --password-stdin',
  ])
}

/** The client that is named where none is: a mock takes any. */
export const NOBODY = 'oauth-lab'

/** Any server as a patient: what is known of it was typed. @throws UsageError */
export async function issuerPatient(
  issuer: string,
  flags: DoctorFlags,
  env: NodeJS.ProcessEnv,
): Promise<Patient> {
  const clientSecret = await secretIn(flags, env)
  const client: ClientIdentity = {
    clientId: flags.clientId ?? NOBODY,
    auth: clientSecret === undefined ? 'none' : 'client_secret_basic',
    ...(clientSecret !== undefined && { clientSecret }),
  }
  const credentials = await credentialsOf(flags)
  return {
    issuer: issuerAddress(issuer),
    client,
    redirectUri: flags.redirectUri ?? withoutPort(DEFAULT_REDIRECT_URI),
    ...(credentials && { credentials }),
    ...told(flags),
  }
}
