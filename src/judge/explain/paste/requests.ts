import { readFields } from '../../../protocol/http/form.js'
import { type Header, header, splitUrl } from '../../../protocol/http/message.js'
import { foreignRule } from '../../../protocol/rules/rule.js'
import { percentDecoded } from '../../../protocol/second-reading.js'
import { isLikelyAnswer } from '../pick.js'
import { type HeldAddress, heldRequest, type Recorded, recordedOf } from '../recorded.js'
import {
  about,
  explainError,
  explainExchanges,
  type Fragment,
  type FragmentFinding,
  part,
  present,
  type Reader,
} from './fragment.js'

/** Parameters by which a query, a fragment or a form is one of OAuth. */
const KIND_MARKS: readonly (readonly [what: string, title: string, names: readonly string[]])[] = [
  ['token_request', 'a token request', ['grant_type']],
  ['authorization_request', 'an authorization request', ['response_type', 'code_challenge', 'request_uri']],
  ['logout_request', 'a logout at the server', ['post_logout_redirect_uri', 'id_token_hint']],
  [
    'callback',
    'an authorization response: the callback of a login',
    ['code', 'error', 'access_token', 'id_token', 'response'],
  ],
  ['authorization_request', 'an authorization request', ['redirect_uri', 'client_id']],
  ['oauth1', 'an address of OAuth 1.0a', ['oauth_token', 'oauth_verifier']],
]

/** Pages and frames of a server, which have a client_id too. */
const OTHER_PAGE = /\/(?!(?:oauth2?|auth|authorize|login|sign-?in)\/?$)[^/]+\/?$/i

const pairsOf = (form: string) => readFields(form).pairs

