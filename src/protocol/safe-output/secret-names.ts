/** Longest name that is read, in characters. */
const LONGEST = 200

const withoutPercents = (name: string): string =>
  name.replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** A name in the form of the lists below: `user[newPassword]`, `user.new-password` and `user%5Bnew_password%5D` are `user_new_password`. */
function plainName(name: string): string {
  // Most names have that form already, and each request is shown with all of its own.
  if (name.length <= LONGEST && /^[a-z\d]+(?:_[a-z\d]+)*$/.test(name)) return name
  return withoutPercents(withoutPercents(name.slice(0, LONGEST)))
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, '_')
    .replace(/^_|_$/g, '')
}

/** Matches plain names that have one of these words. */
const withWord = (words: string): RegExp =>
  new RegExp(`(?:^|_)(?:${words.trim().split(/\s+/).join('|')})(?:_|$)`)

const TYPED = withWord('pass pw pin pin_?code tan cvv cvc ssn answer')
const TYPED_IN =
  /passwor[dt]|passwd|pass_?code|pass_?phrase|pass_?key|pwd|otp|mfa|one_?time|(?:verification|security|confirmation)_?code|second_?factor|recovery_?code|kennwort/

const LASTING =
  /secret|(?:api|access|private|auth|signing|account|subscription|license|encryption)_?key|client_assertion$|csrf|xsrf|authenticity_?token|request_?verification|sess(?:ion)?_?id|registration_access_token|cookie/
const LASTING_WORD = withWord('sid credentials? bearer jwt sso_?token')

const FLOW =
  /(?:^|_)(?:code_verifier|(?:access|refresh|id|subject|actor|logout|login|reset|auth|session)_token|id_token_hint|device_code|auth_req_id|client_notification_token|mac_key)$/
/** Words that say so alone, and not behind other words: `country_code`. */
const FLOW_WORD = /^(?:code|verifier|token|assertion|session_code|ticket)$/

const isTyped = (plain: string): boolean => TYPED.test(plain) || TYPED_IN.test(plain)

/** True for the name of a value that a person proves who they are with: a password, a one-time code, a PIN. */
export const isTypedName = (name: string): boolean => isTyped(plainName(name))

/**
 * Returns the kind of secret that a parameter of a name holds; undefined for no secret. `lasting`: a secret that outlives a
 * flow, such as a typed one, a key, a client's secret, a session, a csrf value. `flow`: a code or token, whose worth ends with
 * its flow.
 */
export function secretKind(name: string): 'lasting' | 'flow' | undefined {
  const plain = plainName(name)
  if (isTyped(plain) || LASTING.test(plain) || LASTING_WORD.test(plain)) return 'lasting'
  return FLOW.test(plain) || FLOW_WORD.test(plain) || isNestedFlowWord(name) ? 'flow' : undefined
}

/** True for a word of a flow in brackets: `user[code]`. */
function isNestedFlowWord(name: string): boolean {
  const inner = /(?:\[|%5b)([^[\]%]+)(?:\]|%5d)$/i.exec(name.slice(0, LONGEST))?.[1]
  return inner !== undefined && FLOW_WORD.test(plainName(inner))
}

/** True when a parameter of that name holds a secret. */
export const isSecretName = (name: string): boolean => secretKind(name) !== undefined

const LOGIN = withWord(
  'state nonce jti ticket tokens? key sig signature hash hmac challenge relaystate session invite invitation reset verify confirm',
)
const PERSON = withWord(
  `sub uid oid name full_?name display_?name first_?name last_?name given_?name family_?name middle_?name nick_?name sur_?name user_?name
  user login account cn sn given family middle upn sam_?account_?name unique_name login_?hint logout_?hint identifier identity
  (?:e_?)?mails? email_?address phone phone_?number mobile msisdn tel telephone address street street_?address locality postal_?code zip
  birth_?date birthday dob ip ip_?addr(?:ess)? remote_?addr(?:ess)? client_?ip picture national_?id passport iban employee_?id`,
)

/** True for the name of what only one login has, beside secrets: a state, a nonce, the id of a token. */
export const isLoginName = (name: string): boolean => LOGIN.test(plainName(name))

/** True for the name of what says who or where a person is: a name, an address, a number. */
export const isPersonName = (name: string): boolean => PERSON.test(plainName(name))
