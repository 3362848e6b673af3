/** The credentials of a client. */
export type ApiCredentials =
  | { readonly kind: 'key'; readonly key: string; readonly email: string; readonly from: string }
  | { readonly kind: 'token'; readonly token: string; readonly from: string }

/** The address of the DNS and security-event API, and the credentials for it. */
export interface ApiAccess {
  /** Base URL with its prefix, no trailing slash: `https://localhost:8446/client/v4`. */
  readonly base: string
  /** The source of the address, for messages: `the lab of this command`, `CLOUDFLARE_BASE_URL`. */
  readonly via: string
  readonly credentials: ApiCredentials
}

/** Base URL of the real service. */
export const REAL_SERVICE = 'https://api.cloudflare.com/client/v4'

/** True for a base URL of the real service. */
export const isRealService = (base: string): boolean => new URL(base).hostname === 'api.cloudflare.com'

/** True for a base URL on this machine, where a lab or another emulator listens. */
export const isThisMachine = (base: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(base).hostname)

/** True when a key, token or e-mail address can be sent in a header unchanged. */
export const fitsHeader = (text: string): boolean => /^[\x21-\x7e]{1,1024}$/.test(text)
