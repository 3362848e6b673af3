/** The request that the resource owner is asked to log in for. */
export interface LoginPrompt {
  /** The client that requests access. */
  readonly clientId: string
  /** The requested scope. */
  readonly scope?: string
  /** The reason why the last attempt failed, as the server wrote it. The text is untrusted: make it safe before showing it. */
  readonly message?: string
  /** True in a further request of the run: a known user may answer once more. */
  readonly again?: true
  /** True when the client itself receives the password (RFC 6749 §4.3). */
  readonly toClient?: true
  /** True where the server asks the same person for a one-time code, after the password. */
  readonly oneTimeCode?: true
  /** The redirect_uri, or the address of a logout, at which the browser ends. The answer is then a `code` that holds the pasted address. */
  readonly pastes?: string
}

/** The answer of the resource owner. `browser` moves the login to the person's own browser. */
export type LoginAnswer =
  | { readonly kind: 'credentials'; readonly username: string; readonly password: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'browser' }
  | { readonly kind: 'cancel' }

/** Asks the resource owner to log in. Called again with a message when the server refused the credentials. */
export type AskLogin = (asked: LoginPrompt) => Promise<LoginAnswer>
