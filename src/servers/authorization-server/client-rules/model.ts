import type { Client } from '../../../protocol/oauth/client.js'

/** The metadata of a client as its owner wrote them, before the server adds its defaults. */
export type ClientMetadata = Pick<Client, 'client_id'> & {
  readonly [Name in keyof Client]?: Client[Name] | undefined
}

/** Steps to a member, such as `redirect_uris` and 0. */
export type MemberPath = readonly (string | number)[]

/** Takes a broken rule of a client. */
export type Report = (path: MemberPath, problem: string) => void
