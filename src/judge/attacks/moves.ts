import { redirectTarget, shownPage } from '../../client/page-visitor.js'
import type { Step, StepName } from '../../flows/step.js'
import { resourceRequest } from '../../flows/steps/resource-step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { encodeForm } from '../../protocol/http/form.js'
import { bytes, type HttpRequest, splitUrl } from '../../protocol/http/message.js'
import { type ClientSecretPlace, clientRequest, tokenRequest } from '../../protocol/oauth/token.js'
import { defined, isJsonObject } from '../../protocol/values.js'
import type { Account, Browser, Origin } from './browser.js'
import type { Scene } from './scene.js'

/** The end of a walk through the pages of the authorization server. */
export interface Landing {
  /** The last answer of the server. */
  readonly exchange: Exchange
  /** The address that the answer leads to; absent when a page remains, such as an error. */
  readonly target?: string
}

/** A person on the way through the pages of the authorization server. */
export interface Walker extends Origin {
  readonly browser: Browser
  /** Absent: the person does not log in at this page. */
  readonly account?: Account
  /** False for a person who reads the consent page and does not press Allow. Default: true. */
  readonly allows?: boolean
  /** The names of the steps: of the request, and of each form. */
  readonly names: readonly [request: StepName, form: StepName]
}

/**
 * Opens an authorization request, logs in where the server asks, and follows the server's own redirects. Stops at the
 * answer that leads to another origin.
 */
export async function* authorize(
  { step }: Pick<Scene, 'step'>,
  url: string,
  { browser, account, allows = true, names, ...origin }: Walker,
): AsyncGenerator<Step, Landing, void> {
  const home = splitUrl(url).origin
  let [name, form] = names
  let exchange = await browser.open(url, origin)
  for (;;) {
    const target = redirectTarget(exchange)
    if (target !== undefined && splitUrl(target).origin !== home) {
      yield step(name, { exchange })
      return { exchange, target }
    }
    if (target !== undefined) {
      yield step(name, { exchange, repeats: true })
      exchange = (await browser.follow(exchange))!
      continue
    }
    const page = shownPage(exchange)
    const status = exchange.response?.status
    if (page.form && account && status === 200) {
      yield step(name, { exchange, note: `${account.username} logs in`, repeats: true })
      name = form
      exchange = await browser.logIn(page.form, account, exchange)
    } else if (page.confirm && allows && status === 200) {
      yield step(name, { exchange, note: `presses “${page.confirm.button ?? 'Continue'}”`, repeats: true })
      name = form
      exchange = await browser.press(page.confirm, exchange)
    } else {
      yield step(name, { exchange })
      return { exchange }
    }
  }
}

/** The address of an authorization request. */
export function authorizationUrl(
  { urls }: Pick<Scene, 'urls'>,
  parameters: Readonly<Record<string, string>>,
): string {
  return `${urls.authorization}/authorization?${encodeForm(Object.entries(parameters))}`
}

/** The value of a parameter in the query or fragment of an address. */
export function parameterOf(address: string, name: string): string | undefined {
  const { search, hash } = new URL(address)
  return new URLSearchParams(search).get(name) ?? new URLSearchParams(hash.slice(1)).get(name) ?? undefined
}

/** The credentials of a client of the lab, in a request to one of its endpoints. */
function credentials({ urls, client }: Pick<Scene, 'urls' | 'client'>, path: string, clientId: string) {
  const { client_secret: clientSecret } = client(clientId)
  const auth: ClientSecretPlace = clientSecret === undefined ? 'none' : 'client_secret_basic'
  return defined({ endpoint: `${urls.authorization}${path}`, clientId, auth, clientSecret })
}

/** A token request of a client of the lab. */
export function grantRequest(
  scene: Pick<Scene, 'urls' | 'client'>,
  clientId: string,
  grantType: string,
  parameters: Readonly<Record<string, string>>,
): HttpRequest {
  const by = credentials(scene, '/token', clientId)
  return tokenRequest({ ...by, grantType, parameters: Object.entries(parameters) })
}

/** A device authorization request of a client of the lab (RFC 8628 §3.1). */
export function deviceRequest(
  scene: Pick<Scene, 'urls' | 'client'>,
  clientId: string,
  scope: string,
): HttpRequest {
  return clientRequest({
    ...credentials(scene, '/device_authorization', clientId),
    parameters: [['scope', scope]],
  })
}

/** The JSON object in the body of an answer; empty for any other body. */
export function membersOf({ response }: Exchange): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(response?.body ?? '')
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The member of a JSON answer, when it is a text. */
export function memberOf(exchange: Exchange, name: string): string | undefined {
  const value = membersOf(exchange)[name]
  return typeof value === 'string' ? value : undefined
}

/** The request for the records of the token's subject. */
export function recordsRequest({ urls }: Pick<Scene, 'urls'>, accessToken: string): HttpRequest {
  return resourceRequest(`${urls.resource}/records`, accessToken)
}

/** The request that adds a record. */
export function newRecordRequest(
  scene: Pick<Scene, 'urls'>,
  accessToken: string,
  value: unknown,
): HttpRequest {
  const { headers, ...rest } = recordsRequest(scene, accessToken)
  return {
    ...rest,
    method: 'POST',
    headers: [...headers, ['content-type', 'application/json']],
    body: bytes(JSON.stringify(value)),
  }
}
