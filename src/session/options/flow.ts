import type { KnownUser } from '../../client/known-login.js'
import { type Flow, type FlowName, flows } from '../../flows/flows.js'
import { isProtectedAddress } from '../../flows/metadata/resource-metadata.js'
import { beginsWithToken, type FlowOptions } from '../../flows/options.js'
import type { Step } from '../../flows/step.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { AuthorizationDetails } from '../../protocol/oauth/authorization-details.js'
import type { Client } from '../../protocol/oauth/client.js'
import { type AuthorizationServerMetadata, announcedResources } from '../../protocol/oauth/metadata.js'
import { sameResource } from '../../protocol/oauth/scope.js'
import { defined, withoutEnd } from '../../protocol/values.js'
import type { User } from '../../servers/authorization-server/model.js'
import type { ClientKnowledge } from '../client/setup.js'
import { readStdinLine } from '../input/input.js'
import { assertedUser, checkTypedCode, knownUser } from '../people/users.js'
import type { LabTarget } from '../targets/lab.js'
import type { ServerKnowledge, ServerOptions, ServerTarget } from '../targets/server.js'
import {
  askedDetails,
  assertionSource,
  checkStdinUses,
  type GivenTokens,
  readGivenTokens,
} from './given-tokens.js'
import { backchannelWish, checkBackchannel, loginWish } from './login.js'
import type { RequestParameters } from './parameters.js'
import { checkCallback, checkPaste, logoutOptions, redirectUriOf } from './redirect.js'
import type { FlowRunOptions as TypedFlowOptions } from './table.js'

/** The options of a run of a flow: what was typed, and what the lab file knows of a named server. */
export interface FlowRunOptions extends ServerOptions, Omit<TypedFlowOptions, keyof ServerOptions> {}

/** The options of a flow that come neither from its server nor from its client. */
type Wanted = Omit<FlowOptions, keyof ServerKnowledge | keyof ClientKnowledge>

/** The input of a flow that people type into stdin or keep in files. */
export interface FlowInput extends GivenTokens {
  readonly password?: string
  readonly authorizationDetails?: AuthorizationDetails
}

/** Reads the password, the access token and the authorization details, as the options say. @throws UsageError */
export async function readInput(options: FlowRunOptions): Promise<FlowInput> {
  const authorizationDetails = await askedDetails(options.authorizationDetails)
  return defined({ ...(await readSecrets(options)), authorizationDetails })
}

async function readSecrets(options: FlowRunOptions): Promise<FlowInput> {
  checkStdinUses(options)
  const given = await readGivenTokens(options)
  return options.passwordStdin ? { ...given, password: await readStdinLine('the password') } : given
}

/** Refuses options that contradict each other, before any lab is started. @throws UsageError */
export function checkOptions(options: FlowRunOptions): void {
  const { tokenType, dpop, token, otp } = options
  checkTypedCode(otp)
  checkCallback(options)
  checkPaste(options)
  checkBackchannel(options)
  if (tokenType !== 'mac') return
  if (token !== undefined) {
    throw new UsageError('--token-type mac needs the key that comes with a token, and --token has none', [
      'Leave --token out',
    ])
  }
  if (dpop) {
    throw new UsageError('--token-type mac and --dpop bind a token to two different keys', ['Leave one out'])
  }
}

/** The grant of the first token, for flows that need one: the password grant for a client that may not use codes. */
function firstGrant({ grant_types: grants }: Client): 'code' | 'password' {
  return !grants.includes('authorization_code') && grants.includes('password') ? 'password' : 'code'
}

/** The resource that the access token will be for: the token request can narrow what the authorization request asked. */
function indicatorIn({ authorization, token }: RequestParameters): string | undefined {
  return [...token, ...authorization].find(([name, value]) => name === 'resource' && value !== '')?.[1]
}

/**
 * The address to present a token at that was issued for a named resource (RFC 8707 §2). Returns undefined for a name that
 * is no address, and for the authorization server itself.
 */
