import { unless } from '../protocol/values.js'
import { type ConfirmForm, controlsByForm, readConfirm } from './login-page.js'
import {
  attribute,
  type Element,
  elements,
  type ParentNode,
  pageTree,
  TooDeep,
  textBelow,
} from './page-elements.js'

/** A request on a page that asks a person to allow or to deny it. */
export interface AskedApproval {
  readonly approve: ConfirmForm
  readonly deny: ConfirmForm
  /** The field for a one-time code, where an approval needs one. */
  readonly codeField?: string
  /** True when the page shows this text to the person, as a text of its own. */
  shows(message: string): boolean
}

/** Labels and names of buttons that deny. */
const DENIES = /^\W*(deny|decline|refuse|reject|disallow|no)\b/i

/** Elements that hold one request of several. */
const PARTS = new Set(['section', 'article', 'li', 'fieldset', 'tr'])

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Returns the part of the page that is about the request of a form. */
function partAround(form: Element): ParentNode {
  for (let node = form.parentNode; node !== null && 'tagName' in node; node = node.parentNode) {
    if (PARTS.has(node.tagName)) return node
  }
  return form.parentNode ?? form
}

function isCodeField(control: Element): boolean {
  return /\bone-time-code\b/i.test(attribute(control, 'autocomplete') ?? '')
}

function readApproval(form: Element, controls: readonly Element[], base: string): AskedApproval[] {
  const code = controls.find(isCodeField)
  const others = controls.filter(each => each !== code)
  const approve = readConfirm(form, others, base, label => !DENIES.test(label))
  const deny = readConfirm(form, others, base, label => DENIES.test(label))
  if (approve?.button === undefined || deny?.button === undefined) return []
  const codeField = code && attribute(code, 'name')
  const texts = new Set([...elements(partAround(form))].map(each => oneLine(textBelow(each))))
  const shows = (message: string) => texts.has(oneLine(message))
  return [{ approve, deny, shows, ...(codeField !== undefined && { codeField }) }]
}

/** Reads the requests on a page that a person may allow or deny, in the order of the page. @param url the address of the page */
export function readApprovals(page: string, url: string): readonly AskedApproval[] {
  const tree = unless(TooDeep, () => pageTree(page))
  const forms = tree ? [...controlsByForm([...elements(tree)])] : []
  return forms.flatMap(([form, controls]) => readApproval(form, controls, url))
}
