import { DEFAULT_REDIRECT_URI, isListenable } from '../../../client/callback-listener.js'
import type { KnownUser } from '../../../client/known-login.js'
import type { AssertionSource } from '../../../flows/requests/assertion-source.js'
import { unfitReasons } from '../../../lab/lab-file/profiled-clients.js'
import { findRunningLab } from '../../../lab/state/running.js'
import { UsageError } from '../../../protocol/errors.js'
import { isUrl } from '../../../protocol/http/address.js'
import {
  type Client,
  isCertificateMethod,
  type ServerProfile,
  stricterProfile,
} from '../../../protocol/oauth/client.js'
import type { AuthorizationServerMetadata } from '../../../protocol/oauth/metadata.js'
import { type ShownWeak, shownWeak } from '../../../protocol/rules/weak-modes.js'
import { defined } from '../../../protocol/values.js'
import { underProfile } from '../../../servers/authorization-server/profiles/profiles.js'
import {
  clientSecret as readClientSecret,
  type SecretOptions,
  secretInFile,
} from '../../../session/client/credentials.js'
import { postLogoutUriFor, redirectUriFor } from '../../../session/client/identity.js'
import { checkMeans } from '../../../session/client/profile.js'
import { type CheckedClient, type ClientOptions, clientSetup } from '../../../session/client/setup.js'
import { readStdinLine } from '../../../session/input/input.js'
import { assertionSource } from '../../../session/options/given-tokens.js'
import {
  checkedNetwork,
  issuerAddress,
  type NetworkOptions,
  networkSettings,
  warnInsecure,
} from '../../../session/options/network.js'
import { findClient, knownUser, secondUser, splitUser } from '../../../session/people/users.js'
import {
  type GivenMetadata,
  type GivenOptions,
  givenAddresses,
  givenMetadata,
} from '../../../session/targets/given-metadata.js'
import { type LabOptions, type LabTarget, type LabUse, labTarget } from '../../../session/targets/lab.js'
import type { NamedOptions } from '../../../session/targets/named-server.js'
import { addressOf, registeredElsewhere, type ServerTarget } from '../../../session/targets/server.js'
import { outside, type Target, targetFrom, trustedPem } from '../../../session/targets/target.js'
import { companionsOf } from '../../tamper/run/flow-run.js'
import type { DoctorProfile } from '../profiles.js'
import type { ServerUnderTest } from '../server-under-test.js'

/** The options that name the people and the other client of an examination. */
interface DoctorUserOptions {
  readonly user?: string
  readonly passwordStdin?: true
  /** Another user, for what takes two people. */
  readonly secondUser?: string
  /** Another client of another server, and its secret; without one it is a public client. */
  readonly secondClientId?: string
  readonly secondClientSecretFile?: string
}

/** The server with another user than the one who logs in. @throws UsageError for the same user */
function withSecond(
  server: ServerUnderTest,
  second: KnownUser | undefined,
): { readonly server: ServerUnderTest; readonly second?: KnownUser } {
  if (second === undefined) return { server }
  const { username } = second
  if (username === server.credentials?.username) {
    throw new UsageError(`--second-user ${JSON.stringify(username)} is the user who logs in`, [
      'Name another one:  --second-user NAME:PASSWORD',
    ])
  }
  return { server: { ...server, secondUser: username }, second }
}

/** The second user of another server than a lab. @throws UsageError for one without a password */
function secondOf({ secondUser: typed }: DoctorUserOptions): KnownUser | undefined {
  if (typed === undefined) return undefined
  const { name: username, password } = splitUser(typed)
  if (password !== undefined) return { username, password }
  throw new UsageError(`the password of ${JSON.stringify(typed)} is not known here`, [
    'Give it:  --second-user NAME:PASSWORD',
  ])
}

