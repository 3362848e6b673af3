import { readableForm } from '../../../protocol/http/form.js'
import { header, headerValues, splitUrl } from '../../../protocol/http/message.js'
import { parseChallenges } from '../../../protocol/oauth/bearer.js'
import { isJsonObject } from '../../../protocol/values.js'
import { KNOWN_CODES, knownError } from '../known-errors.js'
import { recordedOf } from '../recorded.js'
import { pageText, wordsOf } from '../words.js'
import { readCassette, readPostmanRun } from './cassettes.js'
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
import { readHttpText } from './http-text.js'
import { readHeader, readObject, readPem, readSaml, readToken } from './values.js'

/** Longest text that is taken for a fragment, in characters. */
export const MAX_FRAGMENT = 2 * 1024 * 1024

const pairsOf = (form: string) => readableForm(form).pairs

// Addresses and forms

/** Parameters by which a query, a fragment or a form is one of OAuth. */
const KIND_MARKS: readonly (readonly [what: string, title: string, names: readonly string[]])[] = [
  ['token_request', 'a token request, as a form', ['grant_type']],
  ['authorization_request', 'an authorization request', ['response_type', 'code_challenge', 'request_uri']],
  ['logout_request', 'a logout at the server', ['post_logout_redirect_uri', 'id_token_hint']],
  [
    'callback',
    'an authorization response: the callback of a login',
    ['code', 'error', 'access_token', 'id_token', 'response'],
  ],
  ['authorization_request', 'an authorization request', ['redirect_uri', 'client_id']],
]

