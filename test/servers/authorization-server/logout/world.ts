import type { FormPairs } from '../../../../src/protocol/http/form.js'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import { fixedKeyring } from '../../../../src/protocol/tokens/keys.js'
import type { ClientCalls } from '../../../../src/servers/authorization-server/settings.js'
import { browser } from '../browser.js'
import { basic, claimsOf, client, codeRequest, json, lab, landed, query, signingKey } from '../support.js'

export const WEB = 'https://web.example'
const web = (id: string, more: Partial<Client> = {}) =>
  client(id, {
    client_secret: `${id}-secret`,
    redirect_uris: [`${WEB}/${id}`],
    post_logout_redirect_uris: [`${WEB}/${id}/bye`],
    ...more,
  })

export const back = web('back', { backchannel_logout_uri: `${WEB}/back/logout` })
export const front = web('front', { frontchannel_logout_uri: `${WEB}/front/logout?t=a` })
export const quiet = web('quiet')

type Answer = { readonly status: number; readonly body?: string } | Error | 'never'

/** A server with three clients, whose calls get the answers in turn; 200 when there are no more. Pauses end by `tick`. */
export function world(answers: readonly Answer[] = [], clients: readonly Client[] = [back, front, quiet]) {
  const left = [...answers]
  const calls: { url: string; form: FormPairs }[] = []
  const pauses: { milliseconds: number; end: () => void }[] = []
  const clientCalls: ClientCalls = {
    async post(url, form) {
      calls.push({ url, form })
      const answer = left.shift() ?? { status: 200 }
      if (answer === 'never') return new Promise(() => {})
      if (answer instanceof Error) throw answer
      return { body: '', ...answer }
    },
    postJson: async () => ({ status: 204 }),
    pause: milliseconds => new Promise(end => pauses.push({ milliseconds, end })),
  }
  const server = lab({ clients }, fixedKeyring(signingKey), { clientCalls })
  const agent = browser(server)

  /** Logs in at a client, or uses the session. Returns the tokens of the code, and the response. */
  async function login(id: string, who: Record<string, string> = {}, scope = 'openid') {
    const request = codeRequest({ client_id: id, redirect_uri: `${WEB}/${id}`, scope })
    const opened = await agent.authorize(request)
    const page = opened.status === 302 ? opened : await answered(opened, request, who)
    const answer = landed(page)
    const tokens = json(
      await server.redeem(answer.code ?? '', { redirect_uri: `${WEB}/${id}` }, [basic(id, `${id}-secret`)]),
    )
    return {
      answer,
      tokens,
      claims: tokens.id_token ? claimsOf(tokens.id_token) : {},
      hint: String(tokens.id_token),
    }
  }

  /** Sends the form of a page: the login form, or that of the consent page. */
  async function answered(
    page: Awaited<ReturnType<typeof agent.get>>,
    request: ReturnType<typeof codeRequest>,
    who: Record<string, string>,
  ) {
    const csrf = /name="csrf" value="([^"]*)"/.exec(Buffer.from(page.body).toString())?.[1]
    const asksPassword = Buffer.from(page.body).toString().includes('name="password"')
    const fields = asksPassword ? { username: 'alice', password: 'wonderland', ...who } : { consent: 'allow' }
    return agent.post(`/authorization?${query(request)}`, { csrf, ...fields })
  }

  const logout = (parameters: Record<string, string>) => agent.get(`/end-session?${query(parameters)}`)
  const named = (...types: string[]) => server.events.filter(({ type }) => types.includes(type))
  /** Ends the pauses under way, and lets what follows them happen. */
  const tick = async () => {
    for (const { end } of pauses.splice(0)) end()
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return { server, agent, calls, pauses, login, logout, named, tick }
}
