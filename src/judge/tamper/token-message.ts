import type { FormPairs } from '../../protocol/http/form.js'
import type { HeaderList, HttpRequest } from '../../protocol/http/message.js'

/** A token request on its way, its form taken apart. */
export interface TokenMessage {
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
  readonly pairs: FormPairs
  /** The certificate of the connection, in place of the client's own. */
  readonly identity?: HttpRequest['identity']
}
