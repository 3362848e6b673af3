import { readFields } from '../../../protocol/http/form.js'
import { type HeaderList, headerValues, mediaType, splitUrl } from '../../../protocol/http/message.js'
import { fragmentOf } from '../../../protocol/oauth/authorization-response.js'
import { parseBasic } from '../../../protocol/oauth/client-auth.js'
import { isJsonObject } from '../../../protocol/values.js'
import { jsonOf } from '../message.js'
import type { Recorded } from '../recorded.js'
import type { KnownValues } from './known-values.js'
import { HASHED, KEPT, SAML_PARAMETERS } from './members.js'
import { valuesInSaml } from './saml.js'

/** Names of values that are secrets whatever they look like. */
const SECRET =
  /passw|pwd|secret|token|assertion|verifier|^(code|state|nonce|otp|pin|sid|sub|user_?name|login|email)$|session|csrf|xsrf/i

/** Deepest nesting of JSON that is searched. */
const MAX_DEPTH = 32

/** Collects the secrets of exchanges, so that they are known wherever they stand. */
export function createCollector(known: KnownValues): (recorded: Recorded, isPicked: boolean) => void {
  function named(name: string, value: string): void {
    if (KEPT.has(name) || value === '') return
    if (SAML_PARAMETERS.has(name)) for (const each of valuesInSaml(value)) known.addUnnamed(each)
    if (HASHED.has(name)) known.addHashed(value)
    else if (SECRET.test(name)) known.add(value)
    else known.addUnnamed(value)
  }

  function form(text: string): void {
    for (const [name, value] of readFields(text).pairs) named(name, value)
  }

  function address(url: string): void {
    form(splitUrl(url).query)
    form(fragmentOf(url).replace(/^[^=]*\?/, ''))
  }

  function json(value: unknown, name: string, depth = 0): void {
    if (depth > MAX_DEPTH) return
    if (typeof value === 'string') named(name, value)
    else if (Array.isArray(value)) for (const each of value) json(each, name, depth + 1)
    else if (isJsonObject(value))
      for (const [member, each] of Object.entries(value)) json(each, member, depth + 1)
  }

  function authorization(value: string): void {
    const credentials = /^\S+\s+(.+)$/s.exec(value)?.[1] ?? value
    known.addHashed(credentials)
    for (const { secret } of parseBasic(value) ?? []) known.add(secret)
  }

  function headers(message: { headers: HeaderList }): void {
    const of = (name: string) => headerValues(message, name)
    for (const value of [...of('authorization'), ...of('proxy-authorization')]) authorization(value)
    for (const pair of of('cookie').flatMap(line => line.split(';')))
      known.add(pair.slice(pair.indexOf('=') + 1).trim())
    for (const line of of('set-cookie')) known.add(/=([^;]*)/.exec(line)?.[1]?.trim() ?? '')
    for (const url of [...of('location'), ...of('referer')]) address(url)
  }

  return function collect({ exchange: { request, response } }, isPicked) {
    address(request.url)
    headers(request)
    if (mediaType(request) === 'application/x-www-form-urlencoded') form(request.body)
    if (isPicked) json(jsonOf(request.body), '')
    if (response === undefined) return
    headers(response)
    if (isPicked) json(jsonOf(response.body), '')
  }
}
