import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, line, span } from '../../render/text/spans.js'
import { cutMiddle, wrap } from '../../render/text/text.js'
import type { LoginForm } from './state.js'

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
