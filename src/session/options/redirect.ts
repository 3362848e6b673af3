import { createPrivateKey, X509Certificate } from 'node:crypto'
import {
  type CallbackTls,
  DEFAULT_REDIRECT_URI,
  isListenable,
  isLocalHttps,
} from '../../client/callback-listener.js'
import type { Flow } from '../../flows/flows.js'
import type { FlowOptions } from '../../flows/options.js'
import { onSeededPort } from '../../lab/listening/seeded-ports.js'
import type { StateHome } from '../../lab/state/state-folder.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Client } from '../../protocol/oauth/client.js'
import { defined } from '../../protocol/values.js'
import { postLogoutUriFor, redirectUriFor } from '../client/identity.js'
import { readInputFile } from '../input/input.js'
import { refuse, type Typed } from './option.js'
import type { FlowRunOptions, someFlows } from './table.js'

/** The options that say where the answer arrives, and by which way. */
export type RedirectOptions = Pick<
  FlowRunOptions,
  | ('redirectUri' | 'browser' | 'paste' | 'callbackCert' | 'seed')
  | ('passwordStdin' | 'clientSecretStdin' | 'token')
>

/** @throws UsageError where the pasted address could not be read */
export function checkPaste({
  paste,
  passwordStdin,
  clientSecretStdin,
  token,
  callbackCert,
}: RedirectOptions): void {
  if (!paste) return
  const reads = [
    passwordStdin && '--password-stdin',
    clientSecretStdin && '--client-secret-stdin',
    token === '-' && '--token -',
  ]
  const other = reads.find(each => typeof each === 'string')
  if (other !== undefined) {
    throw new UsageError(`--paste and ${other} both read stdin`, ['Give one of them another way'])
  }
  if (callbackCert !== undefined) {
    throw new UsageError('--paste and --callback-cert are two ways to get the answer', ['Leave one out'])
  }
}

/** An address for a run that listens nowhere, so that no port can be chosen. */
function withoutFreePort(address: string): string {
  return address.replace(/^(http:\/\/[^/]+):0(?=[/?]|$)/, '$1')
}

/** The address that the answer goes to. @throws UsageError where no browser could bring the answer */
export function redirectUriOf(needs: Flow['needs'], options: RedirectOptions, client: Client): string {
  if (!needs.includes('redirect')) return DEFAULT_REDIRECT_URI
  const named = options.redirectUri ?? redirectUriFor(client)
  const redirectUri = options.seed === undefined ? named : onSeededPort(named, options.seed)
  if (options.paste) return withoutFreePort(redirectUri)
  if (options.browser && !isServed(redirectUri, options.callbackCert)) {
    throw new UsageError('a browser can only bring the answer to a redirect_uri on this computer', [
      'Leave --redirect-uri out, or name http://127.0.0.1:0/callback',
      'For an https name of this computer:  --callback-cert FILE --callback-key FILE',
      'For any other one, paste the address at which the browser ends:  --paste',
    ])
  }
  return redirectUri
}

/** The options that name the certificate of an https redirect_uri. */
export type CallbackOptions = Partial<Pick<FlowRunOptions, 'callbackCert' | 'callbackKey' | 'browser'>>

/** Reads the certificate of the callback and its key. @throws UsageError */
async function givenPair(certFile: string, keyFile: string): Promise<CallbackTls> {
  const cert = await readInputFile('the certificate of the callback', certFile)
  const key = await readInputFile('the key of the callback', keyFile)
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return { cert, key }
  } catch {
    throw new UsageError(`${certFile} and ${keyFile} hold no certificate and key in PEM`, [
      'The first lines read -----BEGIN CERTIFICATE----- and -----BEGIN PRIVATE KEY-----',
    ])
  }
  throw new UsageError(`the key in ${keyFile} is not the one of the certificate in ${certFile}`)
}

