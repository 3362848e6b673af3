import type { Step } from '../../../flows/step.js'
import { pairsIfForm } from '../../../protocol/http/form.js'
import { mediaType } from '../../../protocol/http/message.js'
import type { Signs } from '../text/signs.js'
import { foreign, type Line, line, span } from '../text/spans.js'
import { cutEnd, cutMiddle, pad, width } from '../text/text.js'

/** Meanings stand in one column behind values up to this width. */
const ALIGNED = 20

/** Values are cut down to this width for their meaning. */
const SHORTEST = 18

/** The parameters of a query or form, each on a line: name, value, meaning. Text that is no form stays as it is. */
export function fieldLines(form: string, columns: number, signs: Signs): Line[] {
  const pairs = pairsIfForm(form)
  if (pairs === undefined) return [line(`  ${foreign(form, signs)}`)]
  const rows = pairs.map(([name, value]) => ({
    name: cutEnd(foreign(name, signs), 21, signs.ellipsis),
    value: foreign(value, signs),
    meaning: fieldMeaning(name),
  }))
  const nameWidth = Math.max(0, ...rows.map(row => width(row.name)))
  const room = columns - nameWidth - 4
  const aligned = Math.min(ALIGNED, Math.max(0, ...rows.map(row => width(row.value))))
  return rows.map(({ name, value, meaning }): Line => {
    const left = room - 2 - width(meaning)
    // The value is cut for its meaning: people read the meaning, and copy the value.
    const explained = meaning !== '' && left >= Math.min(SHORTEST, width(value))
    const shown = pad(
      cutMiddle(value, explained ? left : room, signs.ellipsis),
      Math.min(aligned, explained ? left : room),
    )
    return [
      span(`  ${pad(name, nameWidth)}  `, 'name'),
      span(shown),
      ...(explained ? [span(`  ${meaning}`, 'dim')] : []),
    ]
  })
}

/** The purpose of the parameters of requests and answers, in short. */
const meanings: Readonly<Record<string, string>> = {
  response_type: 'the kind of answer wanted',
  client_id: 'the client',
  redirect_uri: 'address for the answer',
  scope: 'the access wanted',
  state: 'ties the answer to this request',
  nonce: 'ties the id_token to this request',
  code_challenge: 'hash of the code_verifier',
  code_challenge_method: 'its hash function',
  grant_type: 'the grant in use',
  code: 'authorization code, single use',
  code_verifier: 'proves who began the flow',
  client_secret: 'proves who the client is',
  client_password: 'proves who the client is',
  username: 'the resource owner',
  password: 'the password of that user',
  otp: 'the one-time code of that user',
  second_factor: 'names the login that waits for it',
  csrf: 'ties the form to this browser',
  iss: 'issuer of the answer',
  error: 'code of the error',
  error_description: 'the error in a sentence',
  error_uri: 'page with more about it',
  refresh_token: 'gets the next access token',
  token: 'the token in question',
  assertion: 'signed: the resource owner',
  device_code: 'code of the device',
  user_code: 'code for the person to compare',
  login_hint: 'the person who is to log in',
  id_token_hint: 'an earlier token about that person',
  binding_message: 'text that the person compares',
  auth_req_id: 'names the request that a person decides on',
  client_notification_token: 'proves that a ping comes from the server',
  requested_expiry: 'seconds until the request ends',
  subject_token: 'the token that is exchanged',
  subject_token_type: 'its kind',
  audience: 'recipient of the new token',
  token_type: 'way to present the token',
}

/** The meaning of a parameter; empty for one that is not known. */
export function fieldMeaning(name: string): string {
  return Object.hasOwn(meanings, name) ? meanings[name]! : ''
}

/** A form that the authorization server shows to a person who logs in. */
interface ShownForm {
  readonly name: 'login form' | 'one-time code form'
  /** True when the person sent this very form, and gets it again. */
  readonly again: boolean
}

const INPUT = /<input\b[^>]{0,2000}/gi

/** Inputs that nobody types into; a page to click through has no others. */
const UNTYPED = /\btype\s{0,9}=\s{0,9}["']?(?:hidden|submit|checkbox|radio|button)\b/i

const PASSWORD = /\btype\s{0,9}=\s{0,9}["']?password\b/i

/** The field that authenticator apps fill in (HTML, "autofill"). Some pages hide what is typed there. */
const ONE_TIME_CODE = /\bautocomplete\s{0,9}=\s{0,9}["']?one-time-code\b/i

const NAME = /\sname\s{0,9}=\s{0,9}["']?([^"'\s>]{1,200})/i

/** The form that the answer of a login shows; undefined for every other answer. */
export function shownForm({ name, exchange }: Step): ShownForm | undefined {
  if (exchange?.response === undefined || !/^login(_form)?$/.test(name)) return undefined
  const { request, response } = exchange
  if (mediaType(response) !== 'text/html') return undefined
  const typed = [...response.body.matchAll(INPUT)].map(([tag]) => tag).filter(tag => !UNTYPED.test(tag))
  if (typed.length === 0) return undefined
  const code = typed.find(tag => ONE_TIME_CODE.test(tag))
  const asksPassword = typed.some(tag => PASSWORD.test(tag) && !ONE_TIME_CODE.test(tag))
  if (code === undefined || asksPassword) return { name: 'login form', again: name === 'login' }
  const field = NAME.exec(code)?.[1]
  const again = field !== undefined && new URLSearchParams(request.body).has(field)
  return { name: 'one-time code form', again }
}
