/** The facts for a login prompt. */
export interface LoginPrompt {
  /** The client that asks. */
  readonly clientId: string
  /** The scope it asks for. */
  readonly scope?: string
  /** Why the last try failed, in the server's words. Comes from outside: make it safe before it is shown. */
  readonly message?: string
  /** True when the client itself receives the password (RFC 6749 §4.3). */
  readonly toClient?: true
}

/** The answer of the resource owner. `browser` hands the login over to the person's own browser. */
export type LoginAnswer =
  | { readonly kind: 'credentials'; readonly username: string; readonly password: string }
  | { readonly kind: 'browser' }
  | { readonly kind: 'cancel' }

/** Asks the resource owner. Called again with a message when the server did not take the answer. */
export type AskLogin = (asked: LoginPrompt) => Promise<LoginAnswer>
