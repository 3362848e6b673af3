import { isUrl } from '../protocol/http/address.js'
import { AUTHORIZATION_ERRORS } from '../protocol/oauth/oauth-error.js'
import { unless } from '../protocol/values.js'
import {
  attribute,
  type Element,
  elements,
  type ParentNode,
  pageTree,
  TooDeep,
  textBelow,
} from './page-elements.js'

/** A login form as a browser would send it. */
export interface LoginForm {
  /** The absolute URL that receives the form. */
  readonly action: string
  readonly method: 'get' | 'post'
  /** Every field that a browser would send, in the order of the page. The username and password have the values of the page. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
  readonly usernameField: string | undefined
  readonly passwordField: string
}

/** A form without fields to type into: a button agrees to it, or a script sends it. */
export interface ConfirmForm extends Pick<LoginForm, 'action' | 'method' | 'fields'> {
  /** The text of the button. Absent when a script would send the form. */
  readonly button?: string
}

/** A form that asks for a one-time code alone, as the second page of a login. */
export interface CodeForm extends Pick<LoginForm, 'action' | 'method' | 'fields'> {
  readonly codeField: string
}

/** The parts of a page that a login needs. */
export interface ReadPage {
  /** The first form that asks for the password of a user. */
  readonly form?: LoginForm
  /** The first form that asks for a one-time code, on a page that asks for no password. */
  readonly codeForm?: CodeForm
  /** True when a form asks for a new password, and none for the password of a user. */
  readonly asksNewPassword?: true
  /** The only form of the page that needs nothing but a click on a button that does not refuse. Absent when a form asks for a password. */
  readonly confirm?: ConfirmForm
  /** True when the page has a control, or a script that could draw one. */
  readonly hasControls?: true
  /** The page's own message (ARIA role `alert`). */
  readonly alert?: string
  /** The first text of a region that screen readers read out when it changes (`aria-live`), such as an error beside a field. */
  readonly notice?: string
  /** An OAuth error code that the page names. */
  readonly errorCode?: string
  /** The first heading of the page. */
  readonly heading?: string
  /** The visible text of the page, in one line. */
  readonly text: string
}

/** The codes of errors that are shown on a page and not redirected. */
const errorCodes: ReadonlySet<string> = new Set([...AUTHORIZATION_ERRORS, 'invalid_client'])

const controlNames = new Set(['input', 'select', 'textarea', 'button'])

/**
 * The controls of every form. A control belongs to the form that its `form` attribute names, or to the form around it. The parser closes a form
 * inside a table at once and leaves it empty; the controls after an empty form belong to that form.
 */
export function controlsByForm(all: readonly Element[]): Map<Element, Element[]> {
  const forms = new Map<Element, Element[]>()
  const byId = new Map<string, Element>()
  for (const element of all) {
    if (element.tagName !== 'form') continue
    forms.set(element, [])
    const id = attribute(element, 'id')
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
  }
  const around = new Map<ParentNode, Element>()
  let broken: Element | undefined
  for (const element of all) {
    const parent = element.parentNode
    const inside = element.tagName === 'form' ? element : parent && around.get(parent)
    if (inside) around.set(element, inside)
    if (element.tagName === 'form') broken = element.childNodes.length === 0 ? element : undefined
    if (!controlNames.has(element.tagName)) continue
    const named = attribute(element, 'form')
    const owner = named === undefined ? (inside ?? broken) : byId.get(named)
    if (owner) forms.get(owner)?.push(element)
  }
  return forms
}

function typeOf(input: Element): string {
  return (attribute(input, 'type') ?? (input.tagName === 'button' ? 'submit' : 'text')).toLowerCase()
}

function selected(select: Element): string | undefined {
  const options = [...elements(select)].filter(({ tagName }) => tagName === 'option')
  const chosen = options.find(option => attribute(option, 'selected') !== undefined) ?? options[0]
  return chosen && (attribute(chosen, 'value') ?? textBelow(chosen))
}

/** Returns the value that a control sends. Returns undefined when the control sends none (HTML, "constructing the entry list"). */
function sentValue(control: Element): string | undefined {
  if (attribute(control, 'disabled') !== undefined) return undefined
  if (control.tagName === 'select') return selected(control)
  if (control.tagName === 'textarea') return textBelow(control)
  switch (typeOf(control)) {
    case 'checkbox':
    case 'radio':
      return attribute(control, 'checked') === undefined ? undefined : (attribute(control, 'value') ?? 'on')
    case 'button':
    case 'reset':
    case 'file':
    case 'image':
      return undefined
    default:
      return attribute(control, 'value') ?? ''
  }
}

const isInput = (type: RegExp) => (control: Element) =>
  control.tagName === 'input' && type.test(typeOf(control)) && Boolean(attribute(control, 'name'))

/**
 * True for the controls of a form that sets a password: the form repeats the password or says `autocomplete=new-password`, and has no field for a name.
 * With such a field it has to do both, because some login forms say `new-password` to keep browsers from filling them in.
 */
function setsPassword(controls: readonly Element[]): boolean {
  const passwords = controls.filter(isInput(/^password$/))
  const isNew = passwords.some(each => /\bnew-password\b/i.test(attribute(each, 'autocomplete') ?? ''))
  const repeats = passwords.length > 1
  return controls.some(isInput(/^(text|email|tel)$/)) ? isNew && repeats : isNew || repeats
}

function readForm(form: Element, controls: readonly Element[], base: string): LoginForm | undefined {
  const password = controls.find(isInput(/^password$/))
  if (!password || isCode(password) || setsPassword(controls)) return undefined
  const before = controls.slice(0, controls.indexOf(password))
  const username = before.findLast(isInput(/^(text|email|tel)$/)) ?? controls.find(isInput(/^(text|email)$/))
  const sent = sentBy(form, controls, controls.find(isSubmit), base)
  return (
    sent && {
      ...sent,
      usernameField: username && attribute(username, 'name'),
      passwordField: attribute(password, 'name')!,
    }
  )
}

function isCode(control: Element): boolean {
  return /\bone-time-code\b/i.test(attribute(control, 'autocomplete') ?? '')
}

/** Reads a form whose field browsers and authenticator apps fill in: `autocomplete=one-time-code` (HTML, "autofill"). */
function readCodeForm(form: Element, controls: readonly Element[], base: string): CodeForm | undefined {
  const field = controls.find(each => isInput(/^(text|tel|number|password)$/)(each) && isCode(each))
  const sent = field && sentBy(form, controls, controls.find(isSubmit), base)
  return sent && { ...sent, codeField: attribute(field, 'name')! }
}

/** True for a button that sends its form. */
function isSubmit(control: Element): boolean {
  return /^(input|button)$/.test(control.tagName) && typeOf(control) === 'submit'
}

/** Returns the request that a press of `submit` sends. */
function sentBy(
  form: Element,
  controls: readonly Element[],
  submit: Element | undefined,
  base: string,
): Pick<LoginForm, 'action' | 'method' | 'fields'> | undefined {
  const fields = controls.flatMap(control => {
    const name = attribute(control, 'name')
    if (!name || (typeOf(control) === 'submit' && control !== submit)) return []
    const value = sentValue(control)
    return value === undefined ? [] : [[name, value] as const]
  })
  const action = (submit && attribute(submit, 'formaction')) || attribute(form, 'action') || base
  if (!isUrl(action, base)) return undefined
  const target = new URL(action, base)
  target.hash = ''
  const method = attribute(form, 'method')?.toLowerCase() === 'post' ? 'post' : 'get'
  return { action: target.href, method, fields }
}

/** Texts of buttons that end a request, or change the user, instead of continuing with it. */
const SAYS_NO =
  /^\W*(abort|cancel|deny|decline|disallow|reject|refuse|no|not|back|log ?out|sign ?out|switch|((log|sign) ?in|continue) (as|with) (another|a different|some(one|body) else)|(use|choose) (another|a different))\b/i

/** Types of controls that hold a value without typing. */
const UNTYPED = /^(hidden|checkbox|radio|submit|button|reset|image)$/

/**
 * Reads a form that needs nothing but a click on one button.
 * @param agrees true for the label and the name of a button that goes on
 */
export function readConfirm(
  form: Element,
  controls: readonly Element[],
  base: string,
  agrees: (label: string, name: string) => boolean = (...says) => !says.some(text => SAYS_NO.test(text)),
): ConfirmForm | undefined {
  if (controls.some(each => each.tagName === 'textarea' || !UNTYPED.test(typeOf(each)))) return undefined
  const label = (button: Element) => textBelow(button) || (attribute(button, 'value') ?? '')
  const buttons = controls.filter(isSubmit)
  const [button, ...others] = buttons.filter(each => agrees(label(each), attribute(each, 'name') ?? ''))
  // A form with hidden fields and no button is sent by a script. A form that only refuses, or offers a choice, needs a person.
  const scripted = buttons.length === 0 && controls.some(each => typeOf(each) === 'hidden')
  if (others.length > 0 || (button === undefined && !scripted)) return undefined
  const sent = sentBy(form, controls, button, base)
  if (sent?.method !== 'post') return undefined
  return button ? { ...sent, button: label(button) || 'the button' } : sent
}

/**
 * Parses a page as a browser would.
 * @param url the address of the page; an empty action means this address
 */
export function readPage(html: string, url: string): ReadPage {
  const tree = unless(TooDeep, () => pageTree(html))
  return tree ? readDocument(tree, url) : { text: 'the page is nested too deep to be read' }
}

function isInteractive({ tagName }: Element): boolean {
  return controlNames.has(tagName) || tagName === 'script'
}

function isLive(element: Element): boolean {
  return /^(polite|assertive)$/i.test(attribute(element, 'aria-live') ?? '')
}

function readDocument(document: ParentNode, url: string): ReadPage {
  const all = [...elements(document)]
  const baseHref = all.find(({ tagName }) => tagName === 'base')
  const href = baseHref && attribute(baseHref, 'href')
  const base = href && isUrl(href, url) ? new URL(href, url).href : url
  let form: LoginForm | undefined
  let codeForm: CodeForm | undefined
  const confirms: ConfirmForm[] = []
  const forms = controlsByForm(all)
  for (const [element, controls] of forms) {
    const from = attribute(element, 'action') ? base : url
    form ??= readForm(element, controls, from)
    codeForm ??= readCodeForm(element, controls, from)
    const confirm = readConfirm(element, controls, from)
    if (confirm) confirms.push(confirm)
  }
  const [confirm] = confirms
  const asksNewPassword = form === undefined && [...forms.values()].some(setsPassword)
  const alert = all.find(element => attribute(element, 'role') === 'alert')
  const live = all.find(element => isLive(element) && textBelow(element) !== '')
  const heading = all.find(({ tagName }) => tagName === 'h1')
  const errorCode = all
    .filter(({ tagName }) => tagName === 'code')
    .map(textBelow)
    .find(text => errorCodes.has(text))
  return {
    ...(form && { form }),
    ...(codeForm && !form && { codeForm }),
    ...(asksNewPassword && { asksNewPassword: true as const }),
    ...(confirm && confirms.length === 1 && !form && { confirm }),
    ...(all.some(isInteractive) && { hasControls: true as const }),
    ...(alert && { alert: textBelow(alert) }),
    ...(live && { notice: textBelow(live) }),
    ...(errorCode !== undefined && { errorCode }),
    ...(heading && { heading: textBelow(heading) }),
    text: textBelow(document),
  }
}

/** Returns the fields of a form with the one-time code filled in. */
export function fillCode({ fields, codeField }: CodeForm, code: string): CodeForm['fields'] {
  return fields.map(([name, value]) => [name, name === codeField ? code : value])
}

/** Returns the fields of a form with the credentials filled in. */
export function fillForm(form: LoginForm, username: string, password: string): LoginForm['fields'] {
  return form.fields.map(([name, value]) => {
    if (name === form.passwordField) return [name, password]
    return name === form.usernameField ? [name, username] : [name, value]
  })
}
