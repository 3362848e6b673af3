import type { HeaderList, HttpRequest } from '../../protocol/http/message.js'
import type { Person } from './person.js'

/** Returns `length` unpredictable bytes. */
export type Random = (length: number) => Uint8Array

/** The place of a session's id in requests. */
export interface SessionPlace {
  /** Returns the id in a request. @throws OAuthError for a request with a secret in its address */
  readonly idIn: (request: HttpRequest) => string | undefined
  readonly newId: (person: Person, random: Random) => string
  /** Returns an address of this site, for a person with this session. */
  readonly carry: (address: string, id: string) => string
  /** Returns the headers that give a browser the id. */
  readonly give: (id: string) => HeaderList
  /** Returns the headers that take the id from a browser. */
  readonly take: () => HeaderList
}
