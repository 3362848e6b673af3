import type { BackchannelWish } from '../../flows/requests/backchannel-wish.js'
import type { LoginWish } from '../../flows/requests/login-demand.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Client } from '../../protocol/oauth/client.js'
import { defined, isJsonObject, type JsonObject, parsedJson } from '../../protocol/values.js'
import { readInputFile } from '../input/input.js'
import { refuse, type Typed } from './option.js'
import type { RequestParameters } from './parameters.js'
import type { FlowRunOptions, someFlows } from './table.js'

/** The options of a run about the login, as they were typed. */
export type LoginOptions = Pick<FlowRunOptions, 'acrValues' | 'maxAge' | 'claims'>

const EXAMPLE = `--claims '{"id_token":{"acr":{"essential":true,"values":["urn:oauth-lab:acr:mfa"]}}}'`

/** The places of claims (OpenID Connect Core §5.5). */
const PLACES = ['id_token', 'userinfo']

async function readClaims(given: string | undefined): Promise<JsonObject | undefined> {
  if (given === undefined) return undefined
  const refused = (problem: string) =>
    new UsageError(`--claims: ${problem} (OpenID Connect Core §5.5)`, [`It looks like:  ${EXAMPLE}`])
  const isJson = given.trimStart().startsWith('{')
  const text = isJson ? given : await readInputFile('the claims', given.replace(/^@/, ''))
  const value = parsedJson(text)
  if (value === undefined) throw refused(isJson ? 'that is no JSON' : `${given} holds no JSON`)
  if (!isJsonObject(value)) throw refused('that is no JSON object')
  for (const place of PLACES) {
    if (value[place] !== undefined && !isJsonObject(value[place])) throw refused(`${place} is no JSON object`)
  }
  const known = PLACES.some(place => value[place] !== undefined)
  if (!known) throw refused('it asks for nothing: it has neither id_token nor userinfo')
  return value
}

/**
 * Reads the options about the login.
 * @param parameters parameters of `--param`, which must not name the same
 * @throws UsageError
 */
export async function loginWish(
  { acrValues, maxAge, claims }: LoginOptions,
  { authorization }: RequestParameters,
): Promise<LoginWish> {
  const given = { acr_values: acrValues, max_age: maxAge, claims }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || !authorization.some(([each]) => each === name)) continue
    throw new UsageError(`--param ${name} and --${name.replace('_', '-')} say the same`, ['Leave one out'])
  }
  refuse([
    [
      maxAge !== undefined && !/^\d{1,9}$/.test(maxAge),
      `--max-age ${maxAge} is no number of seconds`,
      'It looks like:  --max-age 300',
    ],
    [
      acrValues?.trim() === '',
      '--acr-values names no class',
      'It looks like:  --acr-values urn:oauth-lab:acr:mfa',
    ],
  ])
  return defined({
    acrValues: acrValues
      ?.trim()
      .split(/[\s,]+/)
      .join(' '),
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    claims: await readClaims(claims),
  })
}

/** The options of a backchannel authentication, as they were typed. */
type BackchannelOptions = Pick<FlowRunOptions, 'user'> & Partial<Typed<typeof someFlows.backchannel>>

/** Longest binding message: a person has to compare it on two small screens (OpenID Connect CIBA Core §7.1). */
const MAX_MESSAGE = 200

/** Refuses options that contradict each other, before anything is read. @throws UsageError */
export function checkBackchannel(options: BackchannelOptions): void {
  const { loginHint, idTokenHint, bindingMessage: message, requestedExpiry: expiry, deny, ignore } = options
  refuse([
    [
      loginHint !== undefined && idTokenHint !== undefined,
      '--login-hint and --id-token-hint both name the person (OpenID Connect CIBA Core §7.1)',
      'Leave one out; to see two hints refused:  --tamper two-hints',
    ],
    [loginHint?.trim() === '', '--login-hint names nobody', 'It looks like:  --login-hint alice'],
    [deny && ignore, '--deny and --ignore are two answers', 'Leave one out'],
    [
      message !== undefined && (message.trim() === '' || message.length > MAX_MESSAGE),
      `--binding-message: 1 to ${MAX_MESSAGE} characters that a person can compare`,
      'It looks like:  --binding-message W4SCT',
    ],
    [
      expiry !== undefined && !/^[1-9]\d{0,8}$/.test(expiry),
      `--requested-expiry ${expiry} is no positive number of seconds`,
      'It looks like:  --requested-expiry 120',
    ],
  ])
}

/**
 * The backchannel request that the options ask for.
 * @param client the registration of a client of the lab
 * @param first the user of the lab who logs in where the options name nobody
 * @throws UsageError where nobody is named
 */
export function backchannelWish(
  options: BackchannelOptions,
  idToken: string | undefined,
  client: Pick<Client, 'backchannel_token_delivery_mode' | 'backchannel_client_notification_endpoint'>,
  first: string | undefined,
): BackchannelWish {
  const { user, loginHint, bindingMessage, requestedExpiry, deny, ignore } = options
  const endpoint = endpointOf(options, client)
  const named = loginHint ?? user?.split(':', 1)[0] ?? first
  if (idToken === undefined && named === undefined) {
    throw new UsageError('flow ciba needs the person who is to log in', [
      'Name the person:  --login-hint NAME',
    ])
  }
  return defined({
    hint: hintOf(idToken, named),
    bindingMessage,
    requestedExpiry: requestedExpiry === undefined ? undefined : Number(requestedExpiry),
    notificationEndpoint: endpoint,
    decision: deny ? 'deny' : ignore ? 'ignore' : undefined,
  } as const)
}

function hintOf(idToken: string | undefined, named = ''): BackchannelWish['hint'] {
  return idToken === undefined
    ? { name: 'login_hint', value: named }
    : { name: 'id_token_hint', value: idToken }
}

/** The address at which the client is notified; undefined for a client that polls. @throws UsageError */
function endpointOf(
  { mode: given, notificationEndpoint }: BackchannelOptions,
  { backchannel_token_delivery_mode: registered, ...client }: Parameters<typeof backchannelWish>[2],
): string | undefined {
  const mode = given ?? registered
  const endpoint = notificationEndpoint ?? client.backchannel_client_notification_endpoint
  if (mode !== 'ping') {
    if (notificationEndpoint === undefined) return undefined
    throw new UsageError('--notification-endpoint is for --mode ping', ['Add --mode ping'])
  }
  if (endpoint === undefined) {
    throw new UsageError('--mode ping needs the notification endpoint that the client is registered with', [
      'Name it:  --notification-endpoint https://localhost:9443/ping',
    ])
  }
  if (!isUrl(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new UsageError(`--notification-endpoint ${endpoint}: it is no web address`, [
      'It looks like:  --notification-endpoint https://localhost:9443/ping',
    ])
  }
  return endpoint
}
