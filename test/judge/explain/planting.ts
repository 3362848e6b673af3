import { entry, form, type HarEntry } from './recording.js'

let at = 10
/** Seconds after the start of the recording. */
export const next = (): number => at++
export const ISSUER = 'https://id.example'
export const APP = 'https://app.example'
export const TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json' }

export type Made = HarEntry | HarEntry[]
export const got = (url: string, headers: Record<string, string> = {}, answer = {}) =>
  entry(next(), 'GET', url, answer, { headers })
export const token = (
  fields: Record<string, string>,
  json: object = { error: 'invalid_grant' },
  headers = {},
) =>
  entry(
    next(),
    'POST',
    `${ISSUER}/token`,
    { status: 'error' in json ? 400 : 200, json },
    { form: { client_id: 'web', ...fields }, headers },
  )
export const asked = (fields: Record<string, string>, answer = {}) =>
  got(
    `${ISSUER}/authorize?${form({ response_type: 'code', client_id: 'web', redirect_uri: `${APP}/cb`, scope: 'openid', ...fields })}`,
    {},
    answer,
  )
export const refused = (text: string) =>
  token(
    { grant_type: 'authorization_code', code: 'spent' },
    { error: 'invalid_grant', error_description: text },
  )
export const posted = (mimeType: string, text: string, url = `${APP}/api`): HarEntry => {
  const made = entry(next(), 'POST', url)
  made.request.postData = { mimeType, text }
  return made
}
export const beside = (own: object, request: object = {}, response: object = {}): HarEntry => {
  const made = asked({})
  Object.assign(made.request, request)
  Object.assign(made.response, response)
  return Object.assign(made, own)
}
export const page = (html: string, status = 200) => asked({}, { status, html })
export const saml = (value: string) =>
  Buffer.from(
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_a1" Version="2.0"><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><saml:Subject><saml:NameID>${value}</saml:NameID></saml:Subject></saml:Assertion></samlp:Response>`,
  )