function addressOf(indicator: string, lab: LabTarget | undefined): string | undefined {
  const own = lab?.urls.resource
  const accepted = own === undefined ? [] : [own, ...(lab?.config.resource.audiences ?? [])]
  if (accepted.some(each => sameResource(each, indicator))) return `${own}/resource`
  if (lab && splitUrl(indicator).origin === splitUrl(lab.address).origin) return undefined
  return isTokenAddress(indicator) ? indicator : undefined
}

/** True for an address that a request with a token may go to. */
function isTokenAddress(url: string): boolean {
  return isUrl(url) && isProtectedAddress(url) && !url.includes('#')
}

/**
 * The target with the resource server that its metadata name (RFC 9728 §4), for a named lab whose running record is not on
 * this computer.
 */
export function withPublishedResource(
  target: ServerTarget,
  metadata: AuthorizationServerMetadata,
): ServerTarget {
  const { lab } = target
  if (lab === undefined || lab.urls.resource !== undefined) return target
  const resource = announcedResources(metadata).find(isTokenAddress)
  if (resource === undefined) return target
  return { ...target, lab: { ...lab, urls: { ...lab.urls, resource: withoutEnd(resource, '/') } } }
}

/** The address of the protected resource. @throws UsageError */
function resourceOf(
  needed: boolean,
  { resource, cert }: FlowRunOptions,
  indicator: string | undefined,
  lab: LabTarget | undefined,
): string | undefined {
  if (resource !== undefined) {
    if (!isTokenAddress(resource)) {
      throw new UsageError(`--resource ${resource}: tokens go to https addresses, or stay on this computer`, [
        'It looks like:  --resource https://api.example/records',
      ])
    }
    return resource
  }
  if (indicator !== undefined && !needed) return addressOf(indicator, lab)
  if (lab === undefined) {
    if (!needed) return undefined
    throw new UsageError('--issuer names no resource server', ['Name a protected resource:  --resource URL'])
  }
  const { urls, config } = lab
  // A standard resource server accepts no token of the reference profile, and the first stage issues no tokens.
  const usual = config.profile !== 'reference' && config.stage !== 'login-only'
  // A token that is bound to a certificate is good only where the server asks for one.
  const own = cert === undefined ? urls.resource : (urls.mtls ?? urls.resource)
  if (own !== undefined && (usual || needed)) return `${own}/resource`
  if (!needed) return undefined
  throw new UsageError('this lab has no resource server', ['Name a protected resource:  --resource URL'])
}

/** The audience of an exchanged token: that of the option, else the resource server of the lab by its base URL. */
function audienceOf({ audience, resource }: FlowRunOptions, lab: LabTarget | undefined): string | undefined {
  const own = lab?.urls.resource
  if (audience !== undefined || resource !== undefined || own === undefined) return audience
  const audiences = lab?.config.resource.audiences
  return audiences === undefined || audiences.includes(own) ? own : undefined
}

/**
 * The flows that ask for openid by themselves: without it there is no id_token for a hybrid response to hold or for a logout
 * to name, and no backchannel authentication (OpenID Connect CIBA Core §7.1).
 */
const NEED_OPENID: readonly FlowName[] = ['hybrid', 'logout', 'ciba']

/** An id_token alone has no other scope either (OpenID Connect Core §3.2.2.1). */
const needsOpenId = (name: FlowName, { responseType }: FlowRunOptions) =>
  NEED_OPENID.includes(name) || (name === 'implicit' && responseType?.includes('id_token'))

