/** The members of a client that describe it to people (RFC 7591 §2). Nothing proves them. */
export interface ClientPresentation {
  /** A web page about the client. */
  readonly client_uri?: string
  readonly logo_uri?: string
  /** The terms of service of the client. */
  readonly tos_uri?: string
  /** A page on what the client does with the data of people. */
  readonly policy_uri?: string
  /** Ways to reach the people behind the client, such as mail addresses. */
  readonly contacts?: readonly string[]
  /** Names the software of the client, the same in each of its installations. */
  readonly software_id?: string
  readonly software_version?: string
  /** Address at which the client starts a login that another party asked for (OpenID Connect Core §4). */
  readonly initiate_login_uri?: string
}