/** Findings about the writing of an address: encoded once too often, or cut off. */
function writing(text: string, values: readonly string[]): FragmentFinding[] {
  const twice = values.some(value => /^https?%3a%2f%2f/i.test(value) || /%(?:20|2f|3a|40)/i.test(value))
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

async function explainPairs(text: string, url: string, place: string): Promise<Fragment | undefined> {
  const pairs = pairsOf(place)
  const has = (name: string) => pairs.some(([each, value]) => each === name && value !== '')
  const kind = KIND_MARKS.find(([, , names]) => names.some(has))
  if (kind === undefined) return undefined
  const [what, title] = kind
  const parts = pairs.map(([name, value]) => part(name, value))
  const findings = writing(
    text,
    pairs.map(([, value]) => value),
  )
  const value = (name: string) => pairs.find(([each]) => each === name)?.[1]
  if (what === 'callback' && has('error')) {
    const words = {
      code: value('error')!,
      ...(has('error_description') && { text: value('error_description')! }),
    }
    const explained = explainError(words, { what, title, parts })
    return { ...explained, findings: [...explained.findings, ...findings] }
  }
  const isForm = what === 'token_request'
  const request = isForm
    ? {
        method: 'POST',
        url: 'https://unknown.invalid/token',
        headers: [['content-type', 'application/x-www-form-urlencoded']] as const,
        body: place,
      }
    : { method: 'GET', url, headers: [], body: '' }
  const { flows } = await explainExchanges([recordedOf(1, request)])
  // A text alone got no answer, and that is no fault of it.
  const judged = flows.flatMap(each => each.findings).filter(({ name }) => name !== 'no-answer')
  const missing =
    what === 'authorization_request' && !has('request_uri') && !has('request')
      ? ['client_id', 'response_type']
          .filter(name => !has(name))
          .map(name =>
            about('fault', 'parameter-missing', 'RFC 6749 §4.1.1', `${name} is missing`, `add ${name}`),
          )
      : []
  return {
    what,
    title,
    parts,
    findings: [...missing, ...judged.map(({ entry: _, ...each }) => each), ...findings],
  }
}

const readAddress: Reader = text => {
  const written = /^https?%3a/i.test(text) ? decodeURIComponent(text) : text
  if (/\s/.test(written) || !/^(?:[a-z][\w+.-]*:\/\/|[a-z][\w.-]+:\/|\/|\?|#|localhost)/i.test(written))
    return undefined
  const url = /^[/?#]/.test(written) ? `https://unknown.invalid${written.replace(/^(?=[?#])/, '/')}` : written
  const query = splitUrl(url).query
  const fragment = /#(.*)$/s.exec(url)?.[1] ?? ''
  const place = KIND_MARKS.some(([, , names]) => pairsOf(fragment).some(([name]) => names.includes(name)))
    ? fragment
    : query
  return place === '' ? undefined : explainPairs(text, url, place)
}

const readForm: Reader = text =>
  /^[\w.-]+=[^\s&]*(?:&[\w.%-]+=[^\s&]*)*$/.test(text)
    ? explainPairs(text, `https://unknown.invalid/?${text}`, text)
    : undefined

// JSON

const readJson: Reader = async text => {
  if (!/^[[{]/.test(text)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const cassette = readCassette(value)
  if (cassette) return ofExchanges('cassette', 'a VCR cassette', cassette)
  const run = readPostmanRun(value)
  if (run) return ofExchanges('postman_run', 'the report of a Postman run', run)
  if (isJsonObject(value)) return readObject(value, text)
  const words = wordsOf({ status: 400, headers: [], body: text })
  return words && explainError(words, { what: 'token_error', title: 'an error answer in JSON', parts: [] })
}

// Texts of programs

async function ofExchanges(
  what: string,
  title: string,
  exchanges: Parameters<typeof explainExchanges>[0],
): Promise<Fragment> {
  const explanation = await explainExchanges(exchanges)
  const fragment = { what, title, parts: [], findings: [], explanation }
  const refused = exchanges.find(({ exchange }) => (exchange.response?.status ?? 0) >= 400)?.exchange
  if (refused?.response === undefined || explanation.flows.length > 0) return fragment
  const words = wordsOf(refused.response)
  if (words !== undefined) return { ...explainError(words, fragment), explanation }
  const { status } = refused.response
  const schemes = parseChallenges(headerValues(refused.response, 'www-authenticate')).map(
    ({ scheme }) => scheme,
  )
  const wants = schemes.length === 0 ? '' : `; the server wants ${schemes.join(' or ')}`
  const text = `${refused.request.method} ${splitUrl(refused.request.url).path} was answered with ${status}${wants}`
  const sent = header(refused.request, 'authorization') === undefined
  const next = status === 401 && sent ? 'send a token: Authorization: Bearer TOKEN' : undefined
  return { ...fragment, findings: [about('fault', 'request-refused', 'RFC 6750 §3', text, next)] }
}

const readTrace: Reader = text => {
  const found = readHttpText(text)
  return (
    found &&
    ofExchanges(
      'http',
      found.tool === 'HTTP' ? 'HTTP messages' : `the output of ${found.tool}`,
      found.exchanges,
    )
  )
}

const readYaml: Reader = async text => {
  if (!/^(?:---\s*\n)?(?:http_interactions|interactions):/m.test(text)) return undefined
  const { parseYaml } = await import('../../../protocol/yaml-text.js')
  const exchanges = readCassette((await parseYaml(text)).value)
  return exchanges && ofExchanges('cassette', 'a VCR cassette', exchanges)
}

// Sentences

const CORS = /from origin '([^']+)' has been blocked by CORS policy: (.*)/is

const readSentence: Reader = text => {
  const [, origin, why] = CORS.exec(text) ?? []
  if (origin !== undefined) {
    const finding = about(
      'fault',
      'cors',
      'RFC 9700 §2.6',
      `the browser kept the answer from the page: ${why!.trim().slice(0, 300)}`,
      `let the endpoint allow the origin ${origin}; an authorization endpoint allows none: send the browser there, no script`,
    )
    return {
      what: 'cors_message',
      title: 'a message of a browser about CORS',
      parts: [part('origin', origin, 'the page that asked')],
      findings: [finding],
    }
  }
  const entra = /\bAADSTS\d{4,7}\b(?:: [^\n"]{1,300})?/.exec(text)?.[0]
  const known = KNOWN_CODES.find(each => new RegExp(`\\b${each}\\b`).test(text))
  const code = entra?.split(':', 1)[0] ?? known
  if (code === undefined) return undefined
  const line = entra ?? text.split('\n').find(each => each.includes(code)) ?? text
  const where = knownError({ code })?.where ?? 'an error of Microsoft Entra'
  const isBare = text === code
  return explainError(
    { code, ...(!isBare && { text: line.trim().slice(0, 300) }) },
    { what: 'error_code', title: `the error ${code}: ${where}`, parts: [] },
  )
}

const readPage: Reader = text => {
  if (!/^\s*<(?:!doctype html|html|head|body|div|title|h1|script|p)\b/i.test(text)) return undefined
  const words = wordsOf({ status: 400, headers: [['content-type', 'text/html']], body: text })
  if (words === undefined || pageText(text) === '') return undefined
  return explainError(words, { what: 'error_page', title: 'a page of a server', parts: [] })
}

const READERS: readonly Reader[] = [
  readTrace,
  readJson,
  readYaml,
  readPem,
  readSaml,
  readToken,
  readHeader,
  readAddress,
  readForm,
  readPage,
  readSentence,
]

/** Recognises a text that somebody pasted, and explains it. Undefined for a text that is nothing of OAuth. */
export async function explainText(pasted: string): Promise<Fragment | undefined> {
  const text = pasted.replace(/^\uFEFF/, '').trim()
  if (text === '' || text.length > MAX_FRAGMENT) return undefined
  for (const read of READERS) {
    const fragment = await read(text)
    if (fragment !== undefined) return fragment
  }
  return undefined
}
