import { bytes, type Header, type HttpResponse, headerValues } from '../../../src/protocol/http/message.js'
import type { Ask } from '../../support/ask.js'
import { CALLBACK, FORM, field, ISSUER, type Parameters, query } from './support.js'

/** A browser that keeps cookies, at an address of its own. */
export function browser({ handle }: { readonly handle: Ask }, address = '192.0.2.1') {
  const jar = new Map<string, string>()

  async function send(method: string, target: string, headers: readonly Header[] = [], body = '') {
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await handle({
      method,
      url: `${ISSUER}${target}`,
      headers: cookies === '' ? headers : [...headers, ['cookie', cookies]],
      body: bytes(body),
      remoteAddress: address,
    })
    for (const line of headerValues(response, 'set-cookie')) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/;\s*Max-Age=0/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  const get = (target: string) => send('GET', target)
  const post = (target: string, form: Parameters) => send('POST', target, [FORM], query(form))
  const authorize = (parameters: Parameters) => get(`/authorization?${query(parameters)}`)

  /** Opens the form of a request and submits it. */
  async function login(parameters: Parameters, fields: Parameters = {}): Promise<HttpResponse> {
    const page = await authorize(parameters)
    const form = { username: 'alice', password: 'wonderland', csrf: field(page, 'csrf'), ...fields }
    return post(`/authorization?${query(parameters)}`, form)
  }
  return { jar, send, get, post, authorize, login }
}

export const implicitRequest = (more: Parameters = {}): Parameters => ({
  response_type: 'token',
  client_id: 'demo-spa',
  redirect_uri: CALLBACK,
  state: 's+/=1',
  ...more,
})
