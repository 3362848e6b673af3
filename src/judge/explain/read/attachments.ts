import { isUtf8 } from 'node:buffer'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'

/** Reads a body that stands in a file beside a recording, by the name that the recording has for it. Undefined: none can be read. */
export type Attached = (name: string) => Promise<Uint8Array | undefined>

/** Largest body that is read, in bytes. No token answer and no page of a login is longer. */
export const MAX_ATTACHED = 1024 * 1024

/** The body with its text, where it has none and names a file: `_file` in a HAR of Playwright, `_sha1` in a trace. */
async function withText(body: unknown, attached: Attached): Promise<unknown> {
  if (!isJsonObject(body)) return body
  const { _file: file, _sha1: sha1, ...own } = body
  const name = file ?? sha1
  if (typeof name !== 'string' || (typeof own.text === 'string' && own.text !== '')) return body
  const bytes = await attached(name)
  if (bytes === undefined) return body
  const content = Buffer.from(bytes)
  return isUtf8(content)
    ? { ...own, text: content.toString('utf8') }
    : { ...own, text: content.toString('base64'), encoding: 'base64' }
}

/** An entry of an archive whose bodies stand in it, those in files beside the archive included. */
export async function withBodies(entry: unknown, attached: Attached): Promise<unknown> {
  if (!isJsonObject(entry)) return entry
  const part = async (message: unknown, name: 'postData' | 'content'): Promise<JsonObject> => {
    const { [name]: body, ...rest } = isJsonObject(message) ? message : {}
    return body === undefined ? rest : { ...rest, [name]: await withText(body, attached) }
  }
  return {
    ...entry,
    ...(isJsonObject(entry.request) && { request: await part(entry.request, 'postData') }),
    ...(isJsonObject(entry.response) && { response: await part(entry.response, 'content') }),
  }
}
