import { parseTotpSecret, totpCode, totpCounter } from '../../../../src/protocol/oauth/totp.js'
import { browser } from '../browser.js'
import {
  claimsOf,
  client,
  codeRequest,
  type Parameters as Form,
  field,
  json,
  lab,
  landed,
  query,
  SECRET,
  settings,
} from '../support.js'

export const PWD = 'urn:oauth-lab:acr:pwd'
export const MFA = 'urn:oauth-lab:acr:mfa'

/** The secret of RFC 6238 Appendix B, in base32. */
export const TOTP_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** Returns a code of the secret above. */
export const codeAt = (now: number, more = 0) =>
  totpCode(parseTotpSecret(TOTP_SECRET)!, totpCounter(now) + more)

/** A server whose user alice has a second factor and whose user bob has none, with one browser. */
export function strongLab(
  more: Parameters<typeof lab>[0] = {},
  registered: Parameters<typeof client>[1] = {},
) {
  const [alice, ...others] = settings.users
  const made = lab({
    clients: [...settings.clients, client('demo', { client_secret: SECRET, ...registered })],
    users: [{ ...alice!, totp_secret: TOTP_SECRET }, ...others],
    ...more,
  })
  const person = browser(made)
  const request = (asked: Form = {}) => codeRequest({ scope: 'openid records:read', state: 's', ...asked })

  /** Sends a code in the form of a page. */
  const enter = (page: Awaited<ReturnType<typeof person.get>>, asked: Form, otp: string, form: Form = {}) =>
    person.post(`/authorization?${query(request(asked))}`, {
      otp,
      csrf: field(page, 'csrf'),
      second_factor: field(page, 'second_factor'),
      ...form,
    })

  /** Returns the claims of both tokens of an answer. */
  async function tokensOf(answer: Awaited<ReturnType<typeof person.get>>) {
    const tokens = json(await made.redeem(landed(answer).code ?? ''))
    return {
      tokens,
      id: tokens.id_token === undefined ? {} : claimsOf(tokens.id_token),
      access: claimsOf(tokens.access_token),
    }
  }

  /** Logs in by both factors. */
  async function loginTwice(asked: Form) {
    const page = await person.login(request(asked))
    return enter(page, asked, codeAt(made.clock.now))
  }
  /** Logs in by a password, or by both factors. Returns the claims of the id_token. */
  const idOf = async (asked: Form, fields: Form = {}) => {
    const page = await person.login(request(asked), fields)
    const asksForCode = field(page, 'second_factor') !== undefined
    return (await tokensOf(asksForCode ? await enter(page, asked, codeAt(made.clock.now)) : page)).id
  }
  /** The answer to a request with prompt=none. */
  const silent = (asked: Form = {}) => person.authorize(request({ prompt: 'none', ...asked }))
  return { ...made, person, request, enter, tokensOf, loginTwice, idOf, silent }
}
