import { redirectResponse, splitUrl } from '../../../protocol/http/message.js'
import { changing, isMetadata, layered } from '../front.js'
import type { Layer, Members, Plan, RunPlan } from '../model.js'
import { byCode, RIGHT } from './parts.js'

/** In the name of the client (RFC 9700 §4.4.1). */
const sendsOn =
  (honest: string): Layer =>
  async (request, next) => {
    const { path, query } = splitUrl(request.url)
    if (path !== '/authorization') return next(request)
    return redirectResponse(`${honest}/authorization${query === '' ? '' : `?${query}`}`)
  }

/** At the dishonest server. */
const lie = (wrong: string, change?: (honest: string) => Members): RunPlan => ({
  wrong,
  asksOther: true,
  layer: honest => {
    const told = change?.(honest)
    const onward = sendsOn(honest)
    return told === undefined
      ? onward
      : layered(
          changing(isMetadata, members => ({ ...members, ...told })),
          onward,
        )
  },
})

/**
 * RFC 9700 §4.4, RFC 9207 §2.4: the client is given a dishonest server, and its answer comes from the honest one. In one
 * right run the second server is honest too, so that a client may not refuse it for its name.
 */
export const mixUp: Plan = {
  ...byCode,
  two: true,
  runs: [
    lie('the answer of the server that the asked one sends on to'),
    lie('metadata that names the login page of another server', honest => ({
      authorization_endpoint: `${honest}/authorization`,
    })),
    lie('metadata that names another server as issuer', honest => ({
      issuer: honest,
      authorization_endpoint: `${honest}/authorization`,
    })),
    RIGHT,
    RIGHT,
    { asksOther: true },
  ],
  values: ({ scene, answer }) => [scene.issuer, answer.searchParams.get('iss') ?? ''],
}