/** Findings about the writing of an address: encoded once too often, or cut off. */
function writing(text: string, values: readonly string[]): FragmentFinding[] {
  const twice = values.some(value => /^https?%3a%2f%2f/i.test(value) || /%(?:20|2f|3a|40)/i.test(value))
  const open = values.find(value => /^(?:\$\{[^{}]+\}|\$[A-Z_a-z]\w*|\{\{[^{}]+\}\}|<[^<>]+>)$/.test(value))
  const cutOff = /(?:%[\da-f]?|…|\.\.\.|[?&#=])$/i.test(text)
  return present(
    twice &&
      about(
        'fault',
        'encoded-twice',
        'RFC 6749 Appendix B',
        'a value is percent-encoded twice: the server reads it with its percent signs',
        'encode each value once; URLSearchParams does it',
      ),
    open !== undefined &&
      about(
        'remark',
        'placeholder',
        'RFC 6749 Appendix B',
        `${open} stands in place of a value`,
        'put the value in its place: a variable of the shell that is not set is empty',
      ),
    cutOff &&
      about(
        'remark',
        'cut-off',
        'RFC 3986 §2',
        'the text seems to be cut off at its end',
        'copy the whole of it',
      ),
  )
}

/** Explains a request by its parameters, which stand in its body, its query or its fragment. */
async function explainPairs(
  text: string,
  request: Recorded['exchange']['request'],
  place: string,
  form: string,
): Promise<Fragment | undefined> {
  const pairs = pairsOf(place)
  const has = (name: string) => pairs.some(([each, value]) => each === name && value !== '')
  const { path } = splitUrl(request.url)
  const isMark = (name: string) => has(name) && (name !== 'client_id' || !OTHER_PAGE.test(path))
  const kind = KIND_MARKS.find(([, , names]) => names.some(isMark))
  if (kind === undefined) return undefined
  const [what, name] = kind
  if (what === 'callback' && !isLikelyAnswer(readFields(place), request.url)) return undefined
  const title = `${name}${form}`
  const parts = pairs.map(([each, value]) => part(each, value))
  const findings = writing(
    text,
    pairs.map(([, value]) => value),
  )
  const value = (wanted: string) => pairs.find(([each]) => each === wanted)?.[1]
  if (what === 'callback' && has('error')) {
    const said = value('error_description') || value('error_message')
    const words = { code: value('error')!, ...(said && { text: said }) }
    const explained = explainError(words, { what, title, parts })
    return { ...explained, findings: [...explained.findings, ...findings] }
  }
  const { flows } = await explainExchanges([recordedOf(1, request)])
  // A text alone got no answer, and that is no fault of it.
  const judged = flows.flatMap(each => each.findings).filter(({ name: found }) => found !== 'no-answer')
  const other =
    what === 'oauth1' &&
    about(
      'remark',
      'oauth-1',
      foreignRule('RFC 5849 §2.2'),
      'this is the older OAuth 1.0a: a temporary token is exchanged for a lasting one by signed requests; nothing of OAuth 2.0 applies',
      'use a client library for OAuth 1.0a, or the OAuth 2.0 endpoints of the service where it has some',
    )
  const missing =
    what === 'authorization_request' && !has('request_uri') && !has('request')
      ? ['client_id', 'response_type']
          .filter(each => !has(each))
          .map(each =>
            about('fault', 'parameter-missing', 'RFC 6749 §4.1.1', `${each} is missing`, `add ${each}`),
          )
      : []
  return {
    what,
    title,
    parts,
    findings: [...present(other), ...missing, ...judged.map(({ entry: _, ...each }) => each), ...findings],
  }
}

/** Explains a login page by the authorization request that it returns to. */
async function explainHeld(
  { name, url }: HeldAddress,
  request: Recorded['exchange']['request'],
  text: string,
): Promise<Fragment | undefined> {
  const inner = await explainPairs(text, { ...request, url }, splitUrl(url).query, '')
  return (
    inner && {
      ...inner,
      what: 'login_page',
      title: `a login page, which returns to the authorization request in ${name}`,
      parts: [part(name, url.slice(0, url.indexOf('?'))), ...inner.parts],
    }
  )
}

/** Explains a request that got no answer: its form, else its query or its fragment. */
export function explainRequest(
  request: Recorded['exchange']['request'],
  form: string,
  text = request.url,
): Promise<Fragment | undefined> | undefined {
  if (request.body !== '') return explainPairs(text, request, request.body, form)
  const held = heldRequest(request.url)
  if (held !== undefined) return explainHeld(held, request, text)
  const fragment = /#(.*)$/s.exec(request.url)?.[1] ?? ''
  const isMarked = KIND_MARKS.some(([, , names]) => pairsOf(fragment).some(([name]) => names.includes(name)))
  const place = isMarked ? fragment : splitUrl(request.url).query
  return place === '' ? undefined : explainPairs(text, request, place, form)
}

/** Explains an address, also its path alone. */
export const readAddress: Reader = text => {
  const written = /^https?%3a/i.test(text) ? (percentDecoded(text) ?? text) : text
  if (
    /\s/.test(written) ||
    !/^(?:[a-z][\w+.-]*:\/\/|[a-z][\w.-]+:\/|\/|\?|#|localhost|[\w.-]+:\d+\/)/i.test(written)
  )
    return undefined
  const url = /^[/?#]/.test(written) ? `https://unknown.invalid${written.replace(/^(?=[?#])/, '/')}` : written
  return explainRequest({ method: 'GET', url, headers: [], body: '' }, '', text)
}

const FORM: Header = ['content-type', 'application/x-www-form-urlencoded']

/** Explains the parameters of a form or a query. */
export const readForm: Reader = text => {
  if (!/^[\w.-]+=[^\s&]*(?:&[\w.%-]+=[^\s&]*)*$/.test(text)) return undefined
  return /(?:^|&)grant_type=/.test(text)
    ? explainRequest(
        { method: 'POST', url: 'https://unknown.invalid/token', headers: [FORM], body: text },
        ', as a form',
        text,
      )
    : explainRequest(
        { method: 'GET', url: `https://unknown.invalid/?${text}`, headers: [], body: '' },
        '',
        text,
      )
}

/** The words of a line for a shell, without its quotes. Nothing in it is run. */
function shellWords(line: string): string[] {
  const words =
    line.replace(/\\\n/g, ' ').match(/(?:[^\s"'\\]|\\.|\$?'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")+/gs) ?? []
  return words.map(word =>
    word.replace(/\$?'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_, single, double, plain) =>
      String(single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? plain),
    ),
  )
}

/** The request of a line with curl. */
function ofCurl(text: string): Recorded['exchange']['request'] {
  const headers: Header[] = []
  const data: string[] = []
  let [url, method, type] = ['', '', FORM]
  const words = shellWords(text).slice(1)
  for (let i = 0; i < words.length; i++) {
    const [, short, long] = /^(?:-([XHduF])(?=.)|(--?[\w-]+)$)/.exec(words[i]!) ?? []
    const option = short ?? long
    const value = () => (short === undefined ? (words[++i] ?? '') : words[i]!.slice(2))
    if (option === undefined) url ||= words[i]!
    else if (/^(?:X|-X|--request)$/.test(option)) method = value()
    else if (/^(?:u|-u|--user)$/.test(option))
      headers.push(['authorization', `Basic ${Buffer.from(value()).toString('base64')}`])
    else if (/^(?:H|-H|--header)$/.test(option)) {
      const [, name, content] = /^([^:]+):\s*(.*)$/s.exec(value()) ?? []
      if (name !== undefined) headers.push([name, content ?? ''])
    } else if (option === '--data-urlencode') {
      const [name = '', ...rest] = value().split('=')
      data.push(`${name}=${encodeURIComponent(rest.join('='))}`)
    } else if (/^(?:d|-d|--data(?:-raw|-binary|-ascii)?)$/.test(option)) data.push(value())
    else if (/^(?:F|-F|--form(?:-string)?)$/.test(option)) {
      const [name = '', ...rest] = value().split('=')
      data.push(`${name}=${encodeURIComponent(rest.join('='))}`)
      type = ['content-type', 'multipart/form-data']
    } else if (option === '--url') url = value()
    else if (
      /^(?:-[Abeomx]|--(?:user-agent|cookie|referer|output|max-time|proxy|cacert|cert|key|resolve))$/.test(
        option,
      )
    )
      i += 1
  }
  const body = data.join('&')
  const isGet = words.includes('-G') || words.includes('--get')
  if (body !== '' && header({ headers }, 'content-type') === undefined) headers.push(type)
  return isGet
    ? { method: 'GET', url: `${url}?${body}`, headers, body: '' }
    : { method: method || (body === '' ? 'GET' : 'POST'), url, headers, body }
}

/** The request of a call of fetch, as DevTools copy it. */
function ofFetch(text: string): Recorded['exchange']['request'] | undefined {
  const [, url = '', options = '{}'] =
    /^(?:await )?fetch\("([^"]+)"(?:,\s*(\{.*\}))?\s*\);?$/s.exec(text) ?? []
  if (url === '') return undefined
  try {
    const { headers = {}, body = '', method = 'GET' } = JSON.parse(options) as Record<string, unknown>
    const pairs = Object.entries(headers as object).map(([name, value]): Header => [name, String(value)])
    return { method: String(method), url, headers: pairs, body: String(body ?? '') }
  } catch {
    return { method: 'GET', url, headers: [], body: '' }
  }
}

/** The request of a file for REST clients: a method and an address, headers, an empty line, a body. */
function ofFile(text: string): Recorded['exchange']['request'] | undefined {
  const [, method, url, rest = ''] =
    /^(?:###[^\n]*\n)?(GET|POST|PUT|PATCH|DELETE) (https?:\/\/\S+)(?: HTTP\/[\d.]+)?\n?(.*)$/s.exec(text) ??
    []
  if (method === undefined || url === undefined || /^HTTP\//m.test(rest)) return undefined
  const [head = '', ...body] = rest.split(/\n\s*\n/)
  const headers = head.split('\n').flatMap((line): Header[] => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line.trim()) ?? []
    return name === undefined ? [] : [[name, value ?? '']]
  })
  return {
    method,
    url,
    headers,
    // A form may go on in the next line, before its `&`.
    body: body
      .join('\n\n')
      .split('\n')
      .reduce((all, line) => (line.trim().startsWith('&') ? all.trimEnd() + line.trim() : `${all}\n${line}`))
      .trim(),
  }
}

/** Explains a request that a person would send: a line with curl, a call of fetch, a file for a REST client. */
export const readCommand: Reader = text => {
  const line = text.replace(/^[$#>] /, '')
  const [request, form] = /^curl\s/.test(line)
    ? [ofCurl(line), ', as a line with curl']
    : [ofFetch(line) ?? ofFile(line), ', as a call of a program']
  return request && explainRequest(request, form)
}
