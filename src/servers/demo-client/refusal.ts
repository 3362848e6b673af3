import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../protocol/rules/rule.js'

/** A refusal of a request by this site itself, with the status of its page. */
export class RequestRefusal extends OAuthError<'invalid_request'> {
  override name = 'RequestRefusal'

  constructor(
    readonly status: number,
    description: string,
    rule: Citation,
  ) {
    super('invalid_request', { description, rule })
  }
}