/** The other client of another server, which options name. @throws UsageError */
async function secondClient(
  { secondClientId: clientId, secondClientSecretFile: file }: DoctorUserOptions,
  first: string,
): Promise<Pick<ServerUnderTest, 'other' | 'publicClient'>> {
  if (clientId === undefined) {
    if (file === undefined) return {}
    throw new UsageError('--second-client-secret-file needs --second-client-id')
  }
  if (clientId === first) {
    throw new UsageError(`--second-client-id ${JSON.stringify(clientId)} is the first client`, [
      'Name another client of the same server',
    ])
  }
  if (file === undefined) return { publicClient: { clientId, auth: 'none' } }
  return { other: { clientId, auth: 'client_secret_basic', clientSecret: await secretInFile(file) } }
}

/** The user who logs in at another server than a lab. @throws UsageError for one without a password */
export async function credentialsOf({
  user,
  passwordStdin,
}: DoctorUserOptions): Promise<ServerUnderTest['credentials']> {
  if (user === undefined) return undefined
  const { name, password } = splitUser(user)
  if (password !== undefined) return { username: name, password }
  if (passwordStdin) return { username: name, password: await readStdinLine('the password') }
  throw new UsageError(`the password of ${JSON.stringify(user)} is not known here`, [
    'Give it:  --user NAME:PASSWORD, or --user NAME --password-stdin',
  ])
}

/** The parts of a server under test that its client decides. */
type Examiner = Pick<ServerUnderTest, 'client' | 'equip' | 'certificate'>

/** The client that examines a server. @throws UsageError where its secret, key or certificate is missing */
async function examiner(
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
async function labExaminer(
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
function refuseUnfit(client: Client, profile: ServerProfile): void {
  const [reason] = unfitReasons(client, profile)
  if (reason === undefined) return
  throw new UsageError(`client ${client.client_id}: ${reason}`, ['Choose another one:  --client NAME'])
}

/** The options that name a server under test, and the client that examines it. */
export interface DoctorOptions
  extends SecretOptions,
    DoctorUserOptions,
    GivenOptions,
    NetworkOptions,
    Pick<NamedOptions, 'at' | 'caFile'>,
    Omit<ClientOptions, 'param' | 'seed' | 'profile'> {
  /** The profile to examine by; a client under `fapi2` insists on it too. */
  readonly profile?: DoctorProfile
  readonly client: string
  readonly clientId?: string
  readonly redirectUri?: string
  readonly postLogoutRedirectUri?: string
  readonly scope?: string
  readonly resource?: string
  /** Finishes in the person's own browser what this program cannot read. */
  readonly browser?: boolean
  /** An issuer of assertions that is registered with the server, and the file of its private key. */
  readonly assertionIssuer?: string
  readonly issuerKey?: string
}

/** A target whose server is under test. */
export interface DoctorTarget extends Target {
  readonly server: ServerUnderTest
  /** Another user than the one who logs in. */
  readonly second?: KnownUser | undefined
  /** The weak modes of a lab under test. Absent: it is strict, or another server. */
  readonly weak?: readonly ShownWeak[]
}

/** The default `client_id`. Mock servers accept any. */
const UNNAMED_CLIENT = 'oauth-lab'

/**
 * Finds the server under test: the lab of the run, or any issuer.
 * @throws UsageError
 */
export async function doctorTarget(
  typed: string | undefined,
  options: DoctorOptions,
  checked: CheckedClient,
  lab: LabOptions,
  { narrate }: Pick<LabUse, 'narrate'>,
): Promise<DoctorTarget> {
  const given = await knownBy(typed, options)
  const network = checkedNetwork(options)
  const found = await labOrIssuer(typed, given, options, checked, lab, narrate)
  const { clientId, clientSecret } = found.server.client
  const secretOf = clientSecret === undefined ? undefined : clientId
  warnInsecure(network, { address: found.address, secretOf }, { narrate })
  return { ...found, reach: networkSettings(network, [found.address, ...givenAddresses(given)]) }
}

async function labOrIssuer(
  typed: string | undefined,
  given: GivenMetadata | undefined,
  options: DoctorOptions,
  checked: CheckedClient,
  lab: LabOptions,
  narrate: LabUse['narrate'],
): Promise<DoctorTarget> {
  const issuer = typed ?? options.issuer ?? (given && addressOf(undefined, given))
  if (issuer === undefined) return labUnderTest(options, checked, lab, narrate)
  if (options.clientId === undefined && options.client !== undefined) {
    const running = await findRunningLab(lab.home, ({ urls }) => urls.authorization === issuer)
    if (running)
      return labUnderTest(options, checked, { ...lab, server: issuer, serverBy: 'ISSUER' }, narrate)
    narrate(
      `No --client-id was given. The doctor asks as "${UNNAMED_CLIENT}", which a server with registered clients refuses.`,
    )
  }
  return issuerUnderTest(issuer, given, options, checked, lab)
}

/** Removes the port 0 of a loopback redirect_uri. The doctor reads the answer from the redirect; nothing listens there. */
export function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):0(?=[/?]|$)/, '$1')
}

