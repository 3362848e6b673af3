import type { Step } from '../../../flows/step.js'
import { mediaType } from '../../../protocol/http/message.js'

/** A form that the authorization server shows to a person who logs in. */
export interface ShownForm {
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
