/** The checks that a client has learnt. */
export interface Learnt {
  readonly state: boolean
  readonly pkce: boolean
}

/** The lines of a client with these checks. */
export type Parts = (learnt: Learnt) => readonly string[]