/** The address for the answers. @throws UsageError where no browser could bring one */
function redirectUriOf({ redirectUri, browser }: DoctorOptions, usual: string): string {
  if (!browser) return redirectUri ?? withoutPort(usual)
  const wanted = redirectUri ?? usual
  if (isListenable(wanted)) return wanted
  throw new UsageError('a browser can only bring the answer to a loopback redirect_uri', [
    'Leave --redirect-uri out, or name http://127.0.0.1:0/callback',
  ])
}

/** The address for the browser after a logout. Nobody listens there. @throws UsageError */
function returnOf({ postLogoutRedirectUri: given }: DoctorOptions, usual?: string): string | undefined {
  if (given === undefined) return usual && withoutPort(usual)
  if (isUrl(given)) return given
  throw new UsageError(`--post-logout-redirect-uri ${given}: it is no absolute URI`, [
    'It looks like:  --post-logout-redirect-uri https://web.example/logged-out',
  ])
}

/** The settings that a lab and any other server have in common. */
function common({
  scope,
  resource,
  profile,
}: DoctorOptions): Pick<ServerUnderTest, 'scope' | 'resource' | 'profile'> {
  return defined({ scope, resource, profile })
}

function labUnderTest(
  options: DoctorOptions,
  checked: CheckedClient,
  labOptions: LabOptions,
  narrate: LabUse['narrate'],
): Promise<DoctorTarget> {
  const check: LabUse['check'] = config => refuseUnfit(findClient(options.client, config), config.profile)
  return targetFrom(labTarget(labOptions, { narrate, check }), async lab => {
    const server = await labServer(options, checked, lab, labOptions.home)
    const { users } = lab.config
    const { secondUser: named } = options
    const first = server.credentials?.username
    const second = named === undefined ? secondUser(first, users) : knownUser(named, undefined, users)
    return { ...lab, weak: shownWeak(lab.config.weak), ...withSecond(server, second) }
  })
}

