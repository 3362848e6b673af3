import { isListenable, isLocalHttps } from '../../client/callback-listener.js'
import type { FlowOptions } from '../../flows/options.js'
import { onSeededPort } from '../../lab/listening/seeded-ports.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Client } from '../../protocol/oauth/client.js'
import { defined } from '../../protocol/values.js'
import { postLogoutUriFor } from '../targets/client-identity.js'
import { type RedirectOptions, withoutFreePort } from './redirect-options.js'

/** The options of a logout, as they were typed. */
export interface LogoutOptions {
  readonly postLogoutRedirectUri?: string
  readonly logoutMethod?: 'get' | 'post'
  /** False: the logout request has no `id_token_hint`. */
  readonly hint?: boolean
  readonly logoutHint?: string
  readonly uiLocales?: string
}

/** The options of a run that a logout depends on. */
type LogoutRun = LogoutOptions & Pick<RedirectOptions, 'browser' | 'paste' | 'callbackCert' | 'seed'>

/** Returns language tags with spaces between them. @throws UsageError for text that is no tag (RFC 5646) */
function localesIn(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const tags = given.split(/[\s,]+/).filter(each => each !== '')
  const isTag = (tag: string) => /^[a-z\d-]{1,99}$/i.test(tag) && isLocale(tag)
  const wrong = tags.find(each => !isTag(each))
  if (wrong === undefined && tags.length > 0) return tags.join(' ')
  const problem = wrong === undefined ? 'names no language' : `${wrong} is no language tag (RFC 5646)`
  throw new UsageError(`--ui-locales: ${problem}`, ['It looks like:  --ui-locales "de-CH de en"'])
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** True where this program can listen at an address: with the certificate of the lab, or with the given one. */
function isServed(address: string, callbackCert: string | undefined): boolean {
  return isLocalHttps(address) || isListenable(address, callbackCert === undefined ? undefined : {})
}

/** The address that the request names. */
function addressOf(named: string, isPasted: boolean, seed: number | undefined): string {
  if (isPasted) return withoutFreePort(named)
  return seed === undefined ? named : onSeededPort(named, seed)
}

/** The options of a logout. @throws UsageError where no browser could bring the person back */
export function logoutOptions(
  {
    postLogoutRedirectUri: given,
    logoutMethod = 'get',
    hint = true,
    logoutHint,
    uiLocales,
    browser,
    paste,
    callbackCert,
    seed,
  }: LogoutRun,
  client: Client,
): Pick<
  FlowOptions,
  'postLogoutRedirectUri' | 'logoutMethod' | 'sendsHint' | 'logoutHint' | 'logoutLocales'
> {
  if (given !== undefined && !isUrl(given)) {
    throw new UsageError(`--post-logout-redirect-uri ${given}: it is no absolute URI`, [
      'It looks like:  --post-logout-redirect-uri http://127.0.0.1:8000/logged-out',
    ])
  }
  if (logoutHint?.trim() === '') {
    throw new UsageError('--logout-hint names nobody', ['It looks like:  --logout-hint alice'])
  }
  const logoutLocales = localesIn(uiLocales)
  const named = given ?? postLogoutUriFor(client)
  if (paste && named === undefined) {
    throw new UsageError('--paste needs an address at which the logout ends', [
      'Name one that is registered:  --post-logout-redirect-uri https://app.example/logged-out',
    ])
  }
  if (browser && !paste && !(named !== undefined && isServed(named, callbackCert))) {
    throw new UsageError('your own browser reports a logout only at an address of this computer', [
      'Name one that is registered:  --post-logout-redirect-uri http://127.0.0.1:8000/logged-out',
      'For any other one, paste the address at which the browser ends:  --paste',
    ])
  }
  if (browser && logoutMethod === 'post') {
    throw new UsageError(
      `${paste ? '--paste' : '--browser'} opens an address, and so cannot send a logout by POST`,
      ['Leave --logout-method out'],
    )
  }
  const address = named === undefined ? undefined : addressOf(named, paste === true, seed)
  const method = logoutMethod === 'post' ? 'POST' : 'GET'
  return defined({
    postLogoutRedirectUri: address,
    logoutMethod: method,
    sendsHint: hint,
    logoutHint,
    logoutLocales,
  } as const)
}
