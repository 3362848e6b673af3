import { isJsonObject, type JsonObject } from '../../../../protocol/values.js'

/** The judgement of an answer to a post: accepted, refused, or not from a chat service. */
export type Verdict = 'taken' | 'refused' | 'unknown'

/** Returns the JSON object of a body, or undefined for another body. */
export function jsonOf(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** True for a JSON answer that reports a failure, whatever its status is. */
function reportsFailure({ success, ok, error }: JsonObject): boolean {
  return success === false || ok === false || (typeof error === 'string' && error !== '')
}

/**
 * Judges an answer by its status and its body. Slack, Mattermost and Discord answer `ok` and Rocket.Chat `{"success":true}`, each with
 * a content type of its own: Slack and Discord send `text/html`. An HTML page with a status of success is a login page or a proxy.
 * @param isErrorWord true for a text that is an error code of a chat service
 */
export function judge(status: number, body: string, isErrorWord: (body: string) => boolean): Verdict {
  if (status < 200 || status >= 300) return 'refused'
  const json = jsonOf(body)
  if (json) return reportsFailure(json) ? 'refused' : 'taken'
  if (isErrorWord(body)) return 'refused'
  return body.trimStart().startsWith('<') ? 'unknown' : 'taken'
}