/** Decides the options of a flow from the command line and the target. @throws UsageError */
export async function wantedOf(
  name: FlowName,
  options: FlowRunOptions,
  { assertion: given, password: _password, idTokenHint, ...input }: FlowInput,
  { client, lab, users }: ServerTarget,
  { home, parameters }: { readonly home: string; readonly parameters: RequestParameters },
): Promise<Wanted> {
  const { needs }: Flow = flows[name]
  const resourceIndicator = indicatorIn(parameters)
  const resource = resourceOf(needs.includes('resource'), options, resourceIndicator, lab)
  const makes = given === undefined && needs.includes('assertion')
  const made = makes
    ? await assertionSource(options, assertedUser(options.user, users), {
        home,
        config: lab?.config,
        // Only a lab of this process has the key of the seed.
        seed: lab?.embedded ? options.seed : undefined,
      })
    : undefined
  const exchangeFor = name === 'token-exchange' ? audienceOf(options, lab) : undefined
  return defined({
    clientId: client.client_id,
    redirectUri: redirectUriOf(needs, options, client),
    pkce: options.pkce,
    first: firstGrant(client),
    scope: options.scope ?? (needsOpenId(name, options) ? 'openid' : undefined),
    resource,
    resourceIndicator,
    ...input,
    assertion: given ?? made,
    tokenType: options.tokenType === 'mac' ? 'mac' : undefined,
    responseType: options.responseType,
    responseMode: options.responseMode,
    exchangeFor,
    ...(name === 'logout' && logoutOptions(options, client)),
    ...(name === 'ciba' && {
      backchannel: backchannelWish(options, idTokenHint, client, users[0]?.username),
    }),
    ...(await loginWish(options, parameters)),
  })
}

/**
 * The user who logs in. On the screen the person logs in, unless the options name a user. Elsewhere there is no person to
 * ask, so the first user of the lab file logs in when the options name none.
 * @param at.users the users of the lab file; undefined for a server that is no lab
 * @throws UsageError
 */
export function userOf(
  name: FlowName,
  { user, loginHint }: FlowRunOptions,
  { password, ...given }: FlowInput,
  { onScreen, users }: { readonly onScreen: boolean; readonly users: readonly User[] | undefined },
): KnownUser | undefined {
  const { needs }: Flow = flows[name]
  if (!needs.includes('login') || beginsWithToken(given)) return undefined
  if ((onScreen || !users) && user === undefined && password === undefined) return undefined
  // Only at a lab it is known where the person decides.
  if (name === 'ciba' && !users) return undefined
  // The person whom the request names decides about it.
  const named = users?.find(({ username }) => username === loginHint)?.username
  if (users) return knownUser(user ?? named, password, users)
  if (user === undefined) {
    throw new UsageError('--password-stdin needs the user of the password', ['Name the user:  --user NAME'])
  }
  if (password === undefined && !user.includes(':')) {
    throw new UsageError(`the password of ${JSON.stringify(user)} is not known here`, [
      'Give it:  --user NAME --password-stdin, or log in with --browser',
    ])
  }
  return knownUser(user, password, [])
}

/** The endpoints that a flow cannot do without. */
function endpointsOf(name: FlowName): (keyof AuthorizationServerMetadata & string)[] {
  const { needs }: Flow = flows[name]
  return [
    ...(needs.includes('redirect') ? ['authorization_endpoint'] : []),
    ...(name === 'device' ? ['device_authorization_endpoint'] : []),
    ...(name === 'ciba' ? ['backchannel_authentication_endpoint'] : []),
    ...(name === 'implicit' ? [] : ['token_endpoint']),
  ]
}

/** The option that names an endpoint; undefined where only a file names it. */
const OPTIONS: Readonly<Record<string, string>> = {
  authorization_endpoint: '--authorization-endpoint URL',
  token_endpoint: '--token-endpoint URL',
}

/**
 * Refuses a flow at a server whose given metadata lack an endpoint, before anybody logs in.
 * @param opening the steps of the discovery
 * @throws UsageError
 */
export function checkGiven(
  name: FlowName,
  opening: readonly Step[],
  metadata: AuthorizationServerMetadata,
): void {
  if (!opening.some(step => step.name === 'given_metadata')) return
  const missing = endpointsOf(name).find(each => metadata[each] === undefined)
  if (missing === undefined) return
  throw new UsageError(`flow ${name} needs the ${missing}, and nothing names it (RFC 8414 §2)`, [
    `Name it:  ${OPTIONS[missing] ?? `${missing} in the file of --metadata, or under servers of the lab file`}`,
  ])
}
