import type { LoginAnswer, LoginPrompt } from '../../../client/login.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, span } from '../../render/text/spans.js'
import { cutMiddle, wrap } from '../../render/text/text.js'
import { erased } from '../screen/keys.js'

/** The login panel, while the flow asks who logs in, or for a one-time code. */
export interface LoginForm {
  readonly prompt: LoginPrompt
  readonly field: 'username' | 'password' | 'code'
  readonly username: string
  readonly password: string
  /** The one-time code, where the prompt asks for one; nothing else is asked for then. */
  readonly code: string
  /** The password came with the suggested user and goes when another name is typed. */
  readonly suggested: boolean
}

/** A user to fill the panel with, so that Enter alone logs in. */
export interface SuggestedUser {
  readonly username: string
  readonly password?: string
}

/** More is not taken: no name or password is so long, and a paste can be anything. */
const LONGEST = 256

/** Longest pasted address. */
const LONGEST_ADDRESS = 64 * 1024

/** The panel when the flow asks. After a failed try the name stays and the password is asked again. */
export function openLogin(
  prompt: LoginPrompt,
  suggested: SuggestedUser | undefined,
  last: LoginForm | undefined,
): LoginForm {
  const empty = { prompt, username: '', password: '', code: '', suggested: false }
  if (prompt.oneTimeCode || prompt.pastes !== undefined) return { ...empty, field: 'code' }
  if (prompt.message !== undefined && last !== undefined) {
    return { ...empty, field: 'password', username: last.username }
  }
  const { username = '', password = '' } = suggested ?? {}
  return { ...empty, field: 'username', username, password, suggested: suggested?.password !== undefined }
}

/** The panel after `text` was typed or pasted. Line breaks and other controls of a paste are left out. */
export function typeIn(form: LoginForm, text: string): LoginForm {
  const clean = text.replace(/\p{Cc}/gu, '').toWellFormed()
  if (clean === '') return form
  if (form.field === 'code') {
    const longest = form.prompt.pastes === undefined ? LONGEST : LONGEST_ADDRESS
    return { ...form, code: (form.code + clean.replaceAll(' ', '')).slice(0, longest) }
  }
  if (form.field === 'username') {
    const username = (form.username + clean).slice(0, LONGEST)
    return { ...form, username, password: form.suggested ? '' : form.password, suggested: false }
  }
  const password = ((form.suggested ? '' : form.password) + clean).slice(0, LONGEST)
  return { ...form, password, suggested: false }
}

/** The panel after Backspace; a suggested password goes whole, since nobody typed it. */
export function eraseIn(form: LoginForm): LoginForm {
  if (form.field === 'code') return { ...form, code: erased(form.code) }
  const password = form.suggested ? '' : form.password
  if (form.field === 'password') return { ...form, password: erased(password), suggested: false }
  return { ...form, username: erased(form.username), password, suggested: false }
}

/** The panel with the field that has the caret emptied. */
export function clearField(form: LoginForm): LoginForm {
  const empty = { ...form, [form.field]: '' }
  return form.suggested ? { ...empty, password: '', suggested: false } : empty
}

/** The panel with the caret in its other field; a panel for a code has no other one. */
export function otherField(form: LoginForm): LoginForm {
  if (form.field === 'code') return form
  return { ...form, field: form.field === 'username' ? 'password' : 'username' }
}

/** The answer of a filled-in panel; undefined while a field is empty. */
export function loginAnswer({ field, username, password, code }: LoginForm): LoginAnswer | undefined {
  if (field === 'code') return code === '' ? undefined : { kind: 'code', code }
  return username !== '' && password !== '' ? { kind: 'credentials', username, password } : undefined
}

/** Largest number of dots; more would say nothing. */
const DOTS = 24

function fieldLine(
  form: LoginForm,
  field: LoginForm['field'],
  shown: string,
  columns: number,
  signs: Signs,
): Line {
  const here = form.field === field
  const value = cutMiddle(shown, columns - 16, signs.ellipsis)
  return [
    span(`${here ? signs.arrowRight : ' '} `, 'now'),
    span(`${form.prompt.pastes === undefined ? field : 'address'}  `, here ? 'strong' : 'name'),
    span(value),
    span(here ? signs.caret : '', 'now'),
  ]
}

/**
 * The lines of a panel for a one-time code, or for an address. A code is shown as it is typed: it is good once. The
 * address to open comes last and in full, because a terminal without a browser has no other place for it.
 */
function codeLines(form: LoginForm, columns: number, signs: Signs, notice: string | undefined): Line[] {
  const { message, pastes } = form.prompt
  const factor =
    'The authorization server asks for a one-time code, as a second factor. Your authenticator app shows it; it goes to the authorization server, never to the client.'
  const paste = `Go on in your browser. It ends at ${pastes}, where nothing may answer. Paste the whole address from there: it holds the answer.`
  const text = pastes === undefined ? factor : foreign(paste, signs)
  return [
    ...wrap(text, columns).map(part => line(part)),
    line(''),
    fieldLine(form, 'code', foreign(form.code, signs), columns, signs),
    ...(message === undefined ? [] : refused(message, columns, signs)),
    ...(pastes === undefined || notice === undefined
      ? []
      : [line(''), ...wrap(foreign(notice, signs), columns).map(part => line(part))]),
  ]
}

/**
 * The lines of the login panel: who asks, the two fields, and why the last try failed.
 * @param notice the last message of the flow, such as the address to open
 */
export function loginLines(
  form: LoginForm,
  columns: number,
  showSecrets: boolean,
  signs: Signs,
  notice?: string,
): Line[] {
  if (form.field === 'code') return codeLines(form, columns, signs, notice)
  const { clientId, scope, message, toClient } = form.prompt
  const asked = scope === undefined || scope === '' ? 'you to log in' : `for ${scope}`
  const way = toClient
    ? 'in this grant the client itself gets your password.'
    : 'your password goes to the authorization server, never to the client.'
  const text = `${clientId} asks ${asked}. You are the resource owner: ${way}`
  const dots = signs.hidden.repeat(Math.min(DOTS, [...form.password].length))
  const password = showSecrets ? foreign(form.password, signs) : dots
  return [
    ...wrap(foreign(text, signs), columns).map(part => line(part)),
    line(''),
    fieldLine(form, 'username', foreign(form.username, signs), columns, signs),
    fieldLine(form, 'password', password, columns, signs),
    ...(message === undefined ? [] : refused(message, columns, signs)),
  ]
}

function refused(message: string, columns: number, signs: Signs): Line[] {
  const parts = wrap(foreign(message, signs), columns - 2)
  return [
    line(''),
    ...parts.map((part, i) => [span(i === 0 ? `${signs.refused} ` : '  ', 'refused'), span(part)]),
  ]
}
