import { isUrl } from '../protocol/http/address.js'
import { unless } from '../protocol/values.js'
import { type ConfirmForm, controlsByForm, readConfirm } from './login-page.js'
import { attribute, type Element, elements, pageTree, TooDeep, textBelow } from './page-elements.js'

/** The parts of a page that a logout needs. */
export interface LogoutPage {
  /** The only form of the page that logs out. */
  readonly confirm?: ConfirmForm
  /** The addresses of its frames, which inform other clients (Front-Channel Logout §3). */
  readonly frames: readonly string[]
  /** The addresses that the page leads on to: links, and a refresh by the page itself. */
  readonly links: readonly string[]
  /** The page's own message (ARIA role `alert`). */
  readonly alert?: string
  /** The first heading of the page, else its text. */
  readonly name: string
  /** True when a form waits for a person. */
  readonly hasForm: boolean
}

/** Most frames of a page that are loaded, and most links that are read. */
const MAX_FRAMES = 50
const MAX_LINKS = 200

/** Longest name of a page, in characters. */
const MAX_NAME = 80

/** Labels of buttons that agree to a logout. */
const AGREES = /\b(log|sign)[ -]?(me |out|off)|\b(yes|confirm|continue|proceed|end session)\b/i

/** Labels of buttons that refuse a logout. */
const STAYS = /^\W*(no\b|not\b|don|do not|stay|cancel|back|abort|deny|decline|keep|return|(log|sign) ?in\b)/i

const logsOut = (label: string): boolean => AGREES.test(label) && !STAYS.test(label)

/** Returns an address as the page resolves it; undefined for one that is not http. */
function resolved(address: string | undefined, base: string): string | undefined {
  if (address === undefined || !isUrl(address, base)) return undefined
  // An absolute address stays byte for byte as the server wrote it.
  const url = isUrl(address) ? address : new URL(address, base).href
  return /^https?:\/\//i.test(url) ? url : undefined
}

/** Returns the address of `<meta http-equiv="refresh">`, such as `0; url=/bye`. */
function refreshOf(element: Element): string | undefined {
  if (attribute(element, 'http-equiv')?.toLowerCase() !== 'refresh') return undefined
  const content = attribute(element, 'content') ?? ''
  const at = content.toLowerCase().indexOf('url=')
  return at < 0
    ? undefined
    : content
        .slice(at + 4)
        .trim()
        .replace(/^['"]|['"]$/g, '')
}

/** Parses the page of a logout as a browser would, without its scripts. */
export function readLogoutPage(html: string, url: string): LogoutPage {
  const tree = unless(TooDeep, () => pageTree(html))
  if (tree === undefined) return { frames: [], links: [], name: 'a page', hasForm: false }
  return readDocument([...elements(tree)], url)
}

function readDocument(all: readonly Element[], url: string): LogoutPage {
  const named = (name: string) => all.filter(({ tagName }) => tagName === name)
  const href = named('base')
    .map(each => attribute(each, 'href'))
    .find(each => each !== undefined)
  const base = resolved(href, url) ?? url
  const confirms = [...controlsByForm(all)].flatMap(
    ([form, controls]) => readConfirm(form, controls, attribute(form, 'action') ? base : url, logsOut) ?? [],
  )
  const frames = named('iframe').flatMap(each => resolved(attribute(each, 'src'), base) ?? [])
  const linked = [
    ...named('meta').map(refreshOf),
    ...named('a').map(each => attribute(each, 'href')),
  ].flatMap(each => resolved(each, base) ?? [])
  const alert = all.find(each => attribute(each, 'role') === 'alert')
  const [title] = [...named('h1'), ...named('title')]
  const name = title === undefined ? '' : textBelow(title)
  const [confirm] = confirms
  return {
    ...(confirm && confirms.length === 1 && { confirm }),
    frames: frames.slice(0, MAX_FRAMES),
    links: linked.slice(0, MAX_LINKS),
    ...(alert && { alert: textBelow(alert) }),
    name: name.slice(0, MAX_NAME).toWellFormed(),
    hasForm: named('form').length > 0,
  }
}
