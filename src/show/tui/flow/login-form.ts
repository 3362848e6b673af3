import type { LoginAnswer, LoginPrompt } from '../../../client/login.js'
import { erased } from '../screen/line-input.js'
import type { LoginForm } from './state.js'

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
  if (prompt.oneTimeCode || prompt.pastes !== undefined) {
    return { prompt, field: 'code', username: '', password: '', code: '', suggested: false }
  }
  if (prompt.message !== undefined && last !== undefined) {
    return { prompt, field: 'password', username: last.username, password: '', code: '', suggested: false }
  }
  return {
    prompt,
    field: 'username',
    username: suggested?.username ?? '',
    password: suggested?.password ?? '',
    code: '',
    suggested: suggested?.password !== undefined,
  }
}

/** The panel after `text` was typed or pasted. Line breaks and other controls of a paste are left out. */
export function typeIn(form: LoginForm, text: string): LoginForm {
  const clean = text.replace(/\p{Cc}/gu, '').toWellFormed()
  if (clean === '') return form
  if (form.field === 'code')
    return {
      ...form,
      code: (form.code + clean.replaceAll(' ', '')).slice(
        0,
        form.prompt.pastes === undefined ? LONGEST : LONGEST_ADDRESS,
      ),
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
