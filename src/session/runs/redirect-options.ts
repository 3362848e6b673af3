import { DEFAULT_REDIRECT_URI, isListenable, isLocalHttps } from '../../client/callback-listener.js'
import type { Flow } from '../../flows/flows.js'
import { onSeededPort } from '../../lab/listening/seeded-ports.js'
import { UsageError } from '../../protocol/errors.js'
import type { Client } from '../../protocol/oauth/client.js'
import { redirectUriFor } from '../targets/client-identity.js'

/** The options that say where the answer arrives, and by which way. */
export interface RedirectOptions {
  readonly redirectUri?: string
  /** Logs in with the person's own browser. */
  readonly browser: boolean
  /** The person pastes the address at which the browser ended. */
  readonly paste?: true
  readonly callbackCert?: string
  /** The seed of a run that repeats. */
  readonly seed?: number
  readonly passwordStdin?: true
  readonly clientSecretStdin?: true
  /** An access token; `-` reads it from stdin. */
  readonly token?: string
}

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
export function withoutFreePort(address: string): string {
  return address.replace(/^(http:\/\/[^/]+):0(?=[/?]|$)/, '$1')
}

/** The address that the answer goes to. @throws UsageError where no browser could bring the answer */
export function redirectUriOf(needs: Flow['needs'], options: RedirectOptions, client: Client): string {
  if (!needs.includes('redirect')) return DEFAULT_REDIRECT_URI
  const named = options.redirectUri ?? redirectUriFor(client)
  const redirectUri = options.seed === undefined ? named : onSeededPort(named, options.seed)
  if (options.paste) return withoutFreePort(redirectUri)
  const served =
    isLocalHttps(redirectUri) ||
    isListenable(redirectUri, options.callbackCert === undefined ? undefined : {})
  if (options.browser && !served) {
    throw new UsageError('a browser can only bring the answer to a redirect_uri on this computer', [
      'Leave --redirect-uri out, or name http://127.0.0.1:0/callback',
      'For an https name of this computer:  --callback-cert FILE --callback-key FILE',
      'For any other one, paste the address at which the browser ends:  --paste',
    ])
  }
  return redirectUri
}