async function labServer(
  options: DoctorOptions,
  checked: CheckedClient,
  lab: LabTarget,
  home: LabOptions['home'],
): Promise<ServerUnderTest> {
  const { config, urls, embedded, address } = lab
  if (options.clientId !== undefined) {
    throw new UsageError('--client-id is for another server than the lab', [
      'Name its issuer:  oauth-lab doctor https://id.example --client-id web',
      'A client of the lab file:  --client demo',
    ])
  }
  if (options.secondClientId !== undefined || options.secondClientSecretFile !== undefined) {
    throw new UsageError('--second-client-id is for another server than the lab', [
      'Leave it out: the lab file names the other clients of the lab',
    ])
  }
  const { carriedKeys, isPublished, unpublishedMetadata } = await import('../../../lab/unpublished-lab.js')
  const client = findClient(options.client, config)
  const password = options.passwordStdin ? await readStdinLine('the password') : undefined
  const credentials = knownUser(options.user, password, config.users)
  return defined({
    issuer: address,
    known: isPublished(config) ? undefined : unpublishedMetadata(address, config),
    carriedKeys: isPublished(config) ? undefined : await carriedKeys(config, home),
    ...(await labExaminer(client, lab, checked)),
    redirectUri: redirectUriOf(options, redirectUriFor(client)),
    postLogoutRedirectUri: returnOf(options, postLogoutUriFor(client)),
    credentials,
    assertion: await labAssertions(options, credentials?.username, lab, home),
    responseTypes: client.response_types,
    lifetimes: config.lifetimes,
    advance: embedded?.clock.advance,
    // A token that is bound to a certificate is good only where the server asks for one.
    resource: resourceIn(urls, options),
    ...common(options),
  })
}

/** The issuer of the assertions at a lab: the built-in one, where the lab file names no other, or the one of the options. */
function labAssertions(
  options: DoctorOptions,
  subject: string | undefined,
  { config }: LabTarget,
  home: string,
): Promise<AssertionSource | undefined> | undefined {
  const builtIn = !config.given.includes('assertion_issuers')
  if (subject === undefined || !(builtIn || options.issuerKey)) return undefined
  return assertionSource(options, subject, { config, home })
}

/** The issuer of the assertions at another server, which options name. Without a user the client speaks of itself. */
async function givenAssertions(
  options: DoctorOptions,
  subject: string,
  home: string,
): Promise<AssertionSource | undefined> {
  const { assertionIssuer, issuerKey } = options
  if (assertionIssuer === undefined && issuerKey === undefined) return undefined
  return assertionSource(options, subject, { config: undefined, home })
}

function resourceIn({ resource, mtls }: LabTarget['urls'], { cert }: DoctorOptions): string | undefined {
  const own = cert === undefined ? resource : (mtls ?? resource)
  return own && `${own}/resource`
}

async function issuerUnderTest(
  typed: string,
  given: GivenMetadata | undefined,
  options: DoctorOptions,
  checked: CheckedClient,
  labOptions: LabOptions,
): Promise<DoctorTarget> {
  const secret = await readClientSecret(options, process.env)
  const client = registeredElsewhere(options.clientId ?? UNNAMED_CLIENT, secret)
  const credentials = await credentialsOf(options)
  const issuer = issuerAddress(typed)
  const cacert = labOptions.cacert ?? options.caFile
  const caPem = await trustedPem(cacert === undefined ? labOptions : { ...labOptions, cacert }, issuer)
  const server: ServerUnderTest = defined({
    issuer,
    ...(await examiner(issuer, { client, random: outside.random }, checked)),
    ...(await secondClient(options, client.client_id)),
    redirectUri: redirectUriOf(options, DEFAULT_REDIRECT_URI),
    postLogoutRedirectUri: returnOf(options),
    known: given && { ...given.members, issuer },
    carriedKeys: given?.carriedKeys,
    credentials,
    assertion: await givenAssertions(options, credentials?.username ?? client.client_id, labOptions.home),
    ...common(options),
  })
  return { ...outside, address: issuer, caPem, ...withSecond(server, secondOf(options)) }
}

/** The knowledge about a server that options give. It counts where the server publishes no metadata. @throws UsageError */
function knownBy(issuer: string | undefined, options: DoctorOptions): Promise<GivenMetadata | undefined> {
  const { authorizationEndpoint, tokenEndpoint } = options
  if ((authorizationEndpoint === undefined) !== (tokenEndpoint === undefined)) {
    throw new UsageError('--authorization-endpoint and --token-endpoint belong together', [
      'Name both; they count where the server publishes no metadata',
    ])
  }
  return givenMetadata(defined({ ...options, issuer: issuer ?? options.issuer }))
}
