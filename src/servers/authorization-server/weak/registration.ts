import { redirectUriProblem } from '../../../protocol/oauth/redirect-uri.js'
import { quote } from '../../../protocol/values.js'
import type { RegistrationRules } from '../registration/registration-rules.js'

/**
 * The rules of a server that treats a registration like an entry that its operator wrote: any address that a browser may be
 * sent to, of whatever application_type, and no mark on pages.
 */
export const OPEN_REGISTRATION: RegistrationRules = {
  redirectFault(uri) {
    const fault = redirectUriProblem(uri)
    return fault && { problem: `${quote(uri)}: ${fault.problem}`, rule: fault.rule }
  },
  introduced: undefined,
}