/** Refuses one of the two options without the other. @throws UsageError */
export function checkCallback({ callbackCert: cert, callbackKey: key }: CallbackOptions): void {
  if ((cert === undefined) === (key === undefined)) return
  const [given, missing] =
    cert === undefined ? ['--callback-key', '--callback-cert'] : ['--callback-cert', '--callback-key']
  throw new UsageError(`${given} needs ${missing} too`, [
    '--callback-cert FILE --callback-key FILE, both PEM',
  ])
}

/**
 * The certificate for an https notification endpoint of this computer: the given one, else the one of the lab.
 * @throws UsageError
 */
export async function notificationTls(
  { callbackCert, callbackKey }: CallbackOptions,
  endpoint: string | undefined,
  home: StateHome,
): Promise<CallbackTls | undefined> {
  if (endpoint === undefined || !/^https:/i.test(endpoint)) return undefined
  if (callbackCert !== undefined && callbackKey !== undefined) return givenPair(callbackCert, callbackKey)
  if (!isLocalHttps(endpoint)) return undefined
  const { ensureCertificates } = await import('../../lab/certificates/certificates.js')
  const { certPem: cert, keyPem: key } = await ensureCertificates(home)
  return { cert, key }
}

/**
 * The certificate for the https addresses among those that a browser returns to: the given one; for a browser of this
 * computer else the one of the lab. Undefined where nothing is to listen at an https address.
 * @throws UsageError
 */
export async function callbackTls(
  { callbackCert, callbackKey, browser }: CallbackOptions,
  addresses: readonly string[],
  { home, narrate }: { readonly home: StateHome; readonly narrate: (line: string) => void },
): Promise<CallbackTls | undefined> {
  if (callbackCert !== undefined && callbackKey !== undefined) {
    if (addresses.some(each => /^https:/i.test(each))) return givenPair(callbackCert, callbackKey)
    throw new UsageError(`--callback-cert is for an https redirect_uri, and this one is ${addresses[0]}`, [
      'Name it:  --redirect-uri https://localhost:9443/callback',
    ])
  }
  if (!browser || !addresses.some(isLocalHttps)) return undefined
  const { ensureCertificates } = await import('../../lab/certificates/certificates.js')
  const { certPem: cert, keyPem: key } = await ensureCertificates(home)
  narrate(
    'The https address of the callback has the certificate of the lab. For a browser that trusts it:  oauth-lab ca install',
  )
  return { cert, key }
}

/** The options of a logout, as they were typed. */
export type LogoutOptions = Partial<Typed<typeof someFlows.logout>>

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
  const logoutLocales = localesIn(uiLocales)
  const named = given ?? postLogoutUriFor(client)
  const isPost = logoutMethod === 'post'
  refuse([
    [
      given !== undefined && !isUrl(given),
      `--post-logout-redirect-uri ${given}: it is no absolute URI`,
      'It looks like:  --post-logout-redirect-uri http://127.0.0.1:8000/logged-out',
    ],
    [logoutHint?.trim() === '', '--logout-hint names nobody', 'It looks like:  --logout-hint alice'],
    [
      paste && named === undefined,
      '--paste needs an address at which the logout ends',
      'Name one that is registered:  --post-logout-redirect-uri https://app.example/logged-out',
    ],
    [
      browser && !paste && !(named !== undefined && isServed(named, callbackCert)),
      'your own browser reports a logout only at an address of this computer',
      'Name one that is registered:  --post-logout-redirect-uri http://127.0.0.1:8000/logged-out',
      'For any other one, paste the address at which the browser ends:  --paste',
    ],
    [
      browser && isPost,
      `${paste ? '--paste' : '--browser'} opens an address, and so cannot send a logout by POST`,
      'Leave --logout-method out',
    ],
  ])
  const address = named === undefined ? undefined : addressOf(named, paste === true, seed)
  return defined({
    postLogoutRedirectUri: address,
    logoutMethod: isPost ? 'POST' : 'GET',
    sendsHint: hint,
    logoutHint,
    logoutLocales,
  } as const)
}
